@testable import Inference
@testable import NCNN
import TestSupport

extension Network {
  /// A network of an input `data` and these layers, with random weights such that convolutions of up
  /// to 1000 products give results near 1.
  init(layers lines: [String], random: inout SeededGenerator) throws {
    let lines = ["Input data 0 1 data"] + lines
    let blobs = lines.reduce(0) { $0 + (Int($1.split(separator: " ")[3]) ?? 0) }
    let param = "7767517\n\(lines.count) \(blobs)\n" + lines.joined(separator: "\n") + "\n"
    try self.init(param: Array(param.utf8), source: "random.param")
    var bytes: [UInt8] = []
    for request in executionOrder.sorted().flatMap({ layers[$0].operation.weightRequests }) {
      if request.isTagged { bytes += [0, 0, 0, 0] }
      let scale = request.isTagged ? 1 / Float(min(request.count, 1000)).squareRoot() : 1
      for _ in 0..<request.count {
        let value = random.float() * scale
        // Variances are never negative.
        let bits = (request.name == "variances" ? abs(value) : value).bitPattern
        bytes += (0..<4).map { UInt8(bits >> (8 * UInt32($0)) & 0xFF) }
      }
    }
    try loadWeights(bytes, source: "random.bin")
  }
}

extension SeededGenerator {
  mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func choice<Element>(_ elements: [Element]) -> Element {
    elements[integer(0...elements.count - 1)]
  }

  mutating func float() -> Float { Float.random(in: -2...2, using: &self) }
}

extension Tensor {
  /// A tensor of random numbers in [−2, 2].
  init(shape: [Int], random: inout SeededGenerator) throws {
    try self.init(shape: shape, values: (0..<shape.reduce(1, *)).map { _ in random.float() })
  }

  /// The largest difference, relative above 1 and absolute below. The same infinity or NaN in both
  /// is no difference, in one of them an infinite one.
  func largestDifference(from other: Tensor) -> Float {
    zip(values, other.values).reduce(0) { worst, pair in
      let (a, b) = pair
      if a == b || (a.isNaN && b.isNaN) { return worst }
      let difference = abs(a - b) / max(1, abs(b))
      return difference.isFinite ? max(worst, difference) : .infinity
    }
  }
}

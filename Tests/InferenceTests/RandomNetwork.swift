@testable import Inference
import Kernels
@testable import NCNN
import TestSupport
import Testing

extension Network {
  /// A network of an input `data` and these layers, with random weights such that convolutions of up
  /// to 1000 products give results near 1.
  init(layers lines: [String], random: inout SeededGenerator) throws {
    let lines = ["Input data 0 1 data"] + lines
    let blobs = lines.reduce(0) { $0 + (Int($1.split(separator: " ")[3]) ?? 0) }
    let param = "7767517\n\(lines.count) \(blobs)\n" + lines.joined(separator: "\n") + "\n"
    try self.init(param: Array(param.utf8), source: "random.param")
    var bytes: [UInt8] = []
    for request in executionOrder.sorted().flatMap({ layers[$0].operation.traits.weights }) {
      if request.isTagged { bytes += [0, 0, 0, 0] }
      let scale = request.isTagged ? 1 / Float(min(request.count, 1000)).squareRoot() : 1
      var values = random.floats(request.count).map { $0 * scale }
      // Variances are never negative.
      if request.name == "variances" { values = values.map(abs) }
      values.withUnsafeBytes { bytes += $0 }
    }
    try loadWeights(bytes, source: "random.bin")
  }
}

/// Runs a network in every available instruction set, and requires the same bits from all that fuse
/// multiply-add.
///
/// - Parameter check: called with the outputs of each.
func runEverywhere(
  _ network: Network, _ inputs: [String: Tensor], extracting wanted: [String], threads: Int = 1,
  _ check: (_ engine: Engine, _ blobs: [String: Tensor]) throws -> Void
) throws {
  var first: (engine: Engine, blobs: [String: Tensor])?
  for kernels in KernelTable.available {
    let engine = try Engine(network, threads: threads, instructionSet: kernels.name)
    let blobs = try engine.run(inputs, extracting: wanted)
    try check(engine, blobs)
    guard kernels.fusesMultiplyAdd else { continue }
    if let first {
      for (name, blob) in blobs {
        try #require(
          blob.hasSameBits(as: first.blobs[name]),
          "\(name) of \(kernels.name) differs from \(first.engine.instructionSet)'s")
      }
    }
    first = first ?? (engine, blobs)
  }
}

extension Engine {
  /// The kinds of steps in the plans that have been made.
  var stepNames: Set<String> {
    let plans = state.withLock { state in state.executors.map(\.plan) }
    return Set(plans.flatMap { plan in plan.steps.map(\.kind) })
  }
}

extension Tensor {
  /// A tensor of random numbers in [−2, 2].
  init(shape: [Int], random: inout SeededGenerator) throws {
    try self.init(shape: shape, values: random.floats(shape.reduce(1, *)))
  }

  /// Whether shape and elements are the same, see `haveSameBits`.
  func hasSameBits(as other: Tensor?) -> Bool {
    other.map { shape == $0.shape && haveSameBits(values, $0.values) } ?? false
  }

  /// The largest difference of two elements, see `largestDifference(of:from:)`.
  func largestDifference(from other: Tensor) -> Float {
    TestSupport.largestDifference(of: values, from: other.values)
  }
}

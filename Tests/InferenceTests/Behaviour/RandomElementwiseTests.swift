// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// The kernels that process pixels one by one, in every available instruction set, against the
/// interpreter: on random shapes, most of them no multiple of the vector width, with infinities and
/// NaN among the elements.
struct RandomElementwiseTests {
  static let kinds = [
    "sliding pooling", "one window", "bilinear", "two blobs", "number", "several blobs", "pixel",
    "per channel",
  ]

  @Test(arguments: kinds)
  func agreesWithTheInterpreter(kind: String) throws {
    var random = SeededGenerator(seed: UInt64(Self.kinds.firstIndex(of: kind) ?? 0) + 1)
    let count = Rounds.few(50, of: 200)
    var rounds = 0
    while rounds < count {
      let channels = random.choice([1, 2, 3, 5, 8, 12, 15, 16, 17, 20, 32, 33, 48])
      let shape = [2 * channels, random.integer(1...11), random.integer(1...17)]
      // The second half begins within a block, unless the channels are a multiple of L.
      let split = [
        "BinaryOp copy 1 1 data whole 0=0 1=1 2=0.0",
        "Slice halves 1 2 whole a b 1=0 -23300=2,-233,-233",
      ]
      let layers = split + layers(kind, channels, &random)
      let network = try Network(layers: layers, random: &random)
      let input = try Tensor(shape: shape, values: values(shape.reduce(1, *), &random))
      let place = "\(layers) of \(shape), round \(rounds + 1)"
      // The same operations in the same order, except for fused multiply-adds. Where the window is larger than the
      // blob with its border, or nothing is left of the blob, there is nothing to compare.
      let isComparable = try requireAgreement(
        network, ["data": input], threads: 1 + (rounds + 1) % 2, within: 2e-6, place
      ) { engine in try #require(!engine.stepNames.contains("plain layer"), "\(place)") }
      if isComparable { rounds += 1 }
    }
  }

  /// Numbers in [−2, 2]; in some rounds a few infinities, NaN and zeros of both signs.
  private func values(_ count: Int, _ random: inout SeededGenerator) -> [Float] {
    let isFinite = random.integer(0...2) > 0
    return (0..<count).map { _ in
      isFinite || random.integer(0...40) > 0
        ? random.float() : random.choice([.infinity, -.infinity, .nan, 0, -0.0])
    }
  }

  // The parameters follow ncnn's page "operators".
  private func layers(
    _ kind: String, _ channels: Int, _ random: inout SeededGenerator
  ) -> [String] {
    let operation = random.choice([0, 1, 2, 3, 4, 5, 7, 8])
    switch kind {
    case "sliding pooling":
      // Modes 2 and 3 are SAME borders, with which only the plain layer takes pads.
      let mode = random.integer(0...3)
      let pads = mode < 2 ? random.integer(0...2) : 0
      return [
        "Pooling p 1 1 b out 0=\(random.integer(0...1)) 1=\(random.integer(1...4))"
          + " 11=\(random.integer(1...4)) 2=\(random.integer(1...3)) 3=\(pads)"
          + " 5=\(mode) 6=\(random.integer(0...1))"
      ]
    case "one window":
      let windows = random.choice(["4=1", "7=1 8=1"])
      return ["Pooling p 1 1 b out 0=\(random.integer(0...1)) \(windows)"]
    case "bilinear":
      let target = random.choice([
        "1=2.0 2=2.0", "1=1.5 2=0.4", "1=1.0 2=3.0", "3=\(random.integer(1...40)) 4=7", "3=1 4=1",
      ])
      return ["Interp i 1 1 b out 0=2 \(target) 6=\(random.integer(0...1))"]
    case "two blobs":
      return ["BinaryOp o 2 1 \(random.choice(["a b", "b a", "b b"])) out 0=\(operation)"]
    case "number":
      return ["BinaryOp o 1 1 b out 0=\(operation) 1=1 2=\(random.float())"]
    case "several blobs":
      let blobs = random.choice(["a b", "b a", "b a b", "a a b b"])
      let count = blobs.split(separator: " ").count
      let coefficients = (0..<count).map { _ in "\(random.float())" }.joined(separator: ",")
      let combination = random.choice([
        "0=0", "0=1", "0=1 -23301=\(count),\(coefficients)", "0=2",
      ])
      return ["Eltwise e \(count) 1 \(blobs) out \(combination)"]
    case "pixel":
      return [
        "Pooling p 1 1 a pixel 0=1 \(random.choice(["4=1", "7=1 8=1"]))",
        "BinaryOp o 2 1 \(random.choice(["b pixel", "pixel b"])) out 0=\(operation)",
      ]
    default:
      return [
        random.choice([
          "PReLU p 1 1 b out 0=1", "PReLU p 1 1 b out 0=\(channels)",
          "BatchNorm n 1 1 b out 0=\(channels) 1=0.01", "Scale s 1 1 b out 0=\(channels)",
          "Scale s 1 1 b out 0=\(channels) 1=1", "Dropout d 1 1 b out 0=0.75",
        ])
      ]
    }
  }
}

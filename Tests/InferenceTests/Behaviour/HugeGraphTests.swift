// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceInference
import YOLOFaceNCNN

/// Networks with more layers and blobs than any trained one. The time for a network of a few
/// megabytes of text must be linear in its length, not quadratic: seconds, not hours.
@Suite(.timeLimit(.minutes(60))) struct HugeGraphTests {
  private static let count = 50_000

  /// Reads a network, infers its shapes and runs it both ways.
  ///
  /// - Parameter isWithinLimits: whether the engine runs it, or refuses it for the number of its
  ///   blocks.
  private func run(
    _ layers: [String], blobs: Int, extracting wanted: String, isWithinLimits: Bool = true
  ) throws {
    let network = try Network(layers)
    let input = try Tensor(shape: [1, 1, 1], values: [2])
    let inference = try ShapeInference(network, inputs: ["data": input.shape])
    #expect(inference.shapes.count == blobs)
    #expect(!network.outputs.isEmpty)
    _ = ReceptiveFieldInference(of: network, shapes: inference.shapes)[wanted]
    let expected = try Interpreter(network).run(["data": input], extracting: [wanted])
    let engine = try Engine(network)
    if isWithinLimits {
      #expect(try engine.run(["data": input], extracting: [wanted]) == expected)
    } else {
      let error = #expect(throws: InferenceError.self) {
        try engine.run(["data": input], extracting: [wanted])
      }
      #expect(error?.reason == .limit)
    }
  }

  @Test(arguments: ["ReLU", "Flatten", "ShuffleChannel"])
  func aChain(kind: String) throws {
    let layers = (0..<Self.count).map { "\(kind) l\($0) 1 1 b\($0) b\($0 + 1)" }
    try run(
      ["Input data 0 1 data", "ReLU first 1 1 data b0"] + layers, blobs: Self.count + 2,
      extracting: "b\(Self.count)", isWithinLimits: kind != "ReLU")
  }

  /// Each layer comes before the one that it reads from.
  @Test func aChainInReverse() throws {
    let layers = (0..<Self.count).reversed().map { "Dropout l\($0) 1 1 b\($0) b\($0 + 1)" }
    try run(
      layers + ["ReLU first 1 1 data b0", "Input data 0 1 data"], blobs: Self.count + 2,
      extracting: "b\(Self.count)")
  }

  @Test(arguments: ["Concat", "Eltwise"])
  func aWideSplitAndConcat(kind: String) throws {
    let names = (0..<Self.count).map { "b\($0)" }.joined(separator: " ")
    try run(
      [
        "Input data 0 1 data", "Split s 1 \(Self.count) data \(names)",
        "\(kind) k \(Self.count) 1 \(names) out",
      ], blobs: Self.count + 2, extracting: "out")
  }

  @Test func manyInputs() throws {
    let names = (0..<Self.count).map { "i\($0)" }
    let network = try Network(names.map { "Input \($0) 0 1 \($0)" })
    let input = try Tensor(shape: [1], values: [2])
    let inputs = Dictionary(uniqueKeysWithValues: names.map { ($0, input) })
    #expect(try Interpreter(network).run(inputs, extracting: names) == inputs)
    #expect(try Engine(network).run(inputs, extracting: names) == inputs)
  }

  @Test func aLadderOfSplits() throws {
    let layers = (0..<Self.count / 2).flatMap { rung in
      [
        "Split s\(rung) 1 2 b\(rung) c\(rung) d\(rung)",
        "BinaryOp a\(rung) 2 1 c\(rung) d\(rung) b\(rung + 1) 0=4",
      ]
    }
    try run(
      ["Input data 0 1 data", "ReLU first 1 1 data b0"] + layers, blobs: 2 + Self.count / 2 * 3,
      extracting: "b\(Self.count / 2)", isWithinLimits: false)
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Blobs that the caller gives in the middle of a network, and Inputs of several blobs.
@Suite struct FeedingTests {
  private let layers = [
    "Input data 0 1 data", "Magic m 1 1 data a", "Split s 1 2 a p q", "ReLU r 1 1 p b",
    "BinaryOp z 2 1 b q out 0=1",
  ]

  private func tensor(_ values: Float...) throws -> Tensor {
    try Tensor(shape: [values.count], values: values)
  }

  /// By hand, in the interpreter and in every instruction set; what is not needed need not be given, nor be known.
  private func expect(
    _ expected: [Float], _ inputs: [String: Tensor], _ network: Network
  ) throws {
    let fed = network.feeding(inputs.keys)
    let plain = try Interpreter(fed).run(inputs, extracting: ["out"])
    #expect(plain["out"]?.values == expected)
    try runEverywhere(fed, inputs, extracting: ["out"]) { engine, blobs in
      #expect(blobs == plain, "\(engine.instructionSet)")
    }
  }

  @Test func aBlobInTheMiddle() throws {
    let network = try Network(layers: Array(layers.dropFirst()), weights: [])
    try expect([0, 1], ["a": tensor(3, -1), "data": tensor(7)], network)
    try expect([0, 1], ["a": tensor(3, -1)], network)
    try expect([-2, 1], ["b": tensor(3, 0), "q": tensor(5, -1)], network)
    // One of a Split's, whose other copy is another's.
    try expect([-2, 1], ["p": tensor(3, -4), "q": tensor(5, -1)], network)
    try expect([4, 2], ["a": tensor(-1, -2), "p": tensor(3, 0)], network)
    #expect(network.feeding(["data", "nowhere"]) == network)
  }

  /// The layers are in order, and the rest of a layer keeps its blobs under other names.
  @Test func whatIsLeftOfTheNetwork() throws {
    let network = try Network(layers: Array(layers.dropFirst()), weights: []).feeding(["p", "b"])
    #expect(
      network.layers.map { "\($0.kind) \($0.outputs.joined(separator: ","))" }
        == ["Input data", "Magic a", "Input p", "Split p computed,q", "Input b", "BinaryOp out"])
    #expect(network.inputs == ["data", "p", "b"] && network.executionOrder == Array(0..<6))
  }

  /// Those that are read must be given; the declared shape is that of each.
  @Test func anInputOfSeveralBlobs() throws {
    let network = try Network(
      layers: ["Input k 0 3 a b c 0=2", "BinaryOp z 2 1 b c out 0=1"], weights: [])
    #expect(network.inputs == ["data", "a", "b", "c"])
    try expect([2, -2], ["b": tensor(3, 0), "c": tensor(1, 2)], network)
    let shapes = try ShapeInference(network, inputs: ["data": [1], "c": [1]]).shapes
    #expect([shapes["a"], shapes["b"], shapes["c"], shapes["out"]] == [[2], [2], [1], [2]])
    let error = #expect(throws: InferenceError.self) {
      try Engine(network).run(["a": tensor(1), "c": tensor(1)], extracting: ["out"])
    }
    #expect(error?.found == "no tensor for the input b" && error?.layer == "Input k (line 4)")
  }
}

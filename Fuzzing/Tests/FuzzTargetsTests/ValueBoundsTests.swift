// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceNCNN

@testable import FuzzTargets

struct ValueBoundsTests {
  private func bound(_ layers: String..., weights: [Float] = []) throws -> Double? {
    let text = networkText(["Input in 0 1 in"] + layers)
    var network = try Network(param: Array(text.utf8), source: "bounds.param")
    try network.loadWeights(floatBytes(weights), source: "bounds.bin")
    let input = try Tensor(shape: [2, 1, 1], values: [-3, 2])
    return ValueBounds(network, inputs: ["in": input])["out"]
  }

  @Test func addsMagnitudes() throws {
    #expect(try bound("ReLU r 1 1 in out") == 3)
    // The rounding of each layer is at least that of 1: 1 + 2 · 2 · 3 + 7.
    let convolution = "Convolution c 1 1 in out 0=1 1=1 5=1 6=2"
    #expect(try bound(convolution, weights: [0, -2, 1, -7]) == 20)
    #expect(try bound("Split s 1 2 in a b", "BinaryOp m 2 1 a b out 0=2") == 9)
  }

  @Test func isUnknownWhereSmallDifferencesGrow() throws {
    for operation in [3, 6, 10] {
      #expect(try bound("BinaryOp o 1 1 in a 0=\(operation) 1=1 2=2.0", "ReLU r 1 1 a out") == nil)
    }
    let scales = ["Scale s 1 1 in a 0=2", "Scale t 1 1 a out 0=2"]
    #expect(try bound(scales[0], scales[1], weights: [1, 1e6, 1, 1e6]) == nil)
    // A window that covers only the border.
    #expect(try bound("Pooling p 1 1 in out 0=1 1=1 3=1") == nil)
  }

  /// Rounding to int8 makes a small difference one of a whole step.
  @Test func int8IsComparedWhereItsInputIsExact() throws {
    #expect(
      try bound(
        "Flatten f 1 1 in a", "ReLU r 1 1 a b", "InnerProduct c 1 1 b out 0=1 2=2 8=1",
        weights: [0, 1, 1, 1, 1]) == 1 + 2 * 127 * 128)
    #expect(
      try bound(
        "Swish s 1 1 in a", "InnerProduct c 1 1 a out 0=1 2=2 8=1",
        weights: [0, 1, 1, 1, 1]) == nil)
    #expect(
      try bound("Convolution c 1 1 in out 0=1 1=1 6=2 8=101", weights: [0, 1, 1, 1, 1, 1]) == nil)
  }

  /// Most of the fuzzer's seeds are compared.
  @Test func coversTheLayersOfFaceModels() throws {
    #expect(
      try bound(
        "Swish a 1 1 in b", "ShuffleChannel s 1 1 b c 0=2", "Interp i 1 1 c d 0=1 1=2.0 2=2.0",
        "Sigmoid g 1 1 d e", "Softmax x 1 1 e out") == 3)
  }
}

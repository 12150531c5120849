// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceKernels

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

struct PlanStoreTests {
  private func weights(of layer: String, _ values: [Float]) throws -> PackedWeights {
    let layer = try Network(layers: ["Convolution \(layer) 1 1 data out 0=1 1=1 6=2"]).layers[1]
    let convolution = WeightedConvolution(try #require(layer.convolution), of: layer, [values])
    return PackedWeights(convolution, sources: 2, groups: [[0, nil]])
  }

  @Test func packsOnceForALayoutAndDropsWhatNoPlanUses() throws {
    let store = PlanStore()
    let packed = store.packed(try weights(of: "a", [1, 2]))
    #expect(store.packed(try weights(of: "a", [1, 3])) !== packed)
    weak let unused = store.packed(try weights(of: "b", [1, 2]))
    #expect(unused !== packed)
    store.prune()
    #expect(unused == nil)
    #expect(store.packed(try weights(of: "a", [1, 2])) === packed)
  }

  @Test func packsInt8OnceForALayout() throws {
    let layer = try Network(
      layers: ["ConvolutionDepthWise a 1 1 data out 0=2 1=1 6=2 7=2 8=1"]
    ).layers[1]
    let convolution = WeightedConvolution(
      try #require(layer.convolution), of: layer, [[3, -5], [1, 1], [1]])
    func weights(lane: Int) -> ByteDepthwiseWeights {
      ByteDepthwiseWeights(
        convolution: convolution,
        channels: [0, lane].map { SourceChannel(block: 0, lane: $0) }, zero: 127,
        form: .floats(.none), arithmetic: ByteArithmetic())
    }
    let store = PlanStore()
    let packed = store.packed(weights(lane: 1))
    #expect(store.packed(weights(lane: 1)) === packed)
    #expect(store.packed(weights(lane: 2)) !== packed)
  }

  /// 0 and -0 are equal, but their reciprocals are not.
  @Test func layersOfEqualWeightsKeepTheirSigns() throws {
    let (zeros, negative) = ([Float](repeating: 0, count: 72), [Float](repeating: -0.0, count: 72))
    let network = try Network(
      layers: [
        "ReLU r 1 1 data base", "Convolution a 1 1 base x 0=8 1=1 5=1 6=64", "Sigmoid s 1 1 x y",
        "Convolution b 1 1 y z 0=8 1=1 5=1 6=64", "UnaryOp u 1 1 z out 0=15",
      ], weights: floatBytes([0] + zeros + [0] + negative))
    let input = ["data": Tensor([8, 2, 2])]
    let expected = try Interpreter(network).run(input, extracting: ["out"])
    try runEverywhere(network, input, extracting: ["out"]) { _, found in #expect(found == expected)
    }
  }
}

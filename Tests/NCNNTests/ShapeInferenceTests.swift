// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceNCNN

struct ShapeInferenceTests {
  @Test func countsByHand() throws {
    let network = try Network([
      "Input data 0 1 data 0=8 1=6 2=3", "Convolution conv 1 1 data a 0=10 1=3 3=2 4=1 6=270",
      "ConvolutionDepthWise deep 1 1 a b 0=10 1=3 4=1 6=90 7=10",
      "InnerProduct fc 1 1 b c 0=7 2=840",
    ])
    let inference = try ShapeInference(network, inputs: [:])
    #expect(inference.shapes == ["data": [3, 6, 8], "a": [10, 3, 4], "b": [10, 3, 4], "c": [7]])
    // 3·3·3 products for each of 120 elements; 3·3 for each; 120 for each of 7.
    #expect(inference.multiplyAdds == [0, 3240, 1080, 840])
  }

  /// Upstream makes a border of −1 columns beside one of 2 rows, and corrupts its memory; where
  /// both are negative, it makes none.
  @Test(arguments: [-233, -234])
  func refusesBordersThatBothPadAndCrop(mark: Int) throws {
    func shape(_ parameters: String) throws -> [Int]? {
      let network = try Network([
        "Input data 0 1 data 0=11 1=12 2=4",
        "Convolution c 1 1 data out 0=16 \(parameters) 4=\(mark)",
      ])
      return try ShapeInference(network, inputs: [:]).shapes["out"]
    }
    let error = try #require(throws: InferenceError.self) {
      try shape("1=2 11=3 3=4 13=1 6=384")
    }
    #expect(error.reason == .shape && error.found.contains("-1 columns and 2 rows"))
    #expect(try shape("1=1 3=3 6=64") == [16, 4, 4])
  }

  @Test(
    arguments: [
      ([10, 4, 4], "PixelShuffle l 1 1 data out 0=2", "groups of 4"),
      ([4, 4], "PixelShuffle l 1 1 data out 0=2", "three axes"),
      ([4, 4], "Deconvolution l 1 1 data out 0=1 1=2 6=4", "three axes"),
      ([2, 4, 4], "Deconvolution l 1 1 data out 0=1 1=2 6=4", "1 channels"),
      ([1, 4, 4], "Deconvolution l 1 1 data out 0=1 1=2 6=4 4=3", "than are cut off"),
      ([1, 4, 4], "Deconvolution l 1 1 data out 0=1 1=2 6=4 4=-233 20=6 21=5", "than are cut off"),
      ([10, 4, 4], "Bias l 1 1 data out 0=4", "4 along the outermost axis"),
      ([4, 4], "InstanceNorm l 1 1 data out 0=4", "three axes"),
      ([4, 4], "Reduction l 1 1 data out 1=0 -23303=1,2 5=1", "one of its 2 axes"),
      ([4, 4], "Pooling l 1 1 data out 1=2", "three axes"),
      ([2, 2, 4, 4], "Pooling l 1 1 data out 1=2", "three axes for Pooling"),
      ([2, 2, 4, 4], "Convolution l 1 1 data out 0=1 1=1 6=2", "three axes for Convolution"),
      ([2, 2, 4, 4], "Interp l 1 1 data out 0=1 1=2.0 2=2.0", "three axes for Interp"),
      ([4, 2, 4, 4], "PixelShuffle l 1 1 data out 0=2", "three axes for PixelShuffle"),
      ([2, 4, 4], "Permute l 1 1 data out 0=6", "one of 0 to 5"),
      ([2, 4, 4], #"Reshape l 1 1 data out 6="//(0w,-(0h,4))""#, "as many elements"),
      ([2, 4, 4], #"Reshape l 1 1 data out 6="*(0w,2000000000)""#, "as many elements"),
      ([2, 4, 4], #"Reshape l 1 1 data out 6="-1,-1""#, "as many elements"),
      ([2, 4, 4], #"Interp l 1 1 data out 0=1 9="*(0w,1000000)""#, "1 to 1048576 columns"),
      ([2, 4, 4], #"Interp l 1 1 data out 0=1 9="/(0w,0)""#, "1 to 1048576 columns"),
      ([2, 4, 4], #"Crop l 1 1 data out 19="0" 20="//(1,0)" 21="1""#, "positions along axes"),
      ([2, 4, 4], #"Crop l 1 1 data out 19="0,0" 20="1,1" 21="1,-(2,1)""#, "positions along axes"),
      ([2, 4, 4], #"Crop l 1 1 data out 19="0" 20="1" 21="3""#, "one of its 3 axes"),
      (
        [2, 4, 4], #"Crop l 1 1 data out 19="2147483647" 20="-2147483647" 21="1""#,
        "inside the blob"
      ),
      ([4, 4], "Split s 1 2 data a b\nScale l 2 1 a b out 0=-233", "one for each channel"),
      ([3, 2, 9], "Convolution l 1 1 data out 0=1 1=3 6=27", "window of 3 × 3"),
      ([3, 2, 9], "Convolution l 1 1 data out 0=1 1=1 6=4", "4, as the weights imply"),
      ([3, 3, 9], "Pooling l 1 1 data out 1=4", "window of 4 × 4"),
      ([3, 1, 1], "Slice l 1 1 data out -23300=1,4", "positive parts of 3"),
      ([3, 1, 1], "ShuffleChannel l 1 1 data out 0=2", "2 equal groups"),
      ([3, 1, 1], "Reshape l 1 1 data out 0=5 1=-1", "as many elements"),
      ([3, 3], "Permute l 1 1 data out 0=3", "one of 0 to 1"),
      ([3, 1, 1], "InnerProduct l 1 1 data out 0=1 2=4", "rows of 4"),
      ([3, 2, 2], "Interp l 1 1 data out 0=1 1=0.1 2=0.1", "at least one pixel"),
      ([3, 1, 1], "Crop l 1 1 data out -23309=1,2 -23310=1,1 -23311=1,0", "inside the blob"),
      ([1, 2, 3], "Padding l 1 1 data out 2=3 4=2", "the blob's own size"),
      ([3, 1, 1], "BatchNorm l 1 1 data out 0=4", "4 along the outermost"),
      ([1, 5, 3], "Padding l 1 1 data out 0=-1 4=2", "the blob's own size"),
      ([2, 2, 7], "Slice l 1 1 data out -23300=1,2 1=2", "of all of 7"),
      ([2, 2, 2, 7], "Slice l 1 1 data out -23300=1,2 1=-1", "of all of 7"),
      ([3, 4, 5], "Gemm l 1 1 data out 5=1 6=1 7=3 8=6 9=20 10=-1", "as many columns as rows"),
      ([1, 3, 5], "Deconvolution1D l 1 1 data out 0=1 1=3 6=3", "two axes"),
      ([4, 5], "GRU l 1 1 data out 0=2 1=18", "rows of 3"),
      ([3, 1, 1], "Softmax l 1 1 data out 0=3 1=1", "one of its 3 axes"),
      ([3, 1, 1], "CumulativeSum l 1 1 data out 0=3", "one of its 3 axes"),
      ([8], #"Reshape l 1 1 data out 12=233 13=3 6="4,1,2,1""#, "a batch of 4 in [1, 2, 1, 4]"),
      ([8], #"Reshape l 1 1 data out 0=8 1=1 12=3"#, "a batch at axis 3 of shape [8]"),
      ([8], #"Reshape l 1 1 data out 13=0 6="0,0,1""#, "shape [8] to be reshaped to [1, 0, 0]"),
      ([8], #"Reshape l 1 1 data out 13=1 6="8""#, "shape [8] to be reshaped to [8]"),
      ([3], "Convolution l 1 1 data out 0=1 1=1 6=3 8=1", "under an int8 convolution"),
    ] as [([Int], String, String)])
  func refusesShapes(shape: [Int], layer: String, word: String) throws {
    let layers = layer.split(separator: "\n").map(String.init)
    let network = try Network(layers: layers)
    let error = try #require(throws: InferenceError.self) {
      try ShapeInference(network, inputs: ["data": shape])
    }
    #expect(error.reason == (word.hasPrefix("a batch of") ? .unsupported : .shape))
    #expect(error.description.contains(word), "\(error)")
    #expect(error.layer?.hasSuffix("l (line \(3 + layers.count))") == true)
  }

  /// Maps of 4 and of 8 rows are added, since the coarser one is resized by 1 and not by 2.
  @Test(arguments: [("1.0", true), ("1.5", false)])
  func namesAResizeThatLostItsScale(scale: String, isNamed: Bool) throws {
    let network = try Network(layers: [
      "Split s 1 2 data a b", "Pooling coarse 1 1 a c 1=2 2=2",
      "Interp i 1 1 c d 0=1 1=\(scale) 2=\(scale)", "BinaryOp sum 2 1 d b e",
    ])
    let error = try #require(throws: InferenceError.self) {
      try ShapeInference(network, inputs: ["data": [1, 8, 8]])
    }
    #expect(error.layer == "BinaryOp sum (line 7)")
    #expect(error.expected.contains("Interp i (line 6), which resizes by 1") == isNamed, "\(error)")
  }

  @Test func needsAnInputShape() throws {
    let network = try Network(layers: [])
    let error = #expect(throws: InferenceError.self) { try ShapeInference(network, inputs: [:]) }
    #expect(error?.reason == .input)
  }

  /// The branches after the unknown kind and after the pooling that does not fit stay unknown.
  @Test func infersWhatItCan() throws {
    let network = try Network([
      "Input data 0 1 data 0=4 1=4 2=2", "SPP unknown 1 1 data a", "Swish behind 1 1 a b",
      "Pooling large 1 1 data c 1=5", "Embed alsoUnknown 1 1 b d",
      "Convolution conv 1 1 data e 0=3 1=1 6=6",
    ])
    let inference = ShapeInference(partial: network, inputs: [:])
    #expect(inference.shapes == ["data": [2, 4, 4], "e": [3, 4, 4]])
    #expect(inference.multiplyAdds == [0, 0, 0, 0, 0, 96])
    #expect(
      inference.failures.map(\.layer) == [
        "SPP unknown (line 4)", "Pooling large (line 6)", "Embed alsoUnknown (line 7)",
      ])
    #expect(inference.failures.map(\.reason) == [.unsupported, .shape, .unsupported])
  }

  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func originalModelAt640x480() throws {
    let network = try Network(param: SharedData.path("models/yolov5n-0.5.param"))
    let inference = try ShapeInference(network, inputs: ["data": [3, 480, 640]])
    // 551.5 million, as counted for ../shared/design.md.
    #expect((Double(inference.multiplyAdds.reduce(0, +)) / 1e5).rounded() == 5515)
    #expect(inference.shapes["981"] == [3, 4800, 16])
    #expect(inference.shapes["985"] == [3, 300, 16])
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceNCNN

@Suite struct Int8BlobsTests {
  /// A network of an input `data`, an int8 blob `a` of 4 channels, and these layers.
  private func network(_ lines: [String]) throws -> Network {
    try Network(layers: ["Convolution conv 1 1 data a 0=4 1=1 6=4 8=101"] + lines)
  }

  @Test func followsThemThroughLayersThatMoveElements() throws {
    let network = try network([
      "Split s 1 2 a b c", "ReLU r 1 1 b d", "Concat t 2 1 c d e",
      "Slice u 1 2 e f g -23300=2,4,-233",
      "Convolution v 1 1 f h 0=4 1=1 6=16 8=102", "Convolution w 1 1 g i 0=4 1=1 6=16 8=1",
      "Swish x 1 1 i j",
    ])
    #expect(try network.int8Blobs() == ["a", "b", "c", "d", "e", "f", "g", "h"])
  }

  /// Upstream reads the bytes of these as floats, crashes, or refuses.
  @Test(arguments: [
    "Swish l 1 1 a b", "ReLU l 1 1 a b 0=0.1", "Dropout l 1 1 a b 0=0.5", "Pooling l 1 1 a b 1=2",
    "Interp l 1 1 a b 0=1 1=2.0 2=2.0", "ShuffleChannel l 1 1 a b 0=2", "Permute l 1 1 a b 0=1",
    "Softmax l 1 1 a b", "Slice l 1 2 a b c -23300=2,2,-233 1=1", "Concat l 1 1 a b 0=2",
    "Padding l 1 1 a b 0=1 5=0.5", "Padding l 1 1 a b 0=1 5=200", "BinaryOp l 1 1 a b 0=0 1=1 2=1",
    "BinaryOp l 2 1 a data b", "Concat l 2 1 a data b", "Concat l 2 1 data a b",
    "Convolution l 1 1 a b 0=1 1=1 6=4", "InnerProduct l 1 1 a b 0=1 2=4", "PReLU l 1 1 a b 0=1",
    "Reduction l 1 1 a b", "PixelShuffle l 1 1 a b 0=2", "Sigmoid l 1 1 a b",
  ])
  func refusesLayersThatCannotReadThem(line: String) throws {
    let network = try network([line])
    let error = #expect(throws: InferenceError.self) { try network.int8Blobs() }
    #expect(error?.reason == .unsupported)
    #expect(error?.layer?.hasSuffix("l (line 5)") == true)
    #expect(error?.found == "the int8 blob a")
  }

  @Test(arguments: [
    "Convolution l 1 1 a b 0=1 1=1 6=4 8=1", "InnerProduct l 1 1 a b 0=1 2=4 8=2",
    "ConvolutionDepthWise l 1 1 a b 0=4 1=1 6=4 7=4 8=2",
  ])
  func int8LayersReadThemAndHandOnFloats(line: String) throws {
    #expect(try network([line, "Sigmoid m 1 1 b c"]).int8Blobs() == ["a"])
  }
}

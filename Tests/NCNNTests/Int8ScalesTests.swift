// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@_spi(Tool) @testable import YOLOFaceNCNN

@Suite struct Int8ScalesTests {
  private static let four = WeightReaderTests.int8 + .raw(1, 2, 3, 4)

  /// Without and with a scale of the result. With an odd term each group has a scale, with an even one all share one.
  @Test(
    arguments: [
      ("Convolution", "0=2 1=1 6=4 5=1 8=1", [9, 9, 10, 20, 30], [10, 20], nil),
      ("Convolution", "0=2 1=1 6=4 5=1 8=2", [9, 9, 10, 20, 30], [10, 20], nil),
      ("Convolution", "0=2 1=1 6=4 8=101", [10, 20, 30, 40], [10, 20], 40),
      ("Convolution", "0=2 1=1 6=4 8=102", [10, 20, 30, 40], [10, 20], 40),
      ("ConvolutionDepthWise", "0=4 1=1 6=4 7=2 8=1", [10, 20, 30], [10, 10, 20, 20], nil),
      ("ConvolutionDepthWise", "0=4 1=1 6=4 7=2 8=102", [10, 30, 40], [10, 10, 10, 10], 40),
      ("InnerProduct", "0=2 2=4 1=1 8=1", [9, 9, 10, 20, 30], [10, 20], nil),
      ("InnerProduct", "0=2 2=4 1=1 8=2", [9, 9, 10, 20, 30], [10, 20], nil),
      ("InnerProduct", "0=2 2=4 1=1 8=101", [9, 9, 10, 20, 30], [10, 20], nil),
      ("InnerProduct", "0=2 2=4 1=1 8=102", [9, 9, 10, 20, 30], [10, 20], nil),
    ] as [(String, String, [Float], [Float], Float?)])
  func followTheWeights(
    _ kind: String, _ parameters: String, _ stored: [Float], _ weights: [Float], _ output: Float?
  ) throws {
    var network = try read(["Input i 0 1 a", "\(kind) l 1 1 a b \(parameters)"])
    #expect(network.layers[1].quantization == nil, "the weights are not loaded")
    try network.loadWeights(Self.four.bytes + floatBytes(stored), source: "test.bin")
    let scales = try #require(network.layers[1].quantization)
    #expect(scales.weightScales == weights && scales.inputScale == 30)
    #expect(scales.outputScale == output)
  }

  /// Each channel by its own scale; biases stay, scales go.
  @Test func weightsWithoutScales() throws {
    var network = try read(["Input i 0 1 a", "Convolution l 1 1 a b 0=2 1=1 6=4 5=1 8=101"])
    let bytes =
      WeightReaderTests.int8 + .raw(8, 0xF8, 8, 1) + .floats(9, 10) + .floats(4, 2) + .floats(3, 5)
    try network.loadWeights(bytes.bytes, source: "test.bin")
    #expect(network.layers[1].unscaledWeights.map(\.floats) == [[2, -2, 4, 0.5], [9, 10]])
  }

  /// Weights of dead channels are 0, whatever the file has.
  @Test func deadWeightsWithoutScales() throws {
    var network = try read(["Input i 0 1 a", "InnerProduct l 1 1 a b 0=3 2=3 8=1"])
    let bytes = WeightReaderTests.int8 + .raw(8, 8, 8, 0) + .floats(4, 0, .infinity) + .floats(3)
    try network.loadWeights(bytes.bytes, source: "test.bin")
    #expect(network.layers[1].unscaledWeights.map(\.floats) == [[2, 0, 0]])
  }

  @Test func noneInFloats() throws {
    var network = try read(["Input i 0 1 a", "InnerProduct l 1 1 a b 0=1 2=1"])
    try network.loadWeights(floatBytes([0, 1]), source: "test.bin")
    #expect(network.layers[1].quantization == nil)
  }
}

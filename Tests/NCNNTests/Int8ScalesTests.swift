import Testing

@testable import NCNN

@Suite struct Int8ScalesTests {
  private func quantisation(
    _ kind: String, _ parameters: String, _ bytes: Bytes
  ) throws -> Int8Scales? {
    var network = try read(["Input i 0 1 a", "\(kind) l 1 1 a b \(parameters)"])
    #expect(network.layers[1].quantisation == nil, "the weights are not loaded")
    try network.loadWeights(bytes.bytes, source: "test.bin")
    return network.layers[1].quantisation
  }

  private let four = WeightReaderTests.int8 + .raw(1, 2, 3, 4)

  @Test(arguments: [1, 2])
  func convolution(term: Int) throws {
    let scales = try quantisation(
      "Convolution", "0=2 1=1 6=4 5=1 8=\(term)",
      four + .floats(9, 9) + .floats(10, 20) + .floats(30))
    #expect(scales?.weightScales == [10, 20])
    #expect(scales?.inputScale == 30)
    #expect(scales?.outputScale == nil)
  }

  @Test(arguments: [101, 102])
  func convolutionThatHandsOnInt8(term: Int) throws {
    let scales = try quantisation(
      "Convolution", "0=2 1=1 6=4 8=\(term)", four + .floats(10, 20) + .floats(30) + .floats(40))
    #expect(scales?.weightScales == [10, 20])
    #expect(scales?.outputScale == 40)
  }

  /// With an odd term each group has a scale, with an even one all share one.
  @Test func groups() throws {
    let each = try quantisation(
      "ConvolutionDepthWise", "0=4 1=1 6=4 7=2 8=1", four + .floats(10, 20) + .floats(30))
    #expect(each?.weightScales == [10, 10, 20, 20])
    let shared = try quantisation(
      "ConvolutionDepthWise", "0=4 1=1 6=4 7=2 8=102",
      four + .floats(10) + .floats(30) + .floats(40))
    #expect(shared?.weightScales == [10, 10, 10, 10])
    #expect(shared?.outputScale == 40)
  }

  @Test(arguments: [1, 2, 101, 102])
  func innerProductHandsOnFloats(term: Int) throws {
    let scales = try quantisation(
      "InnerProduct", "0=2 2=4 1=1 8=\(term)",
      four + .floats(9, 9) + .floats(10, 20) + .floats(30))
    #expect(scales?.weightScales == [10, 20])
    #expect(scales?.outputScale == nil)
  }

  /// Each channel by its own scale; biases stay, scales go.
  @Test func weightsWithoutScales() throws {
    var network = try read(["Input i 0 1 a", "Convolution l 1 1 a b 0=2 1=1 6=4 5=1 8=101"])
    let bytes =
      WeightReaderTests.int8 + .raw(8, 0xF8, 8, 1) + .floats(9, 10) + .floats(4, 2) + .floats(3, 5)
    try network.loadWeights(bytes.bytes, source: "test.bin")
    #expect(network.layers[1].unscaledWeights.map(\.floats) == [[2, -2, 4, 0.5], [9, 10]])
  }

  @Test func noneInFloats() throws {
    #expect(try quantisation("InnerProduct", "0=1 2=1", .word(0) + .floats(1)) == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceQuantization

struct QuantizerTests {
  private let input: [String: Tensor]
  /// A depthwise convolution that multiplies two channels by 1 and 64, and two convolutions behind
  /// it: the first directly, the second behind a ReLU.
  private let small: Network

  init() throws {
    input = ["data": try Tensor(shape: [2, 1, 2], values: [1, -2, 3, 4])]
    small = try network(
      """
      Input data 0 1 data
      ConvolutionDepthWise d 1 1 data d 0=2 1=1 6=2 7=2
      Convolution c 1 1 d c 0=2 1=1 5=1 6=4
      ReLU r 1 1 c r
      Convolution e 1 1 r e 0=1 1=1 6=2
      """, weights: [[0, 1, 64], [0, 1, 0.5, -1, 0.25], [0.5, 0], [0, 1, -1]])
  }

  private func calibrated(_ network: Network, outputs: [String]? = nil) throws -> Calibration {
    var calibration = try Calibration(network, outputs: outputs)
    try calibration.add(input)
    try calibration.beginCounting()
    try calibration.add(input)
    return calibration
  }

  /// With the largest magnitudes as thresholds.
  private func quantizer() throws -> Quantizer {
    let calibration = try calibrated(small)
    var quantizer = try Quantizer(calibration, inputs: ["data": [2, 1, 2]])
    #expect(quantizer.thresholds == calibration.histograms.map { $0?.leastErrorThreshold() ?? 1 })
    quantizer.thresholds = calibration.histograms.map { $0?.largest ?? 1 }
    return quantizer
  }

  /// The depthwise channels have ranges 2 and 256: the first is multiplied by 64, the most allowed.
  /// The largest input is 4, the largest of d 256.
  @Test func makesInt8Layers() throws {
    let network = try quantizer().quantized()
    let scales = network.layers.map(\.quantization)
    #expect(scales[1]?.inputScale == Float(31.75))
    #expect(scales[1]?.outputScale == Float(0.49609375))
    #expect(scales[1]?.weightScales == [Float(1.984375), 1.984375])
    #expect(scales[2]?.inputScale == Float(0.49609375))
    #expect(scales[2]?.outputScale == nil && scales[4]?.outputScale == nil)
    #expect(forms(of: network) == [nil, 101, 1, nil, 1])
    #expect(network.layers[1].weights[0] == WeightArray(.int8([127, 127])))
    #expect(network.layers[2].weights[1] == WeightArray(.untagged([0.5, 0])))
  }

  /// Each layer's parameter 8: 1 in int8, 101 where it also writes int8.
  private func forms(of network: Network) -> [Int?] {
    network.layers.map { if case .integer(let form)? = $0.parameters[8] { Int(form) } else { nil } }
  }

  /// A layer before one in floating point hands on floats.
  @Test func leavesLayersInFloatingPoint() throws {
    var quantizer = try quantizer()
    #expect(try forms(of: quantizer.quantized(onlyLayer: 1)) == [nil, 1, nil, nil, nil])
    quantizer.floatLayers = [2]
    #expect(try forms(of: quantizer.quantized()) == [nil, 1, nil, nil, 1])
  }

  /// What equalised channels compute is the same up to rounding.
  @Test func computesTheSameWithEqualChannels() throws {
    let before = try Interpreter(small).run(input, extracting: ["c", "e"])
    let equal = try calibrated(small).network
    let after = try Interpreter(equal).run(input, extracting: ["c", "e", "d"])
    #expect(before["c"] == after["c"] && before["e"] == after["e"])
    #expect(after["d"]?.values == [64, -128, 192, 256])
  }

  /// The int8 outputs are within a step or two of the float ones.
  @Test func approximatesTheNetwork() throws {
    let exact = try #require(Interpreter(small).run(input, extracting: ["e"])["e"])
    let found = try Engine(try quantizer().quantized()).run(input, extracting: ["e"])
    let rounded = try #require(found["e"])
    #expect(exact.shape == rounded.shape)
    #expect(zip(exact.values, rounded.values).allSatisfy { abs($0 - $1) < 256 / 127 * 3 })
  }

  @Test func refusesWhatCannotBeQuantized() throws {
    let weightless = try network("Input data 0 1 data\nReLU r 1 1 data r")
    #expect(throws: QuantizationError.noLayers(model: "test.param")) { try Calibration(weightless) }
    let once = try quantizer().quantized()
    #expect(throws: QuantizationError.alreadyQuantized(model: once.source, layers: 3)) {
      try Calibration(once)
    }
    var calibration = try Calibration(small)
    let infinite = try Tensor(shape: [2, 1, 1], values: [.nan, 1])
    #expect(throws: QuantizationError.notFinite(blob: "data")) {
      try calibration.add(["data": infinite])
    }
  }

  /// The decoding of boxes behind the outputs that count, which is for another size of input; and squeeze and
  /// excitation: no engine runs a convolution of a vector in int8.
  @Test(arguments: [
    ("Reshape r 1 1 c r 0=9 1=9 2=2", "c"), ("Pooling r 1 1 c r 0=1 4=1", "out"),
  ])
  func leavesOthersAlone(layer: String, output: String) throws {
    let network = try network(
      """
      Input data 0 1 data
      Convolution c 1 1 data c 0=2 1=1 6=4
      \(layer)
      Convolution e 1 1 r out 0=2 1=1 6=4
      """, weights: [[0, 1, 0.5, -1, 0.25], [0, 1, -1, 0.5, 1]])
    let quantized = try Quantizer(
      calibrated(network, outputs: [output]), inputs: ["data": [2, 1, 2]]
    ).quantized()
    #expect(quantized.layers.map { $0.quantization != nil } == [false, true, false, false])
    #expect(try Engine(quantized).run(input, extracting: [output])[output]?.shape[0] == 2)
  }

  @Test func readsBackWhatItWrites() throws {
    let small = try quantizer().quantized()
    var read = try Network(param: Array(small.paramText().utf8), source: "small.param")
    try read.loadWeights(small.weightBytes(), source: "small.bin")
    #expect(read.weightBytes() == small.weightBytes())
    #expect(read.layers.map(\.quantization) == small.layers.map(\.quantization))
  }
}

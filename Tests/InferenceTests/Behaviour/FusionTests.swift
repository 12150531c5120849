// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceNCNN

/// Layers that could be fused except for something that kernels do not support, against the
/// interpreter.
struct FusionTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var layers: [String]
    var input: [Int]

    init(_ description: String, _ input: [Int], _ layers: String...) {
      (testDescription, self.layers, self.input) = (description, layers, input)
    }
  }

  static let cases = [
    Case(
      "mish before a strided convolution", [3, 9, 11],
      "Convolution p 1 1 data a 0=6 1=1 5=1 6=18 9=5",
      "Convolution s 1 1 a out 0=5 1=3 3=2 4=1 5=1 6=270"),
    Case(
      "mish between depthwise and pointwise", [6, 9, 11],
      "ConvolutionDepthWise d 1 1 data a 0=6 1=3 4=1 5=1 6=54 7=6 9=5",
      "Convolution p 1 1 a out 0=5 1=1 5=1 6=30"),
    Case(
      "depthwise before too many channels", [2, 3, 3],
      "ConvolutionDepthWise d 1 1 data a 0=2 1=3 3=2 4=1 5=1 6=18 7=2",
      "Convolution p 1 1 a out 0=16400 1=1 5=1 6=32800"),
    Case(
      "siblings with too many channels together", [2, 1, 2],
      "Convolution c 1 1 data a 0=9000 1=1 5=1 6=18000",
      "Convolution d 1 1 data b 0=9000 1=1 5=1 6=18000", "BinaryOp sum 2 1 a b out"),
    Case(
      "siblings of one axis", [4],
      "Convolution c 1 1 data a 0=5 1=1 5=1 6=20",
      "Convolution d 1 1 data b 0=5 1=1 5=1 6=20", "BinaryOp sum 2 1 a b out"),
    Case(
      "the three siblings of a detection head", [3, 9, 11],
      "Convolution p 1 1 data a 0=6 1=1 5=1 6=18",
      "Convolution c 1 1 a b 0=2 1=3 4=1 5=1 6=108",
      "Convolution d 1 1 a c 0=8 1=3 4=1 5=1 6=432",
      "Convolution e 1 1 a d 0=20 1=3 4=1 6=1080", "Concat j 3 1 d b c out"),
    Case(
      "strided siblings, one of them with another border", [3, 9, 11],
      "Convolution p 1 1 data a 0=6 1=1 5=1 6=18",
      "Convolution c 1 1 a b 0=3 1=3 3=2 4=1 5=1 6=162",
      "Convolution d 1 1 a c 0=7 1=3 3=2 4=1 5=1 6=378",
      "Convolution e 1 1 a d 0=5 1=3 3=2 4=0 14=2 15=2 16=0 5=1 6=270", "Concat j 3 1 b c d out"),
    Case(
      "siblings of whole blocks after others", [3, 9, 11],
      "Convolution p 1 1 data a 0=6 1=1 5=1 6=18", "Convolution c 1 1 a b 0=8 1=1 5=1 6=48",
      "Convolution d 1 1 a c 0=5 1=1 5=1 6=30", "Convolution e 1 1 a d 0=32 1=1 5=1 6=192",
      "Convolution f 1 1 a e 0=16 1=1 5=1 6=96", "Convolution g 1 1 b f 0=32 1=3 4=1 5=1 6=2304",
      "BinaryOp sum 2 1 d f g", "Concat j 3 1 c g e out"),
    // The enlarged input takes the memory where the input's own copy might be by chance.
    Case(
      "a 1 × 1 convolution of the input before a strided one", [3, 9, 11],
      "Interp large 1 1 data large 0=2 1=2.0 2=2.0",
      "Convolution p 1 1 data a 0=6 1=1 5=1 6=18",
      "Convolution s 1 1 a b 0=3 1=3 3=2 4=1 5=1 6=162", "Pooling all 1 1 large pixel 0=1 4=1",
      "BinaryOp sum 2 1 b pixel out"),
    Case(
      "the input beside an upsampled blob", [3, 8, 10],
      "Convolution s 1 1 data a 0=6 1=2 3=2 5=1 6=72", "Interp up 1 1 a up 0=1 1=2.0 2=2.0",
      "Concat join 2 1 data up both", "Convolution p 1 1 both out 0=5 1=1 5=1 6=45"),
    Case(
      "an upsampled input", [3, 8, 10],
      "Interp large 1 1 data large 0=2 1=2.0 2=2.0", "Interp up 1 1 data up 0=1 1=2.0 2=2.0",
      "Concat join 2 1 large up both", "Convolution p 1 1 both b 0=3 1=1 5=1 6=18",
      "Pooling all 1 1 large pixel 0=1 4=1", "BinaryOp sum 2 1 b pixel out"),
    // A task has 192 pixels: more than a kernel is given at once, whose input stays in the L1 cache.
    Case(
      "depthwise before pointwise, in several runs of a task", [30, 32, 48],
      "ConvolutionDepthWise d 1 1 data a 0=30 1=3 4=1 5=1 6=270 7=30",
      "Convolution p 1 1 a out 0=20 1=1 5=1 6=600"),
    Case(
      "the input beside an upsampled blob, in several runs of a task", [30, 32, 48],
      "ConvolutionDepthWise s 1 1 data a 0=30 1=2 3=2 5=1 6=120 7=30",
      "Interp up 1 1 a up 0=1 1=2.0 2=2.0", "Concat join 2 1 data up both",
      "Convolution p 1 1 both out 0=20 1=1 5=1 6=1200"),
    Case(
      "a border wider than what is read", [2, 9, 9],
      // The bordered copy would take megabytes, everything else almost nothing.
      "Convolution c 1 1 data out 0=3 1=2 3=200000 13=1 4=100000 14=0 15=0 16=0 5=1 6=24"),
    Case(
      "a border wider than what is read, after a convolution", [2, 9, 9],
      "Convolution p 1 1 data a 0=5 1=1 5=1 6=10",
      "Convolution c 1 1 a out 0=3 1=2 3=200000 13=2 4=100000 14=0 15=0 16=0 5=1 6=60"),
  ]

  @Test(arguments: cases)
  func agreesWithTheInterpreter(_ example: Case) throws {
    var random = SeededGenerator(seed: 1)
    let network = try Network(layers: example.layers, random: &random)
    let input = try Tensor(shape: example.input, random: &random)
    // Sums of at most 60 products in another order.
    #expect(try requireAgreement(network, ["data": input], within: 1e-5))
  }

  /// What follows a convolution and is computed with it, as BatchNorm with Scale and ReLU is in networks from Caffe.
  @Test(arguments: [
    "Convolution c 1 1 data a 0=5 1=3 6=135", "ConvolutionDepthWise c 1 1 data a 0=3 1=3 6=27 7=3",
    "ConvolutionDepthWise c 1 1 data a 0=6 1=3 5=1 6=54 7=3",
    "Deconvolution c 1 1 data a 0=5 1=2 3=2 5=1 6=60",
  ])
  func foldsNumbersOfChannels(convolution: String) throws {
    var random = SeededGenerator(seed: 4)
    let channels = convolution.contains("0=5") ? 5 : convolution.contains("0=6") ? 6 : 3
    let network = try Network(
      layers: [
        convolution, "BatchNorm b 1 1 a b 0=\(channels) 1=0.1",
        "Scale s 1 1 b c 0=\(channels) 1=1", "BinaryOp half 1 1 c d 0=3 1=1 2=2",
        "BinaryOp less 1 1 d e 0=1 1=1 2=0.25", "ReLU r 1 1 e out",
      ], random: &random)
    let input = try Tensor(shape: [3, 9, 11], random: &random)
    try requireAgreement(network, ["data": input], within: 2e-5) { engine in
      #expect(engine.stepNames.isDisjoint(with: ["element-wise", "activation", "plain layer"]))
    }
  }

  /// Numbers without which a convolution would be a different one: what is folded stays finite.
  @Test func foldsNoNumberThatOverflows() throws {
    let network = try Network(layers: [
      "Convolution c 1 1 data a 0=1 1=1 6=1", "BinaryOp large 1 1 a out 0=2 1=1 2=1e38",
    ])
    var loaded = network
    try loaded.loadWeights([0, 0, 0, 0] + floatBytes([100]), source: "large.bin")
    let input = try Tensor(shape: [1, 1, 2], values: [1e-3, 2e-3])
    try requireAgreement(loaded, ["data": input], within: 1e-6)
  }
}

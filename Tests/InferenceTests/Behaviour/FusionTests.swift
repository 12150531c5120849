import Inference
import NCNN
import TestSupport
import Testing

/// Layers that could be fused except for something that kernels do not support, against the
/// interpreter.
struct FusionTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var layers: [String]
    var input: [Int]
  }

  static let cases = [
    Case(
      testDescription: "mish before a strided convolution",
      layers: [
        "Convolution p 1 1 data a 0=6 1=1 5=1 6=18 9=5",
        "Convolution s 1 1 a out 0=5 1=3 3=2 4=1 5=1 6=270",
      ], input: [3, 9, 11]),
    Case(
      testDescription: "mish between depthwise and pointwise",
      layers: [
        "ConvolutionDepthWise d 1 1 data a 0=6 1=3 4=1 5=1 6=54 7=6 9=5",
        "Convolution p 1 1 a out 0=5 1=1 5=1 6=30",
      ], input: [6, 9, 11]),
    Case(
      testDescription: "depthwise before too many channels",
      layers: [
        "ConvolutionDepthWise d 1 1 data a 0=2 1=3 3=2 4=1 5=1 6=18 7=2",
        "Convolution p 1 1 a out 0=16400 1=1 5=1 6=32800",
      ], input: [2, 3, 3]),
    Case(
      testDescription: "siblings with too many channels together",
      layers: [
        "Convolution c 1 1 data a 0=9000 1=1 5=1 6=18000",
        "Convolution d 1 1 data b 0=9000 1=1 5=1 6=18000", "BinaryOp sum 2 1 a b out",
      ], input: [2, 1, 2]),
    Case(
      testDescription: "siblings of one axis",
      layers: [
        "Convolution c 1 1 data a 0=5 1=1 5=1 6=20",
        "Convolution d 1 1 data b 0=5 1=1 5=1 6=20", "BinaryOp sum 2 1 a b out",
      ], input: [4]),
    Case(
      testDescription: "the three siblings of a detection head",
      layers: [
        "Convolution p 1 1 data a 0=6 1=1 5=1 6=18",
        "Convolution c 1 1 a b 0=2 1=3 4=1 5=1 6=108",
        "Convolution d 1 1 a c 0=8 1=3 4=1 5=1 6=432",
        "Convolution e 1 1 a d 0=20 1=3 4=1 6=1080", "Concat j 3 1 d b c out",
      ], input: [3, 9, 11]),
    Case(
      testDescription: "strided siblings, one of them with another border",
      layers: [
        "Convolution p 1 1 data a 0=6 1=1 5=1 6=18",
        "Convolution c 1 1 a b 0=3 1=3 3=2 4=1 5=1 6=162",
        "Convolution d 1 1 a c 0=7 1=3 3=2 4=1 5=1 6=378",
        "Convolution e 1 1 a d 0=5 1=3 3=2 4=0 14=2 15=2 16=0 5=1 6=270", "Concat j 3 1 b c d out",
      ], input: [3, 9, 11]),
    Case(
      testDescription: "siblings of whole blocks after others",
      layers: [
        "Convolution p 1 1 data a 0=6 1=1 5=1 6=18", "Convolution c 1 1 a b 0=8 1=1 5=1 6=48",
        "Convolution d 1 1 a c 0=5 1=1 5=1 6=30", "Convolution e 1 1 a d 0=32 1=1 5=1 6=192",
        "Convolution f 1 1 a e 0=16 1=1 5=1 6=96", "Convolution g 1 1 b f 0=32 1=3 4=1 5=1 6=2304",
        "BinaryOp sum 2 1 d f g", "Concat j 3 1 c g e out",
      ], input: [3, 9, 11]),
    // The enlarged input takes the memory where the input's own copy might be by chance.
    Case(
      testDescription: "a 1 × 1 convolution of the input before a strided one",
      layers: [
        "Interp large 1 1 data large 0=2 1=2.0 2=2.0",
        "Convolution p 1 1 data a 0=6 1=1 5=1 6=18",
        "Convolution s 1 1 a b 0=3 1=3 3=2 4=1 5=1 6=162", "Pooling all 1 1 large pixel 0=1 4=1",
        "BinaryOp sum 2 1 b pixel out",
      ], input: [3, 9, 11]),
    Case(
      testDescription: "the input beside an upsampled blob",
      layers: [
        "Convolution s 1 1 data a 0=6 1=2 3=2 5=1 6=72", "Interp up 1 1 a up 0=1 1=2.0 2=2.0",
        "Concat join 2 1 data up both", "Convolution p 1 1 both out 0=5 1=1 5=1 6=45",
      ], input: [3, 8, 10]),
    Case(
      testDescription: "an upsampled input",
      layers: [
        "Interp large 1 1 data large 0=2 1=2.0 2=2.0", "Interp up 1 1 data up 0=1 1=2.0 2=2.0",
        "Concat join 2 1 large up both", "Convolution p 1 1 both b 0=3 1=1 5=1 6=18",
        "Pooling all 1 1 large pixel 0=1 4=1", "BinaryOp sum 2 1 b pixel out",
      ], input: [3, 8, 10]),
    // A task has 192 pixels: more than a kernel is given at once, whose input stays in the L1 cache.
    Case(
      testDescription: "depthwise before pointwise, in several runs of a task",
      layers: [
        "ConvolutionDepthWise d 1 1 data a 0=30 1=3 4=1 5=1 6=270 7=30",
        "Convolution p 1 1 a out 0=20 1=1 5=1 6=600",
      ], input: [30, 32, 48]),
    Case(
      testDescription: "the input beside an upsampled blob, in several runs of a task",
      layers: [
        "ConvolutionDepthWise s 1 1 data a 0=30 1=2 3=2 5=1 6=120 7=30",
        "Interp up 1 1 a up 0=1 1=2.0 2=2.0", "Concat join 2 1 data up both",
        "Convolution p 1 1 both out 0=20 1=1 5=1 6=1200",
      ], input: [30, 32, 48]),
    Case(
      testDescription: "a border wider than what is read",
      // The bordered copy would take megabytes, everything else almost nothing.
      layers: [
        "Convolution c 1 1 data out 0=3 1=2 3=200000 13=1 4=100000 14=0 15=0 16=0 5=1 6=24"
      ], input: [2, 9, 9]),
    Case(
      testDescription: "a border wider than what is read, after a convolution",
      layers: [
        "Convolution p 1 1 data a 0=5 1=1 5=1 6=10",
        "Convolution c 1 1 a out 0=3 1=2 3=200000 13=2 4=100000 14=0 15=0 16=0 5=1 6=60",
      ], input: [2, 9, 9]),
  ]

  @Test(arguments: cases)
  func agreesWithTheInterpreter(_ example: Case) throws {
    var random = SeededGenerator(seed: 1)
    let network = try Network(layers: example.layers, random: &random)
    let input = try Tensor(shape: example.input, random: &random)
    // Sums of at most 60 products in another order.
    #expect(try requireAgreement(network, ["data": input], within: 1e-5))
  }
}

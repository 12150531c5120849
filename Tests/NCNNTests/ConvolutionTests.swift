import Testing

@testable import NCNN

@Suite struct ConvolutionTests {
  @Test func defaults() throws {
    let convolution: Convolution = try readOperation("Convolution", "0=8 1=3 6=216")
    #expect(convolution.outputChannels == 8)
    #expect(convolution.inputChannels == 3)
    #expect(convolution.kernel == Extent(width: 3, height: 3))
    #expect(convolution.dilation == Extent(width: 1, height: 1))
    #expect(convolution.stride == Extent(width: 1, height: 1))
    #expect(convolution.border == .explicit(left: 0, right: 0, top: 0, bottom: 0))
    #expect(convolution.borderValue == 0)
    #expect(!convolution.hasBias)
    #expect(convolution.group == 1)
    #expect(convolution.activation == .none)
    #expect(convolution.int8ScaleTerm == 0)
    #expect(convolution.weightCount == 216)
  }

  @Test func everyParameter() throws {
    // 4 × 5 × 6 × 7 weights, the last factor being input channels.
    let convolution: Convolution = try readOperation(
      "Convolution",
      "0=6 1=4 11=5 2=2 12=3 3=4 13=5 4=1 14=2 15=3 16=4 5=1 6=840 7=9 8=101 9=2 -23310=1,.1 18=1.5"
    )
    #expect(convolution.outputChannels == 6)
    #expect(convolution.inputChannels == 7)
    #expect(convolution.kernel == Extent(width: 4, height: 5))
    #expect(convolution.dilation == Extent(width: 2, height: 3))
    #expect(convolution.stride == Extent(width: 4, height: 5))
    #expect(convolution.border == .explicit(left: 1, right: 3, top: 2, bottom: 4))
    #expect(convolution.borderValue == 1.5)
    #expect(convolution.hasBias)
    #expect(convolution.group == 1, "a plain convolution has no groups, whatever key 7 says")
    #expect(convolution.activation == .leakyReLU(slope: 0.1))
    #expect(convolution.int8ScaleTerm == 101)
  }

  @Test func groups() throws {
    let depthwise: Convolution = try readOperation("ConvolutionDepthWise", "0=16 1=3 6=144 7=16")
    #expect(depthwise.group == 16)
    #expect(depthwise.inputChannels == 16)
    // 8 outputs in 2 groups, 3 inputs each: 8 · 3 · 1 weights.
    let grouped: Convolution = try readOperation("ConvolutionDepthWise", "0=8 1=1 6=24 7=2")
    #expect(grouped.inputChannels == 6)
    #expect(grouped.weightCount == 24)
    let single: Convolution = try readOperation("ConvolutionDepthWise", "0=8 1=1 6=24")
    #expect(single.group == 1)
    #expect(single.inputChannels == 3)
  }

  @Test(arguments: [
    ("Convolution", "", ["weights 24*"]),
    ("Convolution", "5=1", ["weights 24*", "bias 8"]),
    ("Convolution", "5=1 8=2", ["weights 24*", "bias 8", "weight scales 8", "input scale 1"]),
    (
      "Convolution", "8=102", ["weights 24*", "weight scales 8", "input scale 1", "output scale 1"]
    ),
    ("ConvolutionDepthWise", "7=2 8=1", ["weights 24*", "weight scales 2", "input scale 1"]),
    ("ConvolutionDepthWise", "7=2 8=2", ["weights 24*", "weight scales 1", "input scale 1"]),
    ("ConvolutionDepthWise", "8=1", ["weights 24*", "weight scales 1", "input scale 1"]),
    (
      "ConvolutionDepthWise", "7=2 8=101",
      ["weights 24*", "weight scales 2", "input scale 1", "output scale 1"]
    ),
  ])
  func weightArrays(_ kind: String, _ parameters: String, _ arrays: [String]) throws {
    #expect(try weights(kind, "0=8 1=1 6=24 " + parameters) == arrays)
  }
}

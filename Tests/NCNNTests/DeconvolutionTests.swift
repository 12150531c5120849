import Testing

@testable import NCNN

@Suite struct DeconvolutionTests {
  @Test func defaults() throws {
    let deconvolution: Deconvolution = try readOperation("Deconvolution", "0=8 1=3 6=216")
    #expect(deconvolution.convolution.outputChannels == 8)
    #expect(deconvolution.convolution.inputChannels == 3)
    #expect(deconvolution.convolution.kernel == Extent(width: 3, height: 3))
    #expect(deconvolution.convolution.dilation == Extent(width: 1, height: 1))
    #expect(deconvolution.convolution.stride == Extent(width: 1, height: 1))
    #expect(deconvolution.extra == Extent(width: 0, height: 0))
    #expect(deconvolution.border == .explicit(left: 0, right: 0, top: 0, bottom: 0))
    #expect(!deconvolution.convolution.hasBias)
    #expect(deconvolution.convolution.group == 1)
    #expect(deconvolution.convolution.activation == .none)
    #expect(deconvolution.convolution.weightCount == 216)
  }

  @Test func everyParameter() throws {
    // 4 × 5 × 6 × 7 weights, the last factor being input channels.
    let deconvolution: Deconvolution = try readOperation(
      "Deconvolution",
      "0=6 1=4 11=5 2=2 12=3 3=4 13=5 4=1 14=2 15=3 16=4 5=1 6=840 7=9 9=2 -23310=1,.1 18=1 19=2")
    #expect(deconvolution.convolution.outputChannels == 6)
    #expect(deconvolution.convolution.inputChannels == 7)
    #expect(deconvolution.convolution.kernel == Extent(width: 4, height: 5))
    #expect(deconvolution.convolution.dilation == Extent(width: 2, height: 3))
    #expect(deconvolution.convolution.stride == Extent(width: 4, height: 5))
    #expect(deconvolution.border == .explicit(left: 1, right: 3, top: 2, bottom: 4))
    #expect(deconvolution.extra == Extent(width: 1, height: 2))
    #expect(deconvolution.convolution.hasBias)
    #expect(
      deconvolution.convolution.group == 1,
      "a plain deconvolution has no groups, whatever key 7 says")
    #expect(deconvolution.convolution.activation == .leakyReLU(slope: 0.1))
  }

  @Test(
    arguments: [
      ("4=-233 20=5", .sameUpper), ("4=-234 20=5 21=4", .sameLower), ("4=-233", .none),
      ("4=-233 20=5 21=0", .none), ("4=1 20=5", .explicit(left: 1, right: 1, top: 1, bottom: 1)),
    ] as [(String, Border)])
  func cuts(parameters: String, border: Border) throws {
    let deconvolution: Deconvolution = try readOperation(
      "Deconvolution", "0=1 1=3 6=9 \(parameters)")
    #expect(deconvolution.border == border)
  }

  @Test func groups() throws {
    let grouped: Deconvolution = try readOperation("DeconvolutionDepthWise", "0=8 1=1 6=24 7=2")
    #expect(grouped.convolution.inputChannels == 6)
    #expect(grouped.convolution.weightCount == 24)
    #expect(try weights("DeconvolutionDepthWise", "0=8 1=1 6=24 7=2") == ["weights 24*"])
    #expect(
      try weights("DeconvolutionDepthWise", "0=8 1=1 6=24 7=2 5=1") == ["weights 24*", "bias 8"])
  }

  /// Upstream fails to run the first, and the others as convolutions do.
  @Test(arguments: [
    "0=1 1=3 6=9 20=5", "0=1 1=3 6=9 28=1", "0=1 1=3 6=8", "1=3 6=9", "0=1 6=9",
    "0=1 1=3 6=9 4=-233 15=1",
    "0=1 1=3 6=9 18=-1", "0=3 1=1 6=9 7=2",
  ])
  func refuses(parameters: String) {
    #expect(throws: ModelError.self) { try readLayer("DeconvolutionDepthWise", parameters) }
  }
}

import Testing

@testable import NCNN

@Suite struct BorderTests {
  @Test func verticalSizesFollowTheHorizontalOnes() throws {
    let convolution: Convolution = try readOperation("Convolution", "0=1 1=3 2=2 3=4 4=5 6=9")
    #expect(convolution.kernel == Extent(width: 3, height: 3))
    #expect(convolution.dilation == Extent(width: 2, height: 2))
    #expect(convolution.stride == Extent(width: 4, height: 4))
    #expect(convolution.border == .explicit(left: 5, right: 5, top: 5, bottom: 5))
    let padded: Convolution = try readOperation("Convolution", "0=1 1=1 4=1 14=2 6=1")
    #expect(padded.border == .explicit(left: 1, right: 1, top: 2, bottom: 2))
  }

  @Test func bordersByMark() throws {
    let upper: Convolution = try readOperation("Convolution", "0=1 1=3 4=-233 6=9")
    #expect(upper.border == .sameUpper)
    let lower: Convolution = try readOperation("Convolution", "0=1 1=3 4=-234 6=9")
    #expect(lower.border == .sameLower)
    let four: Convolution = try readOperation(
      "Convolution", "0=1 1=3 4=-234 14=-234 15=-234 16=-234 6=9")
    #expect(four.border == .sameLower)
  }

  /// ncnn takes such sides for sizes, which are then negative.
  @Test(arguments: [
    ("Convolution", "0=1 1=3 6=9 4=-233 14=0"), ("Convolution", "0=1 1=3 6=9 4=-233 16=-234"),
    ("Convolution", "0=1 1=3 6=9 14=-233"), ("Pooling", "0=0 1=3 3=-233 5=1"),
    ("Pooling", "0=0 1=3 3=-234"),
  ])
  func refusesInvalidMarks(kind: String, parameters: String) {
    #expect(throws: ModelError.self) { try readLayer(kind, parameters) }
  }
}

import Testing

@testable import NCNN

@Suite struct BatchNormTests {
  @Test func batchNorm() throws {
    let plain: BatchNorm = try readOperation("BatchNorm", "0=16")
    #expect(plain.channels == 16)
    #expect(plain.epsilon == 0)
    let full: BatchNorm = try readOperation("BatchNorm", "0=8 1=1e-5")
    #expect(full.channels == 8)
    #expect(full.epsilon == 1e-5)
    #expect(
      try weights("BatchNorm", "0=16") == ["slopes 16", "means 16", "variances 16", "biases 16"])
  }
}

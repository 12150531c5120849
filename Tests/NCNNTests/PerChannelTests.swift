import Testing

@testable import NCNN

@Suite struct PerChannelTests {
  @Test func scale() throws {
    let plain: Scale = try readOperation("Scale", "0=16")
    #expect(plain.channels == 16)
    #expect(!plain.hasBias)
    let full: Scale = try readOperation("Scale", "0=8 1=1")
    #expect(full.channels == 8)
    #expect(full.hasBias)
    let second: Scale = try readOperation("Scale", "0=-233", inputs: 2)
    #expect(second.channels == nil && !second.hasBias)
    #expect(throws: ModelError.self) { try readLayer("Scale", "0=-233 1=1", inputs: 2) }
    #expect(throws: ModelError.self) { try readLayer("Scale", "0=16", inputs: 2) }
    #expect(try weights("Scale", "0=-233", inputs: 2) == [])
    #expect(try weights("Scale", "0=16") == ["scales 16"])
    #expect(try weights("Scale", "0=8 1=1") == ["scales 8", "biases 8"])
  }

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

  @Test func groupNorm() throws {
    let plain: GroupNorm = try readOperation("GroupNorm", "1=16")
    #expect(plain.group == 1)
    #expect(plain.channels == 16)
    #expect(plain.epsilon == 0.001)
    #expect(plain.isAffine)
    let full: GroupNorm = try readOperation("GroupNorm", "0=4 1=16 2=1e-5 3=0")
    #expect(full.group == 4)
    #expect(full.channels == 16)
    #expect(full.epsilon == 1e-5)
    #expect(!full.isAffine)
    #expect(try weights("GroupNorm", "0=4 1=16") == ["gamma 16", "beta 16"])
    #expect(try weights("GroupNorm", "0=4 1=16 3=0") == [])
  }

  @Test func instanceNorm() throws {
    let norm: GroupNorm = try readOperation("InstanceNorm", "0=16 1=1e-5")
    #expect(norm.group == 16 && norm.channels == 16 && norm.needsThreeAxes)
    #expect(norm.epsilon == 1e-5)
    #expect(try weights("InstanceNorm", "0=16") == ["gamma 16", "beta 16"])
    #expect(try weights("InstanceNorm", "0=16 2=0") == [])
  }
}

import Testing

@testable import NCNN

@Suite struct GroupNormTests {
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

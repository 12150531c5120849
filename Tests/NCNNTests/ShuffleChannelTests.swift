import Testing

@testable import NCNN

@Suite struct ShuffleChannelTests {
  @Test func shuffleChannel() throws {
    let plain: ShuffleChannel = try readOperation("ShuffleChannel")
    #expect(plain.group == 1)
    #expect(!plain.isReversed)
    let full: ShuffleChannel = try readOperation("ShuffleChannel", "0=2 1=1")
    #expect(full.group == 2)
    #expect(full.isReversed)
  }
}

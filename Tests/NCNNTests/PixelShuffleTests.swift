import Testing

@testable import NCNN

@Suite struct PixelShuffleTests {
  @Test func pixelShuffle() throws {
    let plain: PixelShuffle = try readOperation("PixelShuffle", "")
    #expect(plain.factor == 1 && !plain.isInterleaved)
    let full: PixelShuffle = try readOperation("PixelShuffle", "0=3 1=1")
    #expect(full.factor == 3 && full.isInterleaved)
    #expect(throws: ModelError.self) { try readLayer("PixelShuffle", "0=0") }
  }
}

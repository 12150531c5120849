import Testing

@testable import NCNN

@Suite struct RearrangementTests {
  @Test(arguments: [
    ("0=6", [6]), ("0=6 1=5", [5, 6]), ("0=6 1=5 2=4", [4, 5, 6]), ("0=-1 1=16", [16, -1]),
    ("0=0 1=-1 2=0", [0, -1, 0]), ("0=6 1=-233 2=-233 11=-233 3=0", [6]),
  ])
  func reshape(_ parameters: String, _ sizes: [Int]) throws {
    let reshape: Reshape = try readOperation("Reshape", parameters)
    #expect(reshape.sizes == sizes)
  }

  @Test func permute() throws {
    let plain: Permute = try readOperation("Permute")
    #expect(plain.order == 0)
    for order in 0...5 {
      let permute: Permute = try readOperation("Permute", "0=\(order)")
      #expect(permute.order == order)
    }
  }

  @Test func shuffleChannel() throws {
    let plain: ShuffleChannel = try readOperation("ShuffleChannel")
    #expect(plain.group == 1)
    #expect(!plain.isReversed)
    let full: ShuffleChannel = try readOperation("ShuffleChannel", "0=2 1=1")
    #expect(full.group == 2)
    #expect(full.isReversed)
  }

  @Test func pixelShuffle() throws {
    let plain: PixelShuffle = try readOperation("PixelShuffle", "")
    #expect(plain.factor == 1 && !plain.isInterleaved)
    let full: PixelShuffle = try readOperation("PixelShuffle", "0=3 1=1")
    #expect(full.factor == 3 && full.isInterleaved)
    #expect(throws: ModelError.self) { try readLayer("PixelShuffle", "0=0") }
  }
}

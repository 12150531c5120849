// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFace

@testable import YOLOFaceTool

struct FrameSequenceTests {
  /// The time of the frame after it is too large, not its own.
  @Test func deliversTheLastFrameThatHasATime() throws {
    let source = FrameSequence.Source.pictures(["a", "b", "c"]) { _ in
      try Picture.decodeStored(PNG.encode(RGBImage(width: 1, height: 1)))
    }
    var frames = try FrameSequence(source, interval: RationalTime(seconds: .max))
    #expect(try frames.next()?.get().time.value == 0)
    #expect(try frames.next()?.get().time.value == .max)
    #expect(throws: ValueError.self) { try frames.next() }
  }
}

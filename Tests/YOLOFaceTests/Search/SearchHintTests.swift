// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFace
import YOLOFaceDecoding

struct SearchHintTests {
  private func faces(_ count: Int, side: Double) -> [Face] {
    (0..<count).map {
      Face(score: 0.9, box: Box(x: 50 * Double($0), y: 0, width: side, height: side))
    }
  }

  /// In a picture of 1280 pixels a face of 30 has 15 in the network's input.
  @Test func saysWhatToTryWhereManyFacesAreSmall() throws {
    let picture = RGBImage(width: 1280, height: 720)
    let many = faces(8, side: 30)
    for few in [[], faces(7, side: 30), faces(8, side: 50), many + faces(25, side: 90)] {
      #expect(try detector.hint(after: few, in: picture) == nil)
    }
    #expect(try detector.hint(after: many, in: picture)?.longSide == 1280)
    for (reason, options) in [
      (
        "too unsure to count",
        DetectionOptions { ($0.scoreThreshold, $0.smallFaceScoreThreshold) = (0.95, 0.1) }
      ),
      ("done already", DetectionOptions { $0.effort = .thorough }),
    ] {
      #expect(try detector.hint(after: many, in: picture, options: options) == nil, "\(reason)")
    }
  }

  /// Of a picture of 4000 pixels, an input of 640 shows less than a sixth.
  @Test func saysThatAPictureIsMuchShrunk() throws {
    func hint(_ width: Int, _ height: Int, _ options: DetectionOptions = .init()) throws
      -> SearchHint?
    {
      try detector.hint(after: [], in: RGBImage(width: width, height: height), options: options)
    }
    let shrunk = try #require(try hint(4000, 3000))
    #expect(shrunk.reason == .isMuchShrunk && shrunk.longSide == 1280)
    #expect(try hint(3840, 2160) == nil, "just a sixth")
    #expect(try hint(900, 9000) == nil, "windows of 1800 pixels are a third")
    var options = DetectionOptions { $0.effort = .thorough }
    #expect(try hint(4000, 3000, options) == nil, "looks at tiles are nearer")
    options.effort = .checked
    #expect(try hint(4000, 3000, options) == shrunk)
  }

  @Test func enlargesNoPictureMoreThanTwice() throws {
    let picture = RGBImage(width: 640, height: 480)
    #expect(try detector.hint(after: faces(9, side: 10), in: picture)?.longSide == 1280)
    let options = DetectionOptions { $0.letterbox = .longSide(1280) }
    #expect(try detector.hint(after: faces(9, side: 5), in: picture, options: options) == nil)
  }
}

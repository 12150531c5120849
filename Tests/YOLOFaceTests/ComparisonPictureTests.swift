// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace

struct ComparisonPictureTests {
  private static func face(nose: Double) -> Face {
    Face(
      score: 0.9, box: Box(x: 20, y: 20, width: 100, height: 100),
      landmarks: Landmarks((50, 50), (90, 50), (nose, 70), (55, 90), (85, 90)))
  }

  private let image = RGBImage(
    width: 140, height: 140, fill: RGBColor(red: 80, green: 80, blue: 80))

  private func picture(isMirrored: Bool) throws -> RGBImage {
    let (first, second) = (Self.face(nose: 60), Self.face(nose: 80))
    let similarity = try LandmarkSimilarity(
      of: first.landmarks!, and: second.landmarks!, isMirrored: isMirrored)
    return try similarity.picture(of: first, in: image, and: second, in: image)
  }

  /// The square of 120 pixels from (10, 10) is drawn 320 wide, so that (x, y) is at
  /// (8/3 (x − 10), 8/3 (y − 10)): the noses at (133, 160) and (187, 160).
  @Test func showsTheFirstOnTheLeftAndBothOnTheRight() throws {
    let drawn = try picture(isMirrored: false)
    #expect(drawn.width == 640 && drawn.height == 320)
    let orange = drawn[133, 160]
    #expect(orange.red > 200 && orange.blue < 60)
    #expect(drawn[187, 160] == RGBColor(red: 80, green: 80, blue: 80))
    // The second's nose shows as a ring around the end of the line.
    let blue = drawn[320 + 187 + 3, 160]
    #expect(blue.blue > 200 && blue.red < 100)
  }

  @Test func mirrorsTheFirst() throws {
    let drawn = try picture(isMirrored: true)
    let orange = drawn[187, 160]
    #expect(orange.red > 200 && orange.blue < 60)
    #expect(drawn[133, 160] == RGBColor(red: 80, green: 80, blue: 80))
    // Its mirrored shape is the second's: the point covers the middle of the ring.
    let nose = drawn[320 + 187, 160]
    #expect(nose == .white || nose.red > 200)
  }

  @Test func refusesFacesWithoutABox() throws {
    var face = Self.face(nose: 60)
    let similarity = try LandmarkSimilarity(of: face.landmarks!, and: face.landmarks!)
    face.box.width = 0
    #expect(throws: ValueError.self) {
      try similarity.picture(of: face, in: image, and: face, in: image)
    }
  }
}

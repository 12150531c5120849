// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace

/// Faces found in a stored picture and mapped to a view are where the detector finds them when it
/// looks at the rendered view itself.
///
/// For each orientation the stored picture is the upright photo turned by the inverse, as a camera
/// held that way would store it: the tag says how to turn the stored picture upright, so a camera
/// that writes it has turned the scene the other way. Quarter turns are each other's inverse, the
/// other orientations their own. So every view shows the face upright, which is how the detector
/// can find it, and mirrored where `isMirrored` alone says so: a mirrored orientation undoes what
/// the camera did. The picture is higher than wide, so that exchanged sides would show.
struct AnyViewTests {
  /// The middle of Examples/astronaut.png, 400 × 500 of 512 × 512 pixels.
  private static let middle = try! photo.cropped(x: 30, y: 0, width: 400, height: 500)

  private static func stored(_ orientation: Orientation) -> RGBImage {
    middle.upright(from: orientation.inverse)
  }

  /// The one face of a picture stored with an orientation.
  private func face(in image: RGBImage, _ orientation: Orientation = .up) throws -> Face {
    let options = DetectionOptions { $0.orientation = orientation }
    let faces = try detector.detect(in: image, options: options)
    #expect(faces.count == 1)
    return try #require(faces.first)
  }

  /// A view of 300 × 480 stretches the photo by 0.75 and 0.96, shows it 375 high between bars, or
  /// cuts 42 off its left and right: the face, 100 wide and 127 high at (145, 54), stays whole.
  ///
  /// Measured: an IoU of at least 0.90, eyes at most 0.09 eye distances apart.
  @Test(arguments: Orientation.allCases, [false, true])
  func mappedFacesMatchTheRenderedView(orientation: Orientation, isMirrored: Bool) throws {
    let stored = Self.stored(orientation)
    let found = try face(in: stored, orientation)
    for gravity in Gravity.allCases {
      let space = try ViewSpace(
        imageSize: Size2D(width: Double(stored.width), height: Double(stored.height)),
        orientation: orientation, isMirrored: isMirrored,
        placement: .view(Size2D(width: 300, height: 480), gravity))
      let mapped = space.map(found)
      let seen = try face(in: stored.rendered(in: space))
      let overlap = mapped.box.intersectionOverUnion(with: seen.box)
      #expect(overlap >= 0.8, "\(gravity)")
      // The other eye is a whole eye distance away: mirroring has exchanged the names.
      let eyeDistance = seen.landmarks!.rightEye.distance(to: seen.landmarks!.leftEye)
      for (mapped, seen) in zip(mapped.landmarks!.points, seen.landmarks!.points) {
        #expect(mapped.distance(to: seen) < eyeDistance / 4, "\(gravity)")
      }
    }
  }

  /// In the stored picture's pixels: the upright photo's face, turned on paper. The stored picture
  /// for `right` is the upright one turned counterclockwise: (x, y) goes to (y, 400 − x).
  @Test func facesComeBackInStoredPixels() throws {
    let upright = try face(in: Self.middle)
    let (corner, eye) = (upright.box, upright.landmarks!.rightEye)
    let stored = try face(in: Self.stored(.right), .right)
    #expect(abs(stored.box.minX - corner.minY) < 1e-9)
    #expect(abs(stored.box.maxY - (400 - corner.minX)) < 1e-9)
    #expect(isClose(stored.landmarks!.rightEye, Point2D(x: eye.y, y: 400 - eye.x), tolerance: 1e-9))
    #expect(stored.score == upright.score)
    let mirrored = try face(in: Self.stored(.upMirrored), .upMirrored)
    #expect(abs(mirrored.landmarks!.rightEye.x - (400 - upright.landmarks!.leftEye.x)) < 1e-9)
  }
}

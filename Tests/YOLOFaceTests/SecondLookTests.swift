import FaceDecoding
import Foundation
import TestSupport
import Testing
import YOLOFace

/// Faces that are upside down are found, with landmarks as if they were upright.
struct SecondLookTests {
  private let detector: FaceDetector
  private let photo: RGBImage

  init() throws {
    detector = try FaceDetector()
    photo = try PNG.read(
      path: SharedData.packageRoot.appending(path: "Examples/astronaut.png").path)
  }

  /// The astronaut turned clockwise about the middle of the photo.
  private func turned(by degrees: Double) throws -> RGBImage {
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    return try photo.sampled(width: 512, height: 512) { x, y in
      let (x, y) = (x - 256, y - 256)
      return (256 + x * cosine + y * sine, 256 - x * sine + y * cosine)
    }
  }

  @Test(arguments: [120.0, 150, 180])
  func marksFacesThatAreUpsideDown(degrees: Double) throws {
    let image = try turned(by: degrees)
    let found = try #require(try detector.detect(in: image).first)
    #expect(!found.isUpsideDown && HeadPose(of: found) != nil, "nobody has looked")
    let face = try #require(try detector.markingUpsideDown([found], in: image).first)
    #expect(face.isUpsideDown)
    #expect(HeadPose(of: face) == nil)
    #expect(face.box == found.box && face.landmarks == found.landmarks)
  }

  @Test(arguments: [-60.0, -45, -30, -15, 0, 15, 30, 45, 60])
  func leavesOthersAlone(degrees: Double) throws {
    let image = try turned(by: degrees)
    let found = try detector.detect(in: image)
    #expect(!found.isEmpty)
    #expect(try detector.markingUpsideDown(found, in: image) == found)
  }

  /// A picture that is stored upside down, and is said to be, has an upright face.
  @Test func looksAtTheUprightPicture() throws {
    let stored = try turned(by: 180)
    var options = DetectionOptions()
    options.orientation = .down
    let faces = try detector.detect(in: stored, options: options)
    #expect(faces.count == 1)
    #expect(try detector.markingUpsideDown(faces, in: stored, orientation: .down) == faces)
    #expect(try detector.markingUpsideDown(faces, in: stored).map(\.isUpsideDown) == [true])
  }

  @Test func aMarkLasts() throws {
    var face = try #require(try detector.detect(in: photo).first)
    face.isUpsideDown = true
    let space = try ViewSpace(imageSize: Size(width: 512, height: 512), isMirrored: true)
    #expect(space.map(face).isUpsideDown)
    #expect(space.unmap(space.map(face)).isUpsideDown)
  }

  @Test func takesWildBoxes() throws {
    let landmarks = try #require(try detector.detect(in: photo).first).landmarks
    let numbers = [Double.nan, .infinity, -.infinity, 0, -50, 1e9, 1e300, .greatestFiniteMagnitude]
    let faces = numbers.flatMap { number in
      [
        Rectangle(x: number, y: 0, width: 100, height: 100),
        Rectangle(x: 0, y: 0, width: number, height: 100),
        Rectangle(x: 0, y: 0, width: number, height: number),
      ].map { Face(score: 1, box: $0, landmarks: landmarks) }
    }
    #expect(try detector.markingUpsideDown(faces, in: photo).allSatisfy { !$0.isUpsideDown })
    #expect(try detector.markingUpsideDown([], in: photo).isEmpty)
  }
}

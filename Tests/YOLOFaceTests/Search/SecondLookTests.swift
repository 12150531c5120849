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
    photo = try PNG.read(path: SharedData.astronaut)
  }

  /// The astronaut turned clockwise about the middle of the photo.
  private func turned(by degrees: Double) throws -> RGBImage {
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    return try photo.sampled(width: 512, height: 512) {
      let (x, y) = ($0.x - 256, $0.y - 256)
      return Point(x: 256 + x * cosine + y * sine, y: 256 - x * sine + y * cosine)
    }
  }

  @Test(arguments: [120.0, 150, 180])
  func marksFacesThatAreUpsideDown(degrees: Double) throws {
    let image = try turned(by: degrees)
    var options = DetectionOptions()
    // Heads turned so far are found with scores on both sides of the default threshold.
    options.scoreThreshold = 0.3
    let found = try #require(try detector.detect(in: image, options: options).first)
    #expect(!found.isUpsideDown && HeadPose(of: found) != nil, "nobody has looked")
    let face = try #require(try detector.lookingAgain(at: [found], in: image).first)
    #expect(face.isUpsideDown)
    #expect(HeadPose(of: face) == nil)
    #expect(face.box == found.box && face.landmarks == found.landmarks)
  }

  @Test(arguments: [-60.0, -45, -30, -15, 0, 15, 30, 45, 60])
  func leavesOthersAlone(degrees: Double) throws {
    let image = try turned(by: degrees)
    let found = try detector.detect(in: image)
    #expect(!found.isEmpty)
    #expect(try detector.lookingAgain(at: found, in: image) == found)
  }

  /// A picture stored upside down, with the orientation that says so, has an upright face.
  @Test func looksAtTheUprightPicture() throws {
    let stored = try turned(by: 180)
    var options = DetectionOptions()
    options.orientation = .down
    let faces = try detector.detect(in: stored, options: options)
    #expect(faces.count == 1)
    #expect(try detector.lookingAgain(at: faces, in: stored, options: options) == faces)
    #expect(try detector.lookingAgain(at: faces, in: stored).map(\.isUpsideDown) == [true])
  }

  /// Six faces of 11 pixels of the input: upright, too, most of them score less than 0.5 in the whole picture.
  @Test func looksAtEachFaceThatTilesFound() throws {
    let head = try photo.cropped(x: 125, y: 15, width: 200, height: 200)
      .resized(width: 100, height: 100, filter: .area).upright(from: .down)
    var scene = RGBImage(width: 2880, height: 1920, fill: .white)
    for index in 0..<6 { scene.draw(head, atX: 450 * index + 100, y: 300 * index + 20) }
    var options = DetectionOptions()
    options.effort = SearchEffort(tiles: 4, rotations: 1)
    options.scoreThreshold = 0.3
    let found = try detector.detect(in: scene, options: options)
    try #require(found.count > 4)
    let seen = try detector.lookingAgain(at: found, in: scene, options: options)
    #expect(seen.count { $0.isUpsideDown } == found.count)
  }

  /// Six faces are looked at together; the second and the last are upside down.
  @Test func marksTheRightOnesOfMany() throws {
    let head = try photo.cropped(x: 125, y: 15, width: 200, height: 200)
    var scene = RGBImage(width: 600, height: 400, fill: .black)
    for index in 0..<6 {
      let isTurned = index == 1 || index == 5
      scene.draw(
        head.upright(from: isTurned ? .down : .up), atX: 200 * (index % 3),
        y: 200 * (index / 3))
    }
    let found = try detector.detect(in: scene)
    #expect(found.count == 6)
    for count in [Int.max, 5] {
      var options = DetectionOptions()
      options.maximumFaces = count
      let seen = try detector.lookingAgain(at: found, in: scene, options: options)
      for face in seen {
        let index = Int(face.box.center.x) / 200 + 3 * (Int(face.box.center.y) / 200)
        #expect(face.isUpsideDown == (index == 1 || index == 5), "\(index)")
      }
    }
  }

  /// The astronaut's head, enlarged to fill the network's input: her landmarks are those that the
  /// network finds in the photo, where the head is small.
  @Test(arguments: [Orientation.up, .right, .downMirrored])
  func largeFacesGetBetterLandmarks(orientation: Orientation) throws {
    let enlarged = try photo.cropped(x: 125, y: 15, width: 200, height: 200)
      .resized(width: 640, height: 640)
    let small = try #require(try detector.detect(in: photo).first)
    let expected = small.landmarks!.map { Point(x: ($0.x - 125) * 3.2, y: ($0.y - 15) * 3.2) }
    var options = DetectionOptions()
    options.orientation = orientation
    let space = try ViewSpace(imageSize: enlarged.size, orientation: orientation)
    // The stored picture that is upright by the orientation.
    let stored = enlarged.upright(from: orientation.inverse)
    let found = try #require(try detector.detect(in: stored, options: options).first)
    let seen = try #require(
      try detector.lookingAgain(at: [found], in: stored, options: options).first)
    #expect(seen.box == found.box && seen.score == found.score && !seen.isUpsideDown)
    func error(_ face: Face) -> Double {
      zip(space.map(face.landmarks!).points, expected.points).reduce(0) {
        $0 + $1.0.distance(to: $1.1)
      }
    }
    #expect(error(seen) < 0.8 * error(found))
  }

  /// A face of 157 pixels of the input is left alone unless `refinesAll` is set.
  @Test func smallFacesKeepTheirLandmarks() throws {
    let found = try detector.detect(in: photo)
    #expect(try detector.lookingAgain(at: found, in: photo) == found)
    let all = try detector.lookingAgain(at: found, in: photo, refinesAll: true)
    #expect(all.map(\.box) == found.map(\.box))
    #expect(all.map(\.landmarks) != found.map(\.landmarks))
  }

  @Test func mappingKeepsTheMark() throws {
    var face = try #require(try detector.detect(in: photo).first)
    face.isUpsideDown = true
    let space = try ViewSpace(imageSize: Size(width: 512, height: 512), isMirrored: true)
    #expect(space.map(face).isUpsideDown)
    #expect(space.unmap(space.map(face)).isUpsideDown)
  }

  @Test func survivesWildBoxes() throws {
    let landmarks = try #require(try detector.detect(in: photo).first).landmarks
    let numbers = [Double.nan, .infinity, -.infinity, 0, -50, 1e9, 1e300, .greatestFiniteMagnitude]
    let faces = numbers.flatMap { number in
      [
        Rectangle(x: number, y: 0, width: 100, height: 100),
        Rectangle(x: 0, y: 0, width: number, height: 100),
        Rectangle(x: 0, y: 0, width: number, height: number),
      ].map { Face(score: 1, box: $0, landmarks: landmarks) }
    }
    #expect(try detector.lookingAgain(at: faces, in: photo).allSatisfy { !$0.isUpsideDown })
    #expect(try detector.lookingAgain(at: [], in: photo).isEmpty)
  }
}

extension Orientation {
  /// The orientation that undoes this one: quarter turns change their direction.
  fileprivate var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}

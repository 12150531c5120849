// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceDecoding

/// Faces that are upside down are found, with landmarks as if they were upright.
struct CheckedFaceTests {
  private let checked = DetectionOptions { $0.effort = .checked }

  private func turned(by degrees: Double) throws -> RGBImage {
    try photo.turned(by: degrees, about: Point2D(x: 256, y: 256), side: 512)
  }

  @Test(arguments: [120.0, 150, 180])
  func marksFacesThatAreUpsideDown(degrees: Double) throws {
    let image = try turned(by: degrees)
    // Heads turned so far are found with scores on both sides of the default threshold.
    var options = DetectionOptions { $0.scoreThreshold = 0.3 }
    let found = try #require(try detector.detect(in: image, options: options).first)
    #expect(!found.isMarkedUpsideDown && HeadPose(of: found) != nil, "nobody has looked")
    options.effort = .checked
    let face = try #require(try detector.detect(in: image, options: options).first)
    #expect(face.isMarkedUpsideDown)
    #expect(HeadPose(of: face) == nil)
    #expect(face.box == found.box && face.landmarks == found.landmarks)
  }

  /// A face of 157 pixels of the input keeps its landmarks.
  @Test(arguments: [-60.0, -45, -30, -15, 0, 15, 30, 45, 60])
  func leavesOthersAlone(degrees: Double) throws {
    let image = try turned(by: degrees)
    let found = try detector.detect(in: image)
    #expect(!found.isEmpty)
    #expect(try detector.detect(in: image, options: checked) == found)
  }

  /// A picture stored upside down, with the orientation that says so, has an upright face.
  @Test func looksAtTheUprightPicture() throws {
    let stored = try turned(by: 180)
    var options = DetectionOptions { $0.orientation = .down }
    let faces = try detector.detect(in: stored, options: options)
    #expect(faces.count == 1)
    options.effort = .checked
    #expect(try detector.detect(in: stored, options: options) == faces)
    #expect(try detector.detect(in: stored, options: checked).map(\.isMarkedUpsideDown) == [true])
  }

  /// Six faces of 11 pixels of the input: upright, too, most of them score less than 0.5 in the whole picture.
  @Test func looksAtEachFaceThatTilesFound() throws {
    let head = try closeHead.resized(width: 100, height: 100, filter: .area)
      .upright(from: .down)
    var scene = RGBImage(width: 2880, height: 1920, fill: .white)
    for index in 0..<6 { scene.draw(head, atX: 450 * index + 100, y: 300 * index + 20) }
    let options = DetectionOptions {
      ($0.effort, $0.scoreThreshold) = (SearchEffort(tiles: 4, closeLooks: .checked), 0.3)
    }
    let seen = try detector.detect(in: scene, options: options)
    try #require(seen.count > 4)
    #expect(seen.allSatisfy { $0.isMarkedUpsideDown })
  }

  /// The second of six faces and the last are upside down.
  @Test func marksTheRightOnesOfMany() throws {
    var scene = RGBImage(width: 600, height: 400, fill: .black)
    for index in 0..<6 {
      let head = closeHead.upright(from: index == 1 || index == 5 ? .down : .up)
      scene.draw(head, atX: 200 * (index % 3), y: 200 * (index / 3))
    }
    for count in [6, 5] {
      var options = checked
      options.maximumFaces = count
      let seen = try detector.detect(in: scene, options: options)
      #expect(seen.count == count)
      for face in seen {
        let index = Int(face.box.center.x) / 200 + 3 * (Int(face.box.center.y) / 200)
        #expect(face.isMarkedUpsideDown == (index == 1 || index == 5), "\(index)")
      }
    }
  }

  /// The astronaut's head, enlarged to fill the network's input: her landmarks are those that the
  /// network finds in the photo, where the head is small.
  @Test(arguments: [Orientation.up, .right, .downMirrored])
  func largeFacesGetBetterLandmarks(orientation: Orientation) throws {
    let enlarged = try closeHead.resized(width: 640, height: 640)
    let small = try #require(try detector.detect(in: photo).first)
    let expected = small.landmarks!.map { Point2D(x: ($0.x - 125) * 3.2, y: ($0.y - 15) * 3.2) }
    var options = DetectionOptions { $0.orientation = orientation }
    let space = try ViewSpace(imageSize: enlarged.size, orientation: orientation)
    // The stored picture that is upright by the orientation.
    let stored = enlarged.upright(from: orientation.inverse)
    let found = try #require(try detector.detect(in: stored, options: options).first)
    options.effort = .checked
    let seen = try #require(try detector.detect(in: stored, options: options).first)
    #expect(seen.box == found.box && seen.score == found.score && !seen.isMarkedUpsideDown)
    func error(_ face: Face) -> Double { space.map(face.landmarks!).error(from: expected) }
    #expect(error(seen) < 0.8 * error(found))
  }

  @Test func mappingKeepsTheMark() throws {
    var face = Face(score: 1, box: Box(x: 9, y: 9, width: 9, height: 9))
    face.isMarkedUpsideDown = true
    let space = try ViewSpace(imageSize: Size2D(width: 512, height: 512), isMirrored: true)
    #expect(space.map(face).isMarkedUpsideDown && space.unmap(face).isMarkedUpsideDown)
  }
}

extension Landmarks {
  /// How far the points are from others on average, in distances between the others' eyes.
  fileprivate func error(from truth: Landmarks) -> Double {
    let sum = zip(points, truth.points).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    return sum / 5 / truth.rightEye.distance(to: truth.leftEye)
  }
}

extension Orientation {
  /// The orientation that undoes this one: quarter turns change their direction.
  var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}

struct RefinedFaceTests {
  private let gray = RGBImage(
    width: 512, height: 512, fill: RGBColor(red: 128, green: 128, blue: 128))

  /// The landmarks of the photo's face when it is looked at again.
  private func truth() throws -> Landmarks {
    let options = DetectionOptions { $0.effort = .refined }
    return try #require(try detector.detect(in: photo, options: options).first?.landmarks)
  }

  /// The landmarks of a face shrunk to 16 pixels, against those of the large one.
  @Test func pointsOfSmallFacesComeCloser() throws {
    let small = try photo.resized(width: 85, height: 85, filter: .area)
    var scene = RGBImage(width: 640, height: 480, fill: .white)
    scene.draw(small, atX: 300, y: 200)
    let expected = try truth().map { Point2D(x: 300 + $0.x * 85 / 512, y: 200 + $0.y * 85 / 512) }
    let plain = try #require(try detector.detect(in: scene).first)
    let face = try #require(try detector.refining([plain], in: scene).first)
    #expect(face.box == plain.box)
    let after = face.landmarks!.error(from: expected)
    #expect(after < 0.1 && after < plain.landmarks!.error(from: expected))
  }

  /// One look gives a face that is upside down landmarks as if it were upright.
  @Test func facesUpsideDownGetTheirLandmarks() throws {
    let truth = try truth()
    let turned = photo.upright(from: .down)
    let space = try ViewSpace(imageSize: photo.size, orientation: .down)
    let found = try detector.detect(in: turned)
    let plain = space.unmap(try #require(found.first))
    #expect(plain.landmarks!.error(from: truth) > 0.5)
    let face = space.unmap(try #require(try detector.refining(found, in: turned).first))
    #expect(face.landmarks!.error(from: truth) < 0.1)
    #expect(!face.isMarkedUpsideDown)
  }

  @Test func facesThatAreNoneKeepTheirLandmarks() throws {
    let landmarks = Landmarks((20, 20), (40, 20), (30, 30), (22, 40), (38, 40))
    let same = landmarks.map { _ in Point2D(x: 9, y: 9) }
    func face(_ x: Double, _ side: Double, _ landmarks: Landmarks?) -> Face {
      Face(score: 0.5, box: Box(x: x, y: 10, width: side, height: side), landmarks: landmarks)
    }
    let numbers = [
      Double.nan, .infinity, -.infinity, 0, -50, -900, 1e-9, 1e9, 1e300, .greatestFiniteMagnitude,
    ]
    var faces = [face(10, 40, landmarks), face(10, 40, nil), face(10, 40, same)]
    for number in numbers {
      faces += [face(number, 40, landmarks), face(10, number, landmarks)]
      faces.append(face(10, 40, landmarks))
      faces[faces.count - 1].box.width = number
    }
    let refined = try detector.refining(faces, in: gray)
    #expect(refined.map(\.landmarks) == faces.map(\.landmarks))
    #expect(try detector.refining([], in: photo).isEmpty)
  }

  @Test func whatIsGrayWhenLookedAtAgainKeepsTwoThirdsOfItsScore() throws {
    let face = try #require(try detector.detect(in: photo).first)
    let again = try #require(try detector.refining([face], in: gray).first)
    #expect(abs(again.score - face.score * 2 / 3) < 1e-6)
  }

  @Test func detectLeavesOutWhatFallsBelowTheThreshold() throws {
    var options = DetectionOptions { $0.scoreThreshold = 0.02 }
    let candidates = try detector.detect(in: photo, options: options)
    let again = try detector.refining(candidates, in: photo)
    let falling = try #require(zip(candidates, again).first { $0.score > $1.score }?.0)
    options.scoreThreshold = falling.score
    let kept = try detector.refining(detector.detect(in: photo, options: options), in: photo)
      .filter { $0.score >= falling.score }
    options.effort = .refined
    let refined = try detector.detect(in: photo, options: options)
    #expect(refined == kept.sorted { $0.score > $1.score })
    #expect(!refined.contains { $0.box == falling.box })
  }
}

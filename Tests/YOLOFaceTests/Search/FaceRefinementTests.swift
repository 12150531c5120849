import FaceDecoding
import TestSupport
import Testing
import YOLOFace

struct FaceRefinementTests {
  private let detector: FaceDetector
  private let photo: RGBImage
  private var refining = DetectionOptions()

  init() throws {
    detector = try FaceDetector()
    photo = try PNG.read(path: SharedData.astronaut)
    refining.refinesFaces = true
  }

  /// How far landmarks are from others, in distances between the others' eyes.
  private func error(of landmarks: Landmarks, from truth: Landmarks) -> Double {
    func distance(_ a: Point, _ b: Point) -> Double {
      let (x, y) = (a.x - b.x, a.y - b.y)
      return (x * x + y * y).squareRoot()
    }
    let sum = zip(landmarks.points, truth.points).reduce(0) { $0 + distance($1.0, $1.1) }
    return sum / 5 / distance(truth.rightEye, truth.leftEye)
  }

  /// The landmarks of a face shrunk to 16 pixels, against those of the large one.
  @Test func pointsOfSmallFacesComeCloser() throws {
    let truth = try #require(
      try detector.detect(in: photo, options: refining).first?.landmarks)
    let small = try photo.resized(width: 85, height: 85, filter: .area)
    var scene = RGBImage(width: 640, height: 480, fill: .white)
    scene.draw(small, atX: 300, y: 200)
    let expected = truth.map { Point(x: 300 + $0.x * 85 / 512, y: 200 + $0.y * 85 / 512) }
    let plain = try #require(try detector.detect(in: scene).first)
    let face = try #require(try detector.refining([plain], in: scene).first)
    #expect(face.box == plain.box)
    let (before, after) = (
      error(of: try #require(plain.landmarks), from: expected),
      error(of: try #require(face.landmarks), from: expected)
    )
    #expect(after < 0.1 && after < before)
  }

  /// One look gives a face that is upside down landmarks as if it were upright.
  @Test func facesUpsideDownGetTheirLandmarks() throws {
    let truth = try #require(
      try detector.detect(in: photo, options: refining).first?.landmarks)
    let turned = photo.upright(from: .down)
    let space = try ViewSpace(imageSize: photo.size, orientation: .down)
    var options = DetectionOptions()
    // With the box that 640 gives, the face scores hardly higher one way up than the other.
    options.letterbox = .longSide(448)
    let found = try detector.detect(in: turned, options: options)
    let plain = space.unmap(try #require(found.first))
    #expect(error(of: try #require(plain.landmarks), from: truth) > 0.5)
    let face = space.unmap(try #require(try detector.refining(found, in: turned).first))
    #expect(error(of: try #require(face.landmarks), from: truth) < 0.1)
    #expect(!face.isUpsideDown)
  }

  @Test func facesThatAreNoneKeepTheirLandmarks() throws {
    let landmarks = Landmarks(
      rightEye: Point(x: 20, y: 20), leftEye: Point(x: 40, y: 20), nose: Point(x: 30, y: 30),
      rightMouth: Point(x: 22, y: 40), leftMouth: Point(x: 38, y: 40))
    let same = Landmarks(
      rightEye: .init(x: 9, y: 9), leftEye: .init(x: 9, y: 9), nose: .init(x: 9, y: 9),
      rightMouth: .init(x: 9, y: 9), leftMouth: .init(x: 9, y: 9))
    func face(_ x: Double, _ side: Double, _ landmarks: Landmarks?) -> Face {
      Face(score: 0.5, box: Rectangle(x: x, y: 10, width: side, height: side), landmarks: landmarks)
    }
    let faces = [
      face(10, 40, landmarks), face(10, 40, nil), face(10, 40, same), face(10, 0, landmarks),
      face(-900, 40, landmarks), face(.nan, 40, landmarks), face(10, .infinity, landmarks),
      face(10, 1e-9, landmarks), face(10, 1e12, landmarks),
    ]
    let grey = RGBImage(width: 100, height: 80, fill: Color(red: 128, green: 128, blue: 128))
    let refined = try detector.refining(faces, in: grey)
    #expect(refined.map(\.landmarks) == faces.map(\.landmarks))
  }

  @Test func whatIsGreyWhenLookedAtAgainKeepsTwoThirdsOfItsScore() throws {
    let found = try detector.detect(in: photo)
    let face = try #require(found.first)
    let grey = RGBImage(
      width: photo.width, height: photo.height, fill: Color(red: 128, green: 128, blue: 128))
    let again = try #require(try detector.refining([face], in: grey).first)
    #expect(abs(again.score - face.score * 2 / 3) < 1e-6)
  }

  @Test func detectLeavesOutWhatFallsBelowTheThreshold() throws {
    var options = DetectionOptions()
    options.scoreThreshold = 0.02
    let candidates = try detector.detect(in: photo, options: options)
    let again = try detector.refining(candidates, in: photo)
    let falling = try #require(zip(candidates, again).first { $0.score > $1.score }?.0)
    options.scoreThreshold = falling.score
    let kept = try detector.refining(detector.detect(in: photo, options: options), in: photo)
      .filter { $0.score >= falling.score }
    options.refinesFaces = true
    let refined = try detector.detect(in: photo, options: options)
    #expect(refined == kept.sorted { $0.score > $1.score })
    #expect(!refined.contains { $0.box == falling.box })
  }
}

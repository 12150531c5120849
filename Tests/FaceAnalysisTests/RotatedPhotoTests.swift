import FaceAnalysis
import Foundation
import Raster
import TestSupport
import Testing
import YOLOFace

/// A picture turned by an angle changes roll by that angle.
struct RotatedPhotoTests {
  private static let face = Point(x: 225, y: 117)
  private static let modelExists = FileManager.default.fileExists(
    atPath: SharedData.path("models/yolov5n-0.5.bin"))

  /// The pose of the astronaut after the picture is turned about the face, nil where there is none,
  /// by a detector that looks at the 256 × 256 pixels around it.
  private func pose(_ detector: FaceDetector, turnedBy degrees: Double) throws -> HeadPose? {
    let photo = try PNG.read(
      path: SharedData.packageRoot.appending(path: "Examples/astronaut.png").path)
    var window = RGBImage(width: 256, height: 256)
    window.draw(
      photo.turned(degrees: degrees, about: Self.face), atX: 128 - Int(Self.face.x),
      y: 128 - Int(Self.face.y))
    let middle = Rectangle(x: 64, y: 64, width: 128, height: 128)
    let faces = FaceSelection(region: middle).select(
      from: try detector.detect(in: window), in: Size(width: 256, height: 256))
    return faces.first.flatMap { HeadPose($0.landmarks) }
  }

  /// Beyond 45° these weights still find the face, but no longer place its landmarks.
  @Test(.enabled(if: modelExists, "needs ../shared/models/yolov5n-0.5"))
  func rollFollowsThePicture() throws {
    let detector = try FaceDetector(
      param: SharedData.path("models/yolov5n-0.5.param"),
      bin: SharedData.path("models/yolov5n-0.5.bin"))
    let upright = try #require(try pose(detector, turnedBy: 0))
    #expect(abs(upright.roll) < 5)
    for degrees in stride(from: -45.0, through: 45, by: 15) {
      let turned = try #require(try pose(detector, turnedBy: degrees))
      #expect(abs(turned.roll - upright.roll - degrees) < 2, "turned by \(degrees)°")
    }
  }

  /// The embedded weights were not trained on turned faces: they find them, but lay the landmarks of
  /// an upright face over them.
  @Test func theEmbeddedModelFindsTurnedFaces() throws {
    let detector = try FaceDetector()
    let upright = try #require(try pose(detector, turnedBy: 0))
    #expect(abs(upright.roll) < 5)
    for degrees in [-30.0, -15, 15, 30] {
      let turned = try #require(try pose(detector, turnedBy: degrees))
      withKnownIssue("landmarks of the embedded model do not turn", isIntermittent: true) {
        #expect(abs(turned.roll - upright.roll - degrees) < 2, "turned by \(degrees)°")
      }
    }
  }
}

extension RGBImage {
  /// The picture turned clockwise about a point, which stays; black where there was nothing.
  func turned(degrees: Double, about center: Point) -> RGBImage {
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    var turned = RGBImage(width: width, height: height)
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Double(column) + 0.5 - center.x, Double(row) + 0.5 - center.y)
        turned[column, row] = interpolated(
          x: center.x + x * cosine + y * sine - 0.5, y: center.y - x * sine + y * cosine - 0.5)
      }
    }
    return turned
  }

  /// The colour between the centres of four pixels, the first of which is at (0, 0).
  private func interpolated(x: Double, y: Double) -> Color {
    guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return .black }
    let (left, top) = (Int(x), Int(y))
    let (right, below) = (x - Double(left), y - Double(top))
    func mixed(_ sample: (Color) -> UInt8) -> UInt8 {
      func value(_ column: Int, _ row: Int) -> Double { Double(sample(self[column, row])) }
      let upper = value(left, top) * (1 - right) + value(left + 1, top) * right
      let lower = value(left, top + 1) * (1 - right) + value(left + 1, top + 1) * right
      return UInt8((upper * (1 - below) + lower * below).rounded())
    }
    return Color(red: mixed(\.red), green: mixed(\.green), blue: mixed(\.blue))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import YOLOFace

/// The example photo, a public-domain one of one face.
let photo = try! Picture.read(path: SharedData.astronaut)
/// Its head and what is around it.
let head = try! photo.cropped(x: 100, y: 0, width: 256, height: 256)
/// Its head alone.
let closeHead = try! photo.cropped(x: 125, y: 15, width: 200, height: 200)
/// A detector with the default model.
let detector = try! FaceDetector()
/// The path of the default model's files, without their extensions.
let modelPath = projectPath("Models/yoloface-n-0.5")

/// The path of a file of the project.
func projectPath(_ name: String) -> String { SharedData.projectRoot.appending(path: name).path }

/// The path of a file in `Fixtures`.
func fixture(_ name: String) -> String { projectPath("Tests/YOLOFaceTests/Fixtures/\(name)") }

extension DetectionOptions {
  /// The defaults after a change.
  init(_ change: (inout DetectionOptions) -> Void) {
    self.init()
    change(&self)
  }
}

extension RGBImage {
  /// The square of a side around a point, after the picture is turned clockwise about it.
  func turned(by degrees: Double, about middle: Point2D, side: Int) throws -> RGBImage {
    let angle = degrees * .pi / 180
    let (cosine, sine) = (cos(angle), sin(angle))
    return try sampled(width: side, height: side) {
      let (x, y) = ($0.x - Double(side) / 2, $0.y - Double(side) / 2)
      return Point2D(x: middle.x + x * cosine + y * sine, y: middle.y - x * sine + y * cosine)
    }
  }
}

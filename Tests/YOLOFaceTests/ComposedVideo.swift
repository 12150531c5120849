// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import YOLOFace

/// A composed video of 640 × 480: heads cut out of a photo move over a drawn background, so that
/// the position of each face is known.
struct ComposedVideo {
  static let size = (width: 640, height: 480)
  static let framesPerSecond = 15

  /// A head: pixels in an oval, and where the face's box is in them.
  private struct Head {
    var image: RGBImage
    var box: Box

    /// The astronaut's head. The face's box is the one drawn in Examples/astronaut.faces.png.
    init() throws {
      image = RGBImage(width: 176, height: 204)
      image.draw(photo, atX: -138, y: -8)
      box = Box(x: 175 - 138, y: 54 - 8, width: 100, height: 127)
    }

    func scaled(to scale: Double) throws -> Head {
      var head = self
      head.image = try image.resized(
        width: Int(scale * 176), height: Int(scale * 204), filter: .area)
      head.box = Box(
        x: scale * box.x, y: scale * box.y, width: scale * box.width, height: scale * box.height)
      return head
    }
  }

  /// A head's path: its size, and its top left corner at a time, nil while it is away.
  struct Actor {
    var name: Int
    var scale: Double
    var corner: (Double) -> Point2D?
  }

  private let background: RGBImage
  private let actors: [(actor: Actor, head: Head)]

  /// - Parameter actors: those in front last.
  init(_ actors: [Actor]) throws {
    let head = try Head()
    self.actors = try actors.map { ($0, try head.scaled(to: $0.scale)) }
    var background = RGBImage(
      width: Self.size.width, height: Self.size.height,
      fill: RGBColor(red: 150, green: 170, blue: 185))
    background.fillRectangle(
      Box(x: 0, y: 330, width: 640, height: 150), color: RGBColor(red: 110, green: 95, blue: 80))
    for x in stride(from: 40.0, to: 640, by: 150) {
      background.fillRectangle(
        Box(x: x, y: 60, width: 90, height: 150),
        color: RGBColor(red: 190, green: 205, blue: 215))
    }
    self.background = background
  }

  /// A frame, and the parts inside it of the faces that are at least a third inside; without faces whose
  /// middle a head in front hides, if only visible ones are wanted.
  func frame(
    at seconds: Double, onlyVisible: Bool = false
  ) -> (image: RGBImage, truth: [GroundTruthFace]) {
    var image = background
    var truth: [GroundTruthFace] = []
    for (actor, head) in actors {
      guard let corner = actor.corner(seconds) else { continue }
      let (left, top) = (Int(corner.x), Int(corner.y))
      image.paste(head.image, atX: left, y: top)
      let front = Box(
        x: Double(left), y: Double(top), width: Double(head.image.width),
        height: Double(head.image.height))
      if onlyVisible { truth.removeAll { front.contains($0.box.center) } }
      var box = head.box
      (box.x, box.y) = (box.x + front.x, box.y + front.y)
      let seen = box.clipped(to: Size2D(width: 640, height: 480))
      if 3 * seen.area >= box.area { truth.append(GroundTruthFace(name: actor.name, box: seen)) }
    }
    return (image, truth)
  }
}

/// A video of 640 × 480 from a camera that turns back and forth over a crowd. The ground truth is the faces
/// found in the whole photo; fainter ones, mostly small, come and go by chance.
struct PannedCrowd {
  private let photo: RGBImage
  private let crowd: [Face]

  init() throws {
    photo = try Picture.read(path: SharedData.path("images/selfie.png"))
    let options = DetectionOptions { ($0.letterbox, $0.scoreThreshold) = (.longSide(2048), 0.7) }
    crowd = try FaceDetector(threads: 2).detect(in: photo, options: options)
  }

  /// A frame, and the parts inside it of the faces of which at least this share is.
  func frame(
    at seconds: Double, width: Double, leastShare: Double
  ) throws -> (image: RGBImage, truth: [GroundTruthFace]) {
    let (left, top) = (Int(700 - width * cos(0.8 * seconds)), 560)
    let truth = crowd.enumerated().compactMap { name, face -> GroundTruthFace? in
      var box = face.box
      (box.x, box.y) = (box.x - Double(left), box.y - Double(top))
      let seen = box.clipped(to: Size2D(width: 640, height: 480))
      return seen.area >= leastShare * box.area ? GroundTruthFace(name: name, box: seen) : nil
    }
    return (try photo.cropped(x: left, y: top, width: 640, height: 480), truth)
  }
}

extension RGBImage {
  /// Copies the largest oval of another picture.
  fileprivate mutating func paste(_ other: RGBImage, atX left: Int, y top: Int) {
    for y in max(0, -top)..<max(0, -top, min(other.height, height - top)) {
      let vertical = (2 * Double(y) + 1) / Double(other.height) - 1
      let half = (1 - vertical * vertical).squareRoot() * Double(other.width) / 2
      let middle = Double(other.width) / 2
      let first = max(Int(middle - half), -left)
      let end = min(Int(middle + half), width - left)
      for x in first..<max(first, end) { self[left + x, top + y] = other[x, y] }
    }
  }
}

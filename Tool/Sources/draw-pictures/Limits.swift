// SPDX-License-Identifier: Apache-2.0
import Foundation
import YOLOFace

/// The model's card: one photo, harder from left to right by size, blur, turn, cover and light.
/// Green: the face is found at a score of 0.3. Red: it is not. The number is the best box's score.
func drawLimits() throws -> RGBImage {
  let detector = try FaceDetector()
  let rows = try hardened(try examplePhoto())
  let height = rows.count * Tile.height
  var picture = RGBImage(width: rows[0].count * Tile.width, height: height, fill: .white)
  for (row, tiles) in rows.enumerated() {
    for (column, tile) in tiles.enumerated() {
      picture.draw(
        tile.drawn(score: try tile.score(by: detector)), atX: column * Tile.width,
        y: row * Tile.height)
    }
  }
  return picture
}

/// The face's box, drawn by hand.
private let trueBox = Box(x: 175, y: 54, width: 100, height: 126)
private let gray = RGBColor(red: 114, green: 114, blue: 114)

/// The rows of the picture.
private func hardened(_ photo: RGBImage) throws -> [[Tile]] {
  let (plain, face) = try placed(photo, faceHeight: 40)
  let sizes = try [64, 32, 16, 12, 8, 6].map { height in
    let (picture, face) = try placed(photo, faceHeight: Double(height))
    return Tile(label: "\(height) px", picture: picture, face: face)
  }
  let blurs = try [1, 2, 3, 4, 6, 8].map { sigma in
    let picture = try plain.blurred(sigma: Double(sigma))
    return Tile(label: "sigma \(sigma)", picture: picture, face: face)
  }
  let turns = try [15, 30, 60, 90, 135, 180].map { degrees in
    let (picture, face) = try placed(photo, faceHeight: 40, turnedBy: Double(degrees))
    return Tile(label: "\(degrees) deg", picture: picture, face: face)
  }
  let covers = [20, 30, 40, 50, 60, 70].map { percent in
    let covered = (face.height * Double(percent) / 100).rounded()
    var picture = plain
    picture.fillRectangle(
      Box(
        x: face.x - 2, y: face.maxY - covered, width: face.width + 4, height: covered + 2),
      color: gray)
    return Tile(label: "\(percent)%", picture: picture, face: face)
  }
  let lights = try [0.5, 0.25, 0.12, 0.06, 0.04, 0.02].map { light in
    Tile(label: "x \(light)", picture: try plain.lit(by: light), face: face)
  }
  return [sizes, blurs, turns, covers, lights]
}

/// The face at the centre of a tile, `faceHeight` pixels high, turned counterclockwise by degrees.
private func placed(
  _ photo: RGBImage, faceHeight: Double, turnedBy degrees: Double = 0
) throws -> (picture: RGBImage, face: Box) {
  // Sampling does not average, so the photo is shrunk first.
  var (photo, box) = (photo, trueBox)
  while faceHeight / box.height < 0.5 {
    photo = try photo.resized(width: photo.width / 2, height: photo.height / 2, filter: .area)
    box = Box(x: box.x / 2, y: box.y / 2, width: box.width / 2, height: box.height / 2)
  }
  let (scale, angle) = (faceHeight / box.height, degrees * .pi / 180)
  let (cosine, sine) = (cos(angle), sin(angle))
  let (center, middle) = (box.center, Double(Tile.side) / 2)
  let picture = try photo.sampled(width: Tile.side, height: Tile.side, background: gray) {
    let (x, y) = (($0.x - middle) / scale, ($0.y - middle) / scale)
    return Point2D(x: center.x + x * cosine - y * sine, y: center.y + x * sine + y * cosine)
  }
  // A turned head fills the box around a turned ellipse.
  func extent(_ one: Double, _ other: Double) -> Double {
    (one * one + other * other).squareRoot() * scale
  }
  let size = Size2D(
    width: extent(box.width * cosine, box.height * sine),
    height: extent(box.height * cosine, box.width * sine))
  return (picture, Box(center: Point2D(x: middle, y: middle), size: size))
}

/// One step of one difficulty.
private struct Tile {
  static let (side, border, strip) = (128, 2, 42)
  static let (width, height) = (side + 2 * border, side + border + strip)

  let label: String
  let picture: RGBImage
  /// Where the face is.
  let face: Box

  /// The score of the detection that is the face; 0 where there is none.
  func score(by detector: FaceDetector) throws -> Float {
    var options = DetectionOptions()
    options.letterbox = .longSide(Tile.side)
    options.scoreThreshold = 0.02
    let fitting = try detector.detect(in: picture, options: options)
      .filter { $0.box.intersectionOverUnion(with: face) >= 0.4 }
    return fitting.map(\.score).max() ?? 0
  }

  func drawn(score: Float) -> RGBImage {
    let color =
      score >= 0.3
      ? RGBColor(red: 60, green: 200, blue: 80) : RGBColor(red: 230, green: 60, blue: 60)
    var tile = RGBImage(width: Tile.width, height: Tile.height, fill: color)
    tile.draw(picture, atX: Tile.border, y: Tile.border)
    for (line, text) in [label, String(format: "%.2f", score)].enumerated() {
      tile.drawText(
        text, at: Point2D(x: 8, y: Double(Tile.border + Tile.side + 4 + 19 * line)), scale: 2,
        color: .black)
    }
    return tile
  }
}

extension RGBImage {
  fileprivate func with(_ values: [Float]) throws -> RGBImage {
    try RGBImage(
      width: width, height: height,
      pixels: values.map { UInt8(min(max($0, 0), 255).rounded()) })
  }

  /// The picture with each sample multiplied by a factor.
  fileprivate func lit(by light: Double) throws -> RGBImage {
    try with(pixels.map { Float($0) * Float(light) })
  }

  /// A Gaussian blur, along rows and then columns; the outermost pixels are repeated.
  fileprivate func blurred(sigma: Double) throws -> RGBImage {
    let radius = Int((3 * sigma).rounded(.up))
    let bell = (-radius...radius).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
    let sum = bell.reduce(0, +)
    var values = pixels.map(Float.init)
    for (step, count) in [(3, width), (3 * width, height)] {
      let before = values
      for number in values.indices {
        let place = number / step % count
        var total: Float = 0
        for (tap, weight) in zip(-radius...radius, bell) {
          let moved = min(max(place + tap, 0), count - 1) - place
          total += before[number + moved * step] * weight
        }
        values[number] = total / sum
      }
    }
    return try with(values)
  }
}

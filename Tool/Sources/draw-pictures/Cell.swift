// SPDX-License-Identifier: Apache-2.0
import Foundation
@_spi(Tool) import YOLOFace

/// The network's input of the example, its coarsest head, and the candidates of that, the best one first.
private func coarsest() throws -> (input: RGBImage, head: FaceHead, candidates: [Candidate]) {
  let (photo, detector) = (try examplePhoto(), try FaceDetector())
  let input = try photo.letterboxed(
    Letterbox(imageWidth: photo.width, imageHeight: photo.height, mode: .longSide(640)))
  let candidates = try detector.readings(of: input)[2].candidates
  return (input, detector.recipe.heads[2], candidates.sorted { $0.face.score > $1.face.score })
}

/// Decoding: the coarsest grid over the network's input, the best cell in yellow, its anchor about
/// the cell's centre in blue, and the box found in green.
func drawCell() throws -> RGBImage {
  let (input, head, candidates) = try coarsest()
  let (best, side) = (candidates[0], Double(head.stride))
  var picture = input
  for place in stride(from: side, to: Double(input.width), by: side) {
    let column = Box(x: place, y: 0, width: 1, height: Double(input.height))
    let row = Box(x: 0, y: place, width: Double(input.width), height: 1)
    for line in [column, row] { picture.fillRectangle(line, color: .white, opacity: 0.7) }
  }
  let cell = Box(
    x: Double(best.column) * side, y: Double(best.row) * side, width: side, height: side)
  let anchor = Box(center: cell.center, size: head.anchors[best.anchor])
  let (blue, green) = (
    RGBColor(red: 60, green: 100, blue: 240), RGBColor(red: 60, green: 220, blue: 90)
  )
  picture.strokeRectangle(anchor, lineWidth: 3, color: blue)
  picture.strokeRectangle(best.face.box, lineWidth: 5, color: green)
  picture.strokeRectangle(cell, lineWidth: 5, color: RGBColor(red: 255, green: 180, blue: 0))
  picture.fillDisc(center: best.face.box.center, radius: 6, color: green)
  let left = Int(min(max(cell.center.x - 212, 0), Double(input.width - 440)))
  return try picture.cropped(x: left, y: 0, width: 440, height: 400)
}

/// Suppression: the scores of the best candidate's anchor in the cells around it, and the middle of its box.
func drawGlow() throws -> RGBImage {
  let (input, head, candidates) = try coarsest()
  let (best, side) = (candidates[0], head.stride)
  let (left, top) = (best.column - 3, best.row - 3)
  var picture = try input.cropped(x: left * side, y: top * side, width: 7 * side, height: 7 * side)
    .resized(width: 448, height: 448)
  for candidate in candidates where candidate.anchor == best.anchor {
    let (x, y) = (Double(64 * (candidate.column - left)), Double(64 * (candidate.row - top)))
    let cell = Box(x: x, y: y, width: 62, height: 62)
    picture.fillRectangle(cell, color: .black, opacity: 0.45)
    let score = candidate.face.score
    picture.fillRectangle(
      cell, color: RGBColor(red: 255, green: 180, blue: 0), opacity: Double(score))
    picture.drawText(
      String(format: "%.2f", score), at: Point2D(x: x + 8, y: y + 42), scale: 2,
      color: score < 0.3 ? .white : .black)
  }
  let (middle, scale) = (best.face.box.center, Double(64 / side))
  let dot = Point2D(x: middle.x * scale - Double(64 * left), y: middle.y * scale - Double(64 * top))
  picture.fillDisc(center: dot, radius: 6, color: RGBColor(red: 60, green: 220, blue: 90))
  return picture
}

import Foundation
import YOLOFace

/// Alignment: a face turned by 25°, its square crop, and the aligned face with the template's
/// points. The landmarks are found before the turn, and turned with the photo.
func drawAlignment() throws -> RGBImage {
  let astronaut = try Astronaut()
  let (side, angle) = (336.0, 25 * Double.pi / 180)
  let (center, cosine, sine) = (astronaut.face.box.center, cos(angle), sin(angle))
  let photo = try astronaut.photo.sampled(width: Int(side), height: Int(side)) {
    let (x, y) = ($0.x - side / 2, $0.y - side / 2)
    return Point(x: center.x + x * cosine + y * sine, y: center.y - x * sine + y * cosine)
  }
  let face = astronaut.face.map {
    let (x, y) = ($0.x - center.x, $0.y - center.y)
    return Point(x: side / 2 + x * cosine - y * sine, y: side / 2 + x * sine + y * cosine)
  }
  guard let landmarks = face.landmarks,
    let part = FaceCrop(margin: 0.1, isSquare: true).rectangle(around: face.box, in: photo.size)
  else { throw NothingFound() }
  let alignment = try FaceAlignment(landmarks, side: Int(side) / 2)
  var aligned = try photo.aligned(by: alignment)
  for point in FaceAlignment.template.points {
    let scale = side / 2 / Double(FaceAlignment.templateSide)
    let (x, y) = (point.x * scale, point.y * scale)
    aligned.fillRectangle(Rectangle(x: x - 5, y: y - 0.75, width: 10, height: 1.5), color: .white)
    aligned.fillRectangle(Rectangle(x: x - 0.75, y: y - 5, width: 1.5, height: 10), color: .white)
  }
  var found = photo
  found.draw([face])
  return RGBImage.row([
    ("turned by 25 degrees", try found.resized(width: 168, height: 168, filter: .area)),
    ("--square --margin 0.1", try photo.cropped(to: part).resized(width: 168, height: 168)),
    ("aligned to the template", aligned),
  ])
}

//! Finds a face and tells where it is in a mirrored view, and back.
//!
//!     swift run MapToView photo.png seen.png

import YOLOFace

let paths = CommandLine.arguments.dropFirst()
let image = try PNG.read(path: paths.first ?? "Examples/astronaut.png")
let view = try ViewSpace(
  imageSize: Size(width: Double(image.width), height: Double(image.height)), isMirrored: true,
  placement: .view(Size(width: 390, height: 844), .aspectFill))

for face in try FaceDetector().detect(in: image) {
  let seen = view.map(face)
  print("in the picture: box \(face.box), right eye \(face.landmarks.rightEye)")
  print("in the view:    box \(seen.box), right eye \(seen.landmarks.rightEye)")
  print(
    "as fractions from the bottom left: \(view.written(in: .normalizedFromBottomLeft).map(face.box))"
  )
}
// A finger on the middle of the view, and the pixel under it.
print(view.unmap(Point(x: 195, y: 422)))

if let target = paths.dropFirst().first {
  var seen = try image.rendered(in: view)
  seen.draw(try FaceDetector().detect(in: image).map { view.map($0) })
  try PNG.write(seen, to: target)
}

// Finds a face and prints where it is in a mirrored view, and which pixel is under a finger:
// `swift run MapToView photo.png seen.png`.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import YOLOFace

let paths = CommandLine.arguments.dropFirst()
let image = try Picture.read(path: paths.first ?? "Examples/astronaut.png")
let view = try ViewSpace(
  imageSize: image.size, isMirrored: true,
  placement: .view(Size2D(width: 390, height: 844), .aspectFill))

let fractions = view.written(in: .normalizedFromBottomLeft)

let faces = try FaceDetector().detect(in: image)
for face in faces {
  let seen = view.map(face)
  print("in the picture:", face.box, face.landmarks?.rightEye ?? "")
  print("in the view:", seen.box, seen.landmarks?.rightEye ?? "")
  print("as fractions from the bottom left:", fractions.map(face.box))
}
// A finger on the middle of the view, and the pixel under it.
print(view.unmap(Point2D(x: 195, y: 422)))

if let target = paths.dropFirst().first {
  var seen = try image.rendered(in: view)
  seen.draw(faces.map { view.map($0) })
  try PNG.write(seen, to: target)
}

// Finds the faces in a picture, prints them and, where a second path is given, draws them:
// `swift run Detect photo.png faces.png`.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import YOLOFace

let paths = CommandLine.arguments.dropFirst()
var image = try Picture.read(path: paths.first ?? "Examples/astronaut.png")

let detector = try FaceDetector()
let faces = try detector.detect(in: image)

for face in faces {
  print("score", face.score)
  print("from", face.box.minX, face.box.minY, "to", face.box.maxX, face.box.maxY)
  if let nose = face.landmarks?.nose { print("nose at", nose.x, nose.y) }
}
if let target = paths.dropFirst().first {
  image.draw(faces)
  try PNG.write(image, to: target)
}

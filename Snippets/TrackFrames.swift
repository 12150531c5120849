// Follows faces through frames such as a camera's, BGRA with padded rows, and prints who comes and stays:
// `swift run TrackFrames photo.png`. The frames are made of one picture that moves to the right.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import YOLOFace

let path = CommandLine.arguments.dropFirst().first ?? "Examples/astronaut.png"
let picture = try Picture.read(path: path)
let bytesPerRow = 4 * picture.width + 64

let detector = try FaceDetector(precision: .int8)
var options = DetectionOptions()
options.letterbox = .longSide(320)
var tracker = FaceTracker()

for number in 0..<5 {
  var frame = [UInt8](repeating: 0, count: bytesPerRow * picture.height)
  var moved = RGBImage(width: picture.width, height: picture.height)
  moved.draw(picture, atX: 8 * number, y: 0)
  try moved.write(over: &frame, format: .bgra, bytesPerRow: bytesPerRow)

  let image = try RGBImage(
    copying: frame.span.bytes, width: picture.width, height: picture.height, format: .bgra,
    bytesPerRow: bytesPerRow)
  let faces = try detector.detect(in: image, options: options)
  let update = try tracker.update(faces, at: RationalTime(value: 1001 * number, timescale: 30_000))
  for face in update.new { print("frame \(number): face \(face.id) comes, \(face.face)") }
  for face in update.updated { print("frame \(number): face \(face.id) at \(face.face.box)") }
}

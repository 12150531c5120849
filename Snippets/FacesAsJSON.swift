// Prints the faces in a picture as JSON, in the form of `yoloface detect --json`, and reads them back:
// `swift run FacesAsJSON photo.png`.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import Foundation
import YOLOFace

let path = CommandLine.arguments.dropFirst().first ?? "Examples/astronaut.png"
let faces = try FaceDetector().detect(at: path)

let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
let json = try encoder.encode(faces)
print(String(decoding: json, as: UTF8.self))

let read = try JSONDecoder().decode([Face].self, from: json)
precondition(read == faces)

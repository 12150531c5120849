// Finds faces in many pictures, several at a time, and prints the results in their order:
// `swift run DetectMany a.png b.png c.png`.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import YOLOFace

let arguments = Array(CommandLine.arguments.dropFirst())
let paths =
  arguments.isEmpty ? ["Examples/astronaut.png", "Examples/astronaut.faces.png"] : arguments

let results = try FaceDetector().results(of: paths, workers: 4) { path, detector in
  try detector.detect(at: path)
}
for await (path, result) in results {
  switch result {
  case .success(let faces): print("\(path): \(faces.map(\.score))")
  case .failure(let error): print("\(path): \(error)")
  }
}

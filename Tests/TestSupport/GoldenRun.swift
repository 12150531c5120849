// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What upstream ncnn makes of the default model on a part of the example photo, and a separate decoder of
/// its outputs. It is part of the project; see `Tests/InferenceTests/Fixtures/make_golden.py`.
package struct GoldenRun: Decodable, Sendable {
  /// A blob between the input and the outputs, of which some values are recorded.
  package struct Blob: Decodable, Sendable {
    package var name: String
    package var shape: [Int]
  }

  package var scoreThreshold: Float
  package var iouThreshold: Double
  /// The proposals that reach the score threshold, in the picture's pixels, best first.
  package var candidates: [GoldenDetections.Found]
  /// The indices of those that non-maximum suppression keeps.
  package var kept: [Int]
  package var blobs: [Blob]

  /// The picture's width and height, which are the network's input's.
  package static let side = 160

  package static func read() throws -> GoldenRun {
    try JSONDecoder().decode(
      GoldenRun.self, from: Data(contentsOf: URL(fileURLWithPath: path("golden.json"))))
  }

  /// The picture's samples: rows × columns × RGB.
  package static func pixels() throws -> [UInt8] {
    let file = try Data(contentsOf: URL(fileURLWithPath: path("picture.ppm")))
    return [UInt8](file.suffix(3 * side * side))
  }

  /// The path of one of the files.
  package static func path(_ name: String) -> String {
    SharedData.projectRoot.appending(path: "Tests/InferenceTests/Fixtures/Golden/\(name)").path
  }
}

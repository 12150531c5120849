// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceNCNN

/// Networks of other forms that end in blobs of 3 × cells × 16.
struct OtherModelTests {
  /// One head of stride 32 by average pooling, in a form that no reduction recognises: all values
  /// are 0, except one anchor's objectness.
  @Test func computesIrreducibleHeadsWhole() throws {
    let layers = [
      "Input data 0 1 data", "Pooling pool 1 1 data pooled 0=1 1=32 2=32",
      "Convolution conv 1 1 pooled raw 0=48 1=1 5=1 6=144", "ReLU relu 1 1 raw positive",
      "Reshape reshape 1 1 positive shaped 0=-1 1=16 2=3", "Permute permute 1 1 shaped out 0=1",
    ]
    var weights = [Float](repeating: 0, count: 1 + 144 + 48)
    // Anchor 1, objectness: red · 8. Tag 0 comes first, the biases last.
    weights[1 + (16 + 4) * 3] = 8
    try withTemporaryFolder { folder in
      let (param, bin) = try writeModel(layers, weights: weights, in: folder)
      let head = YOLO5FaceHead(
        stride: 32,
        anchors: [8, 16, 32].map { Size2D(width: $0, height: $0) }, scoreRule: .objectness)
      let recipe = ModelRecipe.yolo5Face(input: "data", outputs: ["out"], heads: [head])
      let detector = try FaceDetector(param: param, bin: bin, recipe: recipe)
      for (input, output, message) in [
        ("shaped", "out", "found inputs data, expected shaped alone, as the recipe names it"),
        ("data", "none", "found no blob none, expected the blob that the recipe names"),
      ] {
        let wrong = ModelRecipe.yolo5Face(input: input, outputs: [output], heads: [head])
        let error = #expect(throws: FaceDetectorError.self) {
          try FaceDetector(param: param, bin: bin, recipe: wrong)
        }
        #expect(error?.description == "\(param): \(message)")
      }

      let sparse = YOLO5FaceHead(stride: 64, anchors: head.anchors)
      let misfit = #expect(throws: FaceDetectorError.self) {
        try FaceDetector(
          param: param, bin: bin,
          recipe: .yolo5Face(input: "data", outputs: ["out"], heads: [sparse]))
      }
      #expect(
        misfit?.description.contains("found shape [3, 2, 16] of out, expected [3, 1, 16]") == true)

      var picture = RGBImage(width: 64, height: 32)
      picture.fillRectangle(
        Box(x: 32, y: 0, width: 32, height: 32), color: RGBColor(red: 255, green: 0, blue: 0))
      let options = DetectionOptions { $0.scoreThreshold = 0.9 }
      let faces = try detector.candidates(in: picture, options: options)
      let face = try #require(faces.first)
      #expect(faces.count == 1)
      // σ(8) = 0.99966; all other values are 0: the box is the anchor around the cell's centre.
      #expect(abs(face.score - 0.99966) < 1e-5)
      #expect(face.box == Box(x: 40, y: 8, width: 16, height: 16))
      #expect(face.landmarks?.nose == Point2D(x: 32, y: 0))
    }
  }
}

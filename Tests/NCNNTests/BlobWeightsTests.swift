// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

/// What is refused; what is computed is upstream's, in `LayerFixtureTests`.
@Suite struct BlobWeightsTests {
  private func outputShape(
    _ kind: String, _ parameters: String, _ shapes: [Int]...
  ) throws -> [Int]? {
    let names = shapes.indices.map { "in\($0)" }
    let network = try read(
      names.map { "Input \($0) 0 1 \($0)" } + [
        "\(kind) c \(shapes.count) 1 \(names.joined(separator: " ")) out \(parameters)"
      ])
    try network.requireKnownLayers()
    let inputs = Dictionary(uniqueKeysWithValues: zip(names, shapes))
    return try ShapeInference(network, inputs: inputs).shapes["out"]
  }

  @Test(arguments: [
    [[4, 5, 6], [8, 3, 3, 3]], [[3, 5, 6], [8, 3, 6, 3]], [[3, 5, 6], [27]], [[3, 5, 6], [8, 3]],
    [[3, 5, 6], [1 << 14, 3, 1 << 14, 1 << 14]],
  ])
  func weightsThatDoNotFit(shapes: [[Int]]) throws {
    #expect(throws: InferenceError.self) {
      try outputShape("Convolution", "19=1", shapes[0], shapes[1])
    }
  }

  @Test func groupsAndBiasesFit() throws {
    #expect(try outputShape("Deconvolution", "28=1", [3, 5, 6], [3, 4, 2, 2]) == [4, 6, 7])
    #expect(
      try outputShape("ConvolutionDepthWise", "7=2 5=1 19=1", [4, 5, 6], [6, 2, 1, 1], [6])
        == [6, 5, 6])
    for (group, bias) in [(4, 6), (2, 4)] {
      #expect(throws: InferenceError.self) {
        try outputShape(
          "ConvolutionDepthWise", "7=\(group) 5=1 19=1", [4, 5, 6], [6, 2, 1, 1], [bias])
      }
    }
    #expect(throws: ModelError.self) { try outputShape("Convolution", "3=0 19=1", [1], [1]) }
    #expect(throws: ModelError.self) { try outputShape("Convolution", "5=1 19=1", [1], [1]) }
  }
}

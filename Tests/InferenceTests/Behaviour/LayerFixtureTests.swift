import Foundation
import Inference
import NCNN
import TestSupport
import Testing

/// Every layer kind against upstream ncnn, whose outputs `Fixtures/make_fixtures.py` recorded.
@Suite struct LayerFixtureTests {
  @Test(arguments: try LayerFixture.all())
  func agreesWithUpstream(_ fixture: LayerFixture) throws {
    let outputs = try Interpreter(fixture.network()).run(
      fixture.tensors(), extracting: fixture.outputs.keys.sorted())
    for (name, expected) in fixture.outputs {
      let output = try #require(outputs[name], "no blob \(name)")
      try #require(output.shape == expected.shape)
      try #require(output.values.count == expected.values.count)
      let differences = expected.values.indices.filter { index in
        // Written so that NaN counts as a difference.
        !(abs(output.values[index] - expected.values[index])
          <= fixture.tolerance * max(1, abs(expected.values[index])))
      }
      let first = differences.first.map { index in
        "\(name)[\(index)] is \(output.values[index]), upstream \(expected.values[index])"
      }
      #expect(differences.isEmpty, "\(differences.count) differ, first \(first ?? "")")
    }
  }
}

/// One layer with its weights, its inputs and upstream ncnn's outputs.
struct LayerFixture: Decodable, Sendable, CustomTestStringConvertible, CustomStringConvertible {
  struct Blob: Decodable, Sendable {
    var shape: [Int]
    var values: [Float]
  }

  var kind = ""
  var name: String
  var param: String
  var bin: Data
  var inputs: [String: Blob]
  var outputs: [String: Blob]

  private enum CodingKeys: CodingKey {
    case name, param, bin, inputs, outputs
  }

  var description: String { "\(kind): \(name)" }
  var testDescription: String { description }

  /// Kinds that only move or select numbers: their results are equal to the bit.
  static let exactKinds: Set = [
    "Cast", "Clip", "Concat", "CopyTo", "Crop", "DeepCopy", "Diag", "ExpandDims", "Flatten",
    "Flip", "Input", "MemoryData", "Noop", "Packing", "Padding", "Permute", "PixelShuffle",
    "Reorg", "Reshape", "ShuffleChannel", "Slice", "Split", "Squeeze", "Threshold", "Tile",
    "Unfold",
  ]

  /// Kinds that calculate.
  static let inexactKinds: Set = [
    "AbsVal", "BNLL", "BatchNorm", "Bias", "BinaryOp", "CELU", "Convolution", "Convolution1D",
    "ConvolutionDepthWise", "ConvolutionDepthWise1D", "CumulativeSum", "Deconvolution",
    "Deconvolution1D", "DeconvolutionDepthWise", "DeconvolutionDepthWise1D", "DetectionOutput",
    "Dropout", "ELU", "Einsum", "Eltwise", "Erf",
    "Exp", "Fold", "GELU", "GLU", "GRU", "Gemm", "GroupNorm", "HardSigmoid", "HardSwish",
    "InnerProduct", "InstanceNorm", "Interp", "LRN", "LSTM", "LayerNorm", "Log", "MVN",
    "MatMul", "Mish", "MultiHeadAttention", "Normalize", "PReLU", "Pooling", "Pooling1D",
    "Power", "PriorBox", "RMSNorm", "RNN", "ReLU", "Reduction", "SDPA", "SELU", "Scale", "Shrink",
    "Sigmoid", "Softmax", "Softplus", "Swish", "TanH", "UnaryOp", "YoloDetectionOutput",
    "Yolov3DetectionOutput",
  ]

  /// Layers that compute in int8, and what others do with the blobs that they hand on.
  static let int8Files: Set = [
    "Int8Blobs", "Int8Convolution", "Int8ConvolutionDepthWise", "Int8InnerProduct",
  ]

  static let kinds = exactKinds.union(inexactKinds).union(int8Files).sorted()

  /// The largest difference, relative to values above 1 and absolute below.
  ///
  /// The sums have at most 180 terms and results near 1, so that another order of addition or a
  /// fused multiply-add moves them by some 1e-6 (square root of the terms × half a unit in the last
  /// place); upstream's own exponentials and powers are polynomials good to about 1e-7, and
  /// GroupNorm multiplies such errors by up to 1 / √epsilon = 10. A wrong pixel, divisor or
  /// activation moves them by 1e-3 and more. Int8 results are equal: their sums are exact, and the
  /// recorded cases keep clear of halves, which another order of the scales might round another way.
  var tolerance: Float { Self.exactKinds.contains(kind) ? 0 : 1e-5 }

  func network() throws -> Network {
    var network = try Network(param: Array(param.utf8), source: "\(self).param")
    try network.loadWeights([UInt8](bin), source: "\(self).bin")
    return network
  }

  /// The inputs.
  func tensors() throws -> [String: Tensor] {
    try inputs.mapValues { try Tensor(shape: $0.shape, values: $0.values) }
  }

  /// The cases of all files, by kind in alphabetical order.
  static func all() throws -> [LayerFixture] { try files.get() }

  /// The files, read once.
  private static let files = Result { try readFiles() }

  private static func readFiles() throws -> [LayerFixture] {
    struct File: Decodable {
      var kind: String
      var cases: [LayerFixture]
    }
    let folder = SharedData.projectRoot.appending(path: "Tests/InferenceTests/Fixtures")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return
      try files
      .filter { $0.pathExtension == "json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .flatMap { url in
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
        return file.cases.map { fixture in
          var fixture = fixture
          fixture.kind = file.kind
          return fixture
        }
      }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceNCNN

/// Every layer kind against upstream ncnn, whose outputs `Fixtures/make_fixtures.py` recorded.
@Suite struct LayerFixtureTests {
  @Test(arguments: try LayerFixture.all())
  func agreesWithUpstream(_ fixture: LayerFixture) throws {
    let outputs = try Interpreter(fixture.network()).run(
      fixture.tensors(), extracting: fixture.outputs.keys.sorted())
    try fixture.require(outputs, within: fixture.tolerance, "interpreter")
  }

  /// Others take their arguments from the recordings.
  @Test func theRecordingsAreThere() throws {
    let kinds = try LayerFixture.kinds()
    #expect(kinds.count > 80 && kinds.count { $0.hasPrefix("Int8") } == 4)
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

  /// Requires outputs to be upstream's.
  func require(
    _ found: [String: Tensor], within tolerance: Float, _ place: Comment
  ) throws {
    for (name, blob) in outputs {
      try #require(found[name], place).require(blob.shape, blob.values, within: tolerance, place)
    }
  }

  /// The inputs.
  func tensors() throws -> [String: Tensor] {
    try inputs.mapValues { try Tensor(shape: $0.shape, values: $0.values) }
  }

  /// The cases of all files, by kind in alphabetical order.
  static func all() throws -> [LayerFixture] { try files.get() }

  /// Each kind, or what the name of a file says instead, such as `Int8Blobs`.
  static func kinds() throws -> [String] { Set(try all().map(\.kind)).sorted() }

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

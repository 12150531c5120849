// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Random networks against upstream ncnn, whose outputs scripts in `Fixtures` recorded.
@Suite struct RecordedNetworkTests {
  private static let int8 = Result { try RecordedNetwork.read("RandomInt8") }
  private static let shapes = Result { try RecordedNetwork.read("RandomShapes") }

  /// Of int8 and float layers; `make_random_int8.py`.
  @Test(arguments: 0..<Rounds.few(60, of: 300)) func int8AgreesWithUpstream(number: Int) throws {
    let recorded = try Self.int8.get()[number]
    try recorded.requireAgreement(number: number, within: recorded.takesCurves ? 0.05 : 5e-5)
  }

  /// Of blobs with one to four axes, and of sizes that are computed from those of other blobs;
  /// `make_random_shapes.py`.
  @Test(arguments: 0..<Rounds.few(40, of: 300)) func shapesAgreeWithUpstream(number: Int) throws {
    try Self.shapes.get()[number].requireAgreement(number: number, within: 5e-5)
  }
}

/// A random network, its input and upstream ncnn's outputs, in a recording that a script in `Fixtures` made.
struct RecordedNetwork: Decodable, Sendable {
  var param: String
  var bin: Data
  var shape: [Int]
  var input: Data
  var outputs: [String: RecordedBlob]

  /// Whether the engine may take an activation between two int8 layers from a `ByteCurve`, which is off
  /// by a step of int8 here and there.
  var takesCurves: Bool {
    ["Swish", "Sigmoid", "HardSwish", "HardSigmoid", "Clip", " 9="].contains { param.contains($0) }
  }

  /// The networks of a folder of `Fixtures`.
  static func read(_ folder: String) throws -> [RecordedNetwork] {
    struct Recording: Decodable { var networks: [RecordedNetwork] }
    let path = "Tests/InferenceTests/Fixtures/\(folder)/networks.json"
    let data = try Data(contentsOf: SharedData.projectRoot.appending(path: path))
    return try JSONDecoder().decode(Recording.self, from: data).networks
  }

  /// Runs the network in every available instruction set and plainly.
  ///
  /// No number that is rounded to int8 lies within 0.002 of a half, so that differences never become a
  /// step of int8; floats differ by no more than exponentials with an error of 4e-6 and sums in another
  /// order do.
  ///
  /// - Parameter tolerance: that of the engine's floats.
  func requireAgreement(number: Int, within tolerance: Float) throws {
    var network = try Network(param: Array(param.utf8), source: "\(number).param")
    try network.loadWeights([UInt8](bin), source: "\(number).bin")
    let input = try Tensor(shape: shape, values: input.map { Float(Int8(bitPattern: $0)) / 32 })
    let wanted = outputs.keys.sorted()
    try require(
      Interpreter(network).run(["data": input], extracting: wanted), within: 5e-5, "\(param)")
    try runEverywhere(
      network, ["data": input], extracting: wanted, threads: 1 + number % 2
    ) { engine, outputs in
      try require(outputs, within: tolerance, "\(engine.instructionSet): \(param)")
    }
  }

  private func require(
    _ blobs: [String: Tensor], within tolerance: Float, _ place: Comment
  ) throws {
    for (name, expected) in outputs {
      try expected.requireEqual(blobs[name], within: tolerance, place)
    }
  }
}

/// A blob of upstream ncnn, in a recording that a script in `Fixtures` made.
struct RecordedBlob: Decodable, Sendable {
  var shape: [Int]
  /// Its elements as bytes, if it is int8.
  var int8: Data?
  /// Otherwise, as little-endian numbers.
  var float32: Data?

  /// Requires the same integers, or floats that differ by no more than a tolerance.
  func requireEqual(_ blob: Tensor?, within tolerance: Float, _ place: Comment) throws {
    let integers = int8?.map { Float(Int8(bitPattern: $0)) }
    try #require(blob, place).require(
      shape, try integers ?? #require(float32).floats, within: integers == nil ? tolerance : 0,
      place)
  }
}

extension Data {
  /// Little-endian numbers.
  fileprivate var floats: [Float] {
    [UInt8](self).withUnsafeBytes { bytes in
      stride(from: 0, to: count, by: 4).map {
        Float(
          bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
        )
      }
    }
  }
}

import Foundation
import Inference
import NCNN
import TestSupport
import Testing

/// Random networks of int8 and float layers against upstream ncnn, whose outputs
/// `Fixtures/make_random_int8.py` recorded.
@Suite struct RandomInt8Tests {
  struct Recording: Decodable, Sendable {
    var networks: [RecordedNetwork]
  }

  struct RecordedNetwork: Decodable, Sendable {
    var param: String
    var bin: Data
    var shape: [Int]
    var input: Data
    var outputs: [String: RecordedBlob]
  }

  static let recording = Result {
    let path = "Tests/InferenceTests/Fixtures/RandomInt8/networks.json"
    return try JSONDecoder().decode(
      Recording.self, from: Data(contentsOf: SharedData.projectRoot.appending(path: path)))
  }

  @Test(arguments: 0..<Rounds.few(60, of: 300)) func agreesWithUpstream(number: Int) throws {
    let recorded = try Self.recording.get().networks[number]
    var network = try Network(param: Array(recorded.param.utf8), source: "\(number).param")
    try network.loadWeights([UInt8](recorded.bin), source: "\(number).bin")
    let input = try Tensor(
      shape: recorded.shape, values: recorded.input.map { Float(Int8(bitPattern: $0)) / 32 })
    let wanted = recorded.outputs.keys.sorted()
    try recorded.require(
      Interpreter(network).run(["data": input], extracting: wanted), "\(recorded.param)")
    try runEverywhere(
      network, ["data": input], extracting: wanted, threads: 1 + number % 2
    ) { engine, outputs in
      try recorded.require(
        outputs, by: recorded.takesCurves ? 0.05 : 5e-5,
        "\(engine.instructionSet): \(recorded.param)")
    }
  }
}

extension RandomInt8Tests.RecordedNetwork {
  /// Whether the engine may take an activation between two int8 layers from a `ByteCurve`, which is off
  /// by a step of int8 here and there.
  fileprivate var takesCurves: Bool {
    ["Swish", "Sigmoid", "HardSwish", "HardSigmoid", "Clip", " 9="].contains { param.contains($0) }
  }

  /// Requires int8 blobs that equal upstream's, and floats that differ by no more than exponentials
  /// with an error of 4e-6 and sums in another order do.
  ///
  /// No number that is rounded to int8 lies within 0.002 of a half, so that such differences never
  /// become a step of int8.
  fileprivate func require(
    _ blobs: [String: Tensor], by tolerance: Float = 5e-5, _ place: Comment
  ) throws {
    for (name, expected) in outputs {
      try expected.requireEqual(blobs[name], within: tolerance, place)
    }
  }
}

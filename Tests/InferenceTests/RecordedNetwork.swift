import Foundation
import Inference
import NCNN
import TestSupport
import Testing

/// A random network, its input and upstream ncnn's outputs, in a recording that a script in `Fixtures` made.
struct RecordedNetwork: Decodable, Sendable {
  var param: String
  var bin: Data
  var shape: [Int]
  var input: Data
  var outputs: [String: RecordedBlob]

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

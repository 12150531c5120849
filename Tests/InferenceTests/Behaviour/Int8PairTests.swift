// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceNCNN

/// The default model's int8 pair, as `yoloface quantize` wrote it, against upstream ncnn, whose blobs
/// `Fixtures/make_int8_pair.py` recorded; run that again when the pair changes.
struct Int8PairTests {
  struct Recording: Decodable {
    var shape: [Int]
    /// RGB of 8 bits, channel by channel.
    var input: Data
    var blobs: [String: RecordedBlob]
  }

  /// Int8 blobs are equal, so that every number between them that a layer rounds gives the same
  /// integer; outputs differ in the last bits, which upstream's exponential has otherwise.
  @Test func everyInt8BlobAndOutputAgreesWithUpstream() throws {
    let stem = SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5-int8").path
    let network = try Network(param: stem + ".param", bin: stem + ".bin")
    let path = "Tests/InferenceTests/Fixtures/Int8Pair/blobs.json"
    let recording = try JSONDecoder().decode(
      Recording.self, from: Data(contentsOf: SharedData.projectRoot.appending(path: path)))
    let int8 = network.layers.filter { $0.quantization?.outputScale != nil }.flatMap(\.outputs)
    #expect(Set(recording.blobs.keys) == Set(int8 + ["out_8", "out_16", "out_32"]))
    let input = try Tensor(
      shape: recording.shape, values: recording.input.map { Float($0) / 255 })
    let blobs = try Interpreter(network).run(
      ["data": input], extracting: recording.blobs.keys.sorted())
    for (name, expected) in recording.blobs {
      try expected.requireEqual(blobs[name], within: 1e-5, "\(name)")
    }
  }
}

import Inference
import NCNN
import TestSupport
import Testing

/// The original model's 250 blobs, as upstream ncnn computed them.
@Suite(.enabled(if: SharedData.exists, SharedData.explanation))
struct EngineGoldenTests {
  private let network: Network
  private let input: Tensor

  init() throws {
    let model = SharedData.path("models/yolov5n-0.5")
    network = try Network(param: "\(model).param", bin: "\(model).bin")
    input = try Self.golden("data")
  }

  private static func golden(_ name: String) throws -> Tensor {
    try NPY.read(path: SharedData.path("golden/yolov5n-0.5/every_blob_64x96/\(name).npy"))
  }

  private func expect(_ blobs: [String: Tensor], within tolerance: Float) throws {
    for (name, blob) in blobs {
      let golden = try Self.golden(name)
      try #require(blob.shape == golden.shape, "\(name)")
      #expect(blob.largestDifference(from: golden) < tolerance, "\(name)")
    }
  }

  /// Upstream sums in another order, in blocks: 1e-4, absolute or relative, covers 576 products.
  @Test func everyBlobOfTheInterpreterAgreesWithUpstream() throws {
    let names = network.layers.flatMap(\.outputs).filter { $0 != "data" }
    let blobs = try Interpreter(network).run(["data": input], extracting: names)
    #expect(names.count == 250 && blobs.count == 250)
    try expect(blobs, within: 1e-4)
  }

  /// Those that remain in the engine's plan after fusion: another order of addition in every layer, and an
  /// exponential good to 4e-6.
  @Test(arguments: EngineTests.instructionSets)
  func everyRemainingBlobAgreesWithUpstream(instructionSet: String) throws {
    let blobs = try Engine(network, instructionSet: instructionSet)
      .blobsAfterFusion(of: input, outputs: ["981", "983", "985"])
    #expect(blobs.count >= 120)
    try expect(blobs, within: 1e-3)
  }
}

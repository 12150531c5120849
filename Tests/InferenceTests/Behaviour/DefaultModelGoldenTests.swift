import Kernels
import TestSupport
import Testing

@testable import Inference
@testable import NCNN

/// The whole default model on a picture of a face against upstream ncnn, whose blobs
/// `Fixtures/make_golden.py` recorded; run that again when the model changes.
struct DefaultModelGoldenTests {
  /// Upstream adds in another order, in blocks, in every layer, and our kernels' exponential is good to
  /// 4e-6. The largest difference on x86-64 is 1.4e-5. An error of 0.05 in one weight gives over 1e-3.
  private static let tolerance: Float = 1e-4

  private let network: Network
  private let golden: GoldenBlobs
  /// All blobs but the input.
  private let names: [String]

  init() throws {
    let stem = SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5").path
    network = try Network(param: stem + ".param", bin: stem + ".bin")
    golden = try GoldenBlobs()
    names = network.layers.flatMap(\.outputs).filter { $0 != "data" }
  }

  @Test func everyBlobIsRecorded() {
    #expect(names.count == 250)
    #expect(Set(golden.samples.keys) == Set(names))
    for (name, sample) in golden.samples {
      let count = GoldenBlobs.outputs.contains(name) ? sample.shape.reduce(1, *) : 48
      #expect(sample.values.count == count && Set(sample.positions).count == count, "\(name)")
    }
  }

  @Test func everyBlobOfTheInterpreterAgreesWithUpstream() throws {
    let blobs = try Interpreter(network).run(["data": golden.input], extracting: names)
    #expect(blobs.count == 250)
    try golden.expect(blobs, within: Self.tolerance, "interpreter")
  }

  /// A run that hands every blob out, so that hardly any layers are fused.
  @Test(arguments: EngineTests.instructionSets)
  func everyBlobOfTheEngineAgreesWithUpstream(instructionSet: String) throws {
    let engine = try Engine(network, instructionSet: instructionSet)
    let blobs = try engine.run(["data": golden.input], extracting: names)
    #expect(blobs.count == 250)
    try golden.expect(blobs, within: Self.tolerance, "\(instructionSet), all blobs")
  }

  @Test(arguments: EngineTests.instructionSets)
  func theOutputsOfTheEngineAgreeWithUpstream(instructionSet: String) throws {
    for threads in 1...3 {
      let engine = try Engine(network, threads: threads, instructionSet: instructionSet)
      let outputs = try engine.run(["data": golden.input], extracting: GoldenBlobs.outputs)
      #expect(outputs.count == 3)
      try golden.expect(
        outputs, within: Self.tolerance, "\(instructionSet), \(threads) threads")
    }
  }

  @Test(arguments: EngineTests.instructionSets)
  func everyBlobThatFusionLeavesAgreesWithUpstream(instructionSet: String) throws {
    let blobs = try Engine(network, instructionSet: instructionSet)
      .blobsAfterFusion(of: golden.input, outputs: GoldenBlobs.outputs)
    #expect(blobs.count >= 150)
    try golden.expect(blobs, within: Self.tolerance, "\(instructionSet), fused")
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceNCNN

@testable import YOLOFaceInference

/// Whole models against upstream ncnn. What it made of the default one, `Fixtures/make_golden.py` recorded; run that
/// again when the model changes.
struct GoldenTests {
  /// Upstream adds in another order, in blocks, in every layer, and our kernels' exponential is good to
  /// 4e-6. The largest difference on x86-64 is 1.4e-5 for the default model. An error of 0.05 in one of its weights
  /// gives over 1e-3.
  private static func tolerance(_ model: GoldenBlobs.Model) -> Float {
    model == .default ? 1e-4 : 1e-3
  }

  @Test(arguments: GoldenBlobs.Model.available)
  func everyBlobOfTheInterpreter(model: GoldenBlobs.Model) throws {
    let golden = try model.blobs()
    let blobs = try Interpreter(golden.network).run(
      ["data": golden.input], extracting: golden.names)
    #expect(blobs.count == 250 && golden.samples.count == 250)
    try golden.require(blobs, within: 1e-4, "interpreter")
  }

  /// A run that hands every blob out, so that hardly any layers are fused; runs that hand out the outputs alone;
  /// and what fusion leaves.
  @Test(arguments: EngineTests.instructionSets, GoldenBlobs.Model.available)
  func everyBlobOfTheEngine(instructionSet: String, model: GoldenBlobs.Model) throws {
    let (golden, tolerance) = (try model.blobs(), Self.tolerance(model))
    let input = ["data": golden.input]
    let engine = try Engine(golden.network, instructionSet: instructionSet)
    let all = try engine.run(input, extracting: golden.names)
    #expect(all.count == 250)
    try golden.require(all, within: tolerance, "all blobs")
    for threads in 1...3 {
      let engine = try Engine(golden.network, threads: threads, instructionSet: instructionSet)
      let outputs = try engine.run(input, extracting: golden.outputs)
      #expect(outputs.count == 3)
      try golden.require(outputs, within: tolerance, "\(threads) threads")
    }
    let fused = try engine.blobsAfterFusion(of: golden.input, outputs: golden.outputs)
    #expect(fused.count >= (model == .default ? 150 : 120))
    try golden.require(fused, within: tolerance, "fused")
  }
}

@testable import Inference
import Kernels
import NCNN
import TestSupport
import Testing

/// The original model's blobs, as upstream ncnn computed them, against those that remain in the
/// engine's plan after fusion.
@Suite(.enabled(if: SharedData.exists, SharedData.explanation))
struct EngineGoldenTests {
  private static let golden = "golden/yolov5n-0.5/every_blob_64x96"

  @Test(arguments: KernelTable.available.map(\.name))
  func everyRemainingBlobAgreesWithUpstream(instructionSet: String) throws {
    let network = try Network(
      param: SharedData.path("models/yolov5n-0.5.param"),
      bin: SharedData.path("models/yolov5n-0.5.bin"))
    let input = try NPY.read(path: SharedData.path("\(Self.golden)/data.npy"))
    let engine = try Engine(network, instructionSet: instructionSet)
    var plan = try engine.plan(
      PlanRequest(shapes: ["data": input.shape], outputs: ["981", "983", "985"]))
    // Blocks must not share memory: every blob is read after the run.
    plan.placeBlocks(keeping: Set(plan.blockSizes.indices))
    plan.releaseTensors(keeping: Array(plan.tensorShapes.indices))
    let executor = Executor(
      plan, kernels: try .selected(instructionSet), threads: ThreadPool(count: 2))
    executor.tensors[try #require(plan.inputTensors["data"])] = input
    executor.run()

    let names = plan.values.keys.filter { $0 != "data" }.sorted()
    var worst: (name: String, difference: Float) = ("", 0)
    for name in names {
      let golden = try NPY.read(path: SharedData.path("\(Self.golden)/\(name).npy"))
      let blob = try executor.tensor(name)
      try #require(blob.shape == golden.shape, "\(name)")
      let difference = blob.largestDifference(from: golden)
      // Another order of addition in every layer, and an exponential good to 4e-6.
      #expect(difference < 1e-3, "\(name)")
      if difference >= worst.difference { worst = (name, difference) }
    }
    print(
      "\(instructionSet): \(names.count) blobs, at most \(worst.difference) off (\(worst.name))")
    #expect(names.count >= 120)
  }
}

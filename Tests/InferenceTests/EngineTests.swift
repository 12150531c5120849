import Foundation
import Inference
import Kernels
import NCNN
import TestSupport
import Testing

/// The fast engine against upstream ncnn and the interpreter, in every instruction set here.
struct EngineTests {
  static let instructionSets = KernelTable.available.map(\.name)

  /// Relative above 1, absolute below; NaN counts as a difference.
  private func largestDifference(_ a: Tensor, _ b: Tensor) -> Float {
    zip(a.values, b.values).reduce(0) { worst, pair in
      let difference = abs(pair.0 - pair.1) / max(1, abs(pair.1))
      return difference <= worst ? worst : difference
    }
  }

  @Test(arguments: instructionSets, LayerFixture.kinds)
  func agreesWithUpstream(instructionSet: String, kind: String) throws {
    for fixture in try LayerFixture.all() where fixture.kind == kind {
      var network = try Network(param: Array(fixture.param.utf8), source: "\(fixture).param")
      try network.loadWeights([UInt8](fixture.bin), source: "\(fixture).bin")
      let engine = try Engine(network, instructionSet: instructionSet)
      let inputs = try fixture.inputs.mapValues { try Tensor(shape: $0.shape, values: $0.values) }
      let outputs = try engine.run(inputs, extracting: fixture.outputs.keys.sorted())
      for (name, expected) in fixture.outputs {
        let output = try #require(outputs[name], "\(fixture): no blob \(name)")
        try #require(output.shape == expected.shape, "\(fixture)")
        // The interpreter's tolerance, and room for the exponential's 4e-6.
        let expected = try Tensor(shape: expected.shape, values: expected.values)
        #expect(largestDifference(output, expected) <= 2e-5, "\(fixture)")
      }
    }
  }

  @Test(.enabled(if: SharedData.exists, SharedData.explanation), arguments: instructionSets)
  func agreesWithTheGoldenOutputs(instructionSet: String) throws {
    let folder = "golden/yolov5n-0.5/every_blob_64x96"
    let network = try Network(
      param: SharedData.path("models/yolov5n-0.5.param"),
      bin: SharedData.path("models/yolov5n-0.5.bin"))
    let input = try NPY.read(path: SharedData.path("\(folder)/data.npy"))
    for threads in 1...3 {
      let engine = try Engine(network, threads: threads, instructionSet: instructionSet)
      let blobs = try engine.run(["data": input], extracting: ["981", "983", "985"])
      for (name, blob) in blobs {
        let golden = try NPY.read(path: SharedData.path("\(folder)/\(name).npy"))
        #expect(blob.shape == golden.shape)
        #expect(largestDifference(blob, golden) < 1e-3, "\(name)")
      }
    }
  }
}

import Foundation
import Inference
import NCNN
import TestSupport
import Testing

/// The original model's 250 blobs, as upstream ncnn computed them.
@Suite(.enabled(if: SharedData.exists, SharedData.explanation))
struct InterpreterGoldenTests {
  private static let golden = "golden/yolov5n-0.5/every_blob_64x96"

  @Test func everyBlobAgreesWithUpstream() throws {
    let network = try Network(
      param: SharedData.path("models/yolov5n-0.5.param"),
      bin: SharedData.path("models/yolov5n-0.5.bin"))
    let names = network.layers.flatMap(\.outputs).filter { $0 != "data" }
    #expect(names.count == 250)
    let input = try NPY.read(path: SharedData.path("\(Self.golden)/data.npy"))
    let blobs = try Interpreter(network).run(["data": input], extracting: names)
    for name in names {
      let golden = try NPY.read(path: SharedData.path("\(Self.golden)/\(name).npy"))
      let blob = try #require(blobs[name])
      #expect(blob.shape == golden.shape, "\(name)")
      // Upstream sums in another order, in blocks: 1e-4, absolute or relative, covers 576 products.
      let worst = zip(blob.values, golden.values).map { ours, theirs in
        abs(ours - theirs) / max(1, abs(theirs))
      }.max()
      #expect(try #require(worst) < 1e-4, "\(name)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Convolutions of several groups and deconvolutions, which are planned as several convolutions, in every available
/// instruction set against the interpreter, on random shapes.
struct GroupPlanningTests {
  @Test(arguments: ["ConvolutionDepthWise", "Deconvolution", "DeconvolutionDepthWise"])
  func agreesWithTheInterpreter(kind: String) throws {
    var random = SeededGenerator(seed: UInt64(kind.utf8.count))
    let count = Rounds.few(30, of: 200)
    var rounds = 0
    while rounds < count {
      let group = kind == "Deconvolution" ? 1 : random.choice([2, 3, 4, 8, 12, 20])
      let inputs = group * random.choice([1, 1, 2, 3, 8, 17])
      let outputs = group * random.choice([1, 1, 2, 3, 8, 16, 17])
      let kernel = (random.integer(1...6), random.integer(1...6))
      let stride = (random.integer(1...4), random.integer(1...4))
      let weights = inputs * outputs / group * kernel.0 * kernel.1
      let border =
        random.choice(["", "4=1", "4=2 14=1 15=0 16=1"])
        + (kind == "ConvolutionDepthWise" ? "" : random.choice(["", " 18=1", " 18=0 19=1"]))
      let activation = random.choice(["", "9=1", "9=2 -23310=1,0.1"])
      let layer =
        "\(kind) c 1 1 data out 0=\(outputs) 1=\(kernel.0) 11=\(kernel.1) 3=\(stride.0)"
        + " 13=\(stride.1) 5=\(random.integer(0...1)) 6=\(weights)"
        + (group > 1 ? " 7=\(group)" : "") + " \(border) \(activation)"
      let network = try Network(layers: [layer], random: &random)
      let shape = [inputs, random.integer(1...13), random.integer(1...17)]
      let input = try Tensor(shape: shape, values: random.floats(shape.reduce(1, *)))
      // Winograd's transforms round; all others differ by fused multiply-adds alone.
      if try requireAgreement(
        network, ["data": input], threads: 1 + rounds % 2, within: 2e-5, "\(layer) of \(shape)")
      {
        rounds += 1
      }
    }
  }

  /// The common forms, and those whose pixels are no convolutions.
  @Test(arguments: [
    ("Deconvolution c 1 1 data out 0=3 1=2 3=2 6=60", true),
    ("Deconvolution c 1 1 data out 0=3 1=4 3=2 4=1 6=240", true),
    ("DeconvolutionDepthWise c 1 1 data out 0=5 1=16 3=8 4=4 6=1280 7=5", true),
    ("ConvolutionDepthWise c 1 1 data out 0=10 1=3 4=1 6=90 7=5", true),
    ("Deconvolution c 1 1 data out 0=3 1=2 3=3 6=60", false),
    ("Deconvolution c 1 1 data out 0=3 1=3 2=2 3=2 6=135", false),
    ("Deconvolution c 1 1 data out 0=3 1=3 3=1 4=3 6=135", false),
  ])
  func runsInKernels(layer: String, isLowered: Bool) throws {
    var random = SeededGenerator(seed: 7)
    let network = try Network(layers: [layer], random: &random)
    let input = try Tensor(shape: [5, 9, 11], values: random.floats(5 * 9 * 11))
    try requireAgreement(network, ["data": input], within: 2e-6, layer) { engine in
      #expect(engine.stepNames.contains("plain layer") != isLowered)
    }
  }
}

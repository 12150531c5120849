// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceKernels
@testable import YOLOFaceInference
@_spi(Tool) @testable import YOLOFaceNCNN

extension Network {
  /// A network of an input `data` and these layers, with random weights such that convolutions of up to 1000 products give results near 1.
  init(layers lines: [String], random: inout SeededGenerator) throws {
    try self.init(layers: lines)
    var bytes: [UInt8] = []
    for request in executionOrder.sorted().flatMap({ layers[$0].operation.traits.weights }) {
      if request.isTagged { bytes += [0, 0, 0, 0] }
      let scale = request.isTagged ? 1 / Float(min(request.count, 1000)).squareRoot() : 1
      var values = random.floats(request.count).map { $0 * scale }
      // Variances are never negative.
      if request.name == "variances" { values = values.map(abs) }
      bytes += floatBytes(values)
    }
    try loadWeights(bytes, source: "random.bin")
  }
}

/// Runs a network in every available instruction set, and requires the same bits from all that fuse
/// multiply-add.
///
/// - Parameter check: called with the outputs of each.
func runEverywhere(
  _ network: Network, _ inputs: [String: Tensor], extracting wanted: [String], threads: Int = 1,
  _ check: (_ engine: Engine, _ blobs: [String: Tensor]) throws -> Void
) throws {
  var first: (engine: Engine, blobs: [String: Tensor])?
  for kernels in KernelTable.available {
    let engine = try Engine(network, threads: threads, instructionSet: kernels.name)
    let blobs = try engine.run(inputs, extracting: wanted)
    try check(engine, blobs)
    guard kernels.fusesMultiplyAdd else { continue }
    if let first {
      for (name, blob) in blobs {
        try #require(
          blob.hasSameBits(as: first.blobs[name]),
          "\(name) of \(kernels.name) differs from \(first.engine.instructionSet)'s")
      }
    }
    first = first ?? (engine, blobs)
  }
}

/// Requires that the blob `out` of every available instruction set is the interpreter's, see `runEverywhere`.
///
/// - Parameter check: called with the engine of each.
/// - Returns: false where the input does not fit, such as one that is smaller than a window.
@discardableResult func requireAgreement(
  _ network: Network, _ inputs: [String: Tensor], threads: Int = 1, within tolerance: Float,
  _ place: String = "", _ check: (_ engine: Engine) throws -> Void = { _ in }
) throws -> Bool {
  let plain = Result { () throws(InferenceError) in
    try Interpreter(network).run(inputs, extracting: ["out"])
  }
  if case .failure(let error) = plain, error.reason == .shape { return false }
  let expected = try #require(plain.get()["out"])
  try runEverywhere(network, inputs, extracting: ["out"], threads: threads) { engine, blobs in
    let place: Comment = "\(engine.instructionSet): \(place)"
    try #require(blobs["out"]).require(expected.shape, expected.values, within: tolerance, place)
    try check(engine)
  }
  return true
}

extension Engine {
  /// The blobs but the input that remain in a plan for some outputs alone.
  func blobsAfterFusion(of data: Tensor, outputs: [String]) throws -> [String: Tensor] {
    var plan = try plan(PlanRequest(shapes: ["data": data.shape], outputs: outputs))
    // Blocks must not share memory: every blob is read after the run.
    plan.placeBlocks(keeping: Set(plan.blockSizes.indices))
    plan.releaseTensors(keeping: Array(plan.tensorShapes.indices))
    let executor = Executor(
      plan, kernels: try .selected(instructionSet), threads: ThreadPool(count: 2))
    executor.take(["data": data])
    executor.run()
    let names = plan.values.keys.filter { $0 != "data" }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try executor.tensor($0)) })
  }

  /// The kinds of steps in the plans that have been made.
  var stepNames: Set<String> {
    let plans = state.withLock { state in state.executors.map(\.plan) }
    return Set(plans.flatMap { plan in plan.steps.map(\.profile.kind) })
  }
}

extension Tensor {
  /// A tensor of random numbers in [−2, 2].
  init(shape: [Int], random: inout SeededGenerator) throws {
    try self.init(shape: shape, values: random.floats(shape.reduce(1, *)))
  }

  /// Whether shape and elements are the same, see `haveSameBits`.
  func hasSameBits(as other: Tensor?) -> Bool {
    other.map { shape == $0.shape && haveSameBits(values, $0.values) } ?? false
  }

  /// Requires a shape, and numbers that differ by no more than a tolerance, see `largestDifference(of:from:)`.
  func require(_ shape: [Int], _ values: [Float], within tolerance: Float, _ place: Comment) throws
  {
    try #require(self.shape == shape, place)
    try #require(largestDifference(of: self.values, from: values) <= tolerance, place)
  }
}

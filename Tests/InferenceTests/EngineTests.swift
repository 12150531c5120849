// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceKernels

@_spi(Tool) @testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// The fast engine against upstream ncnn and the interpreter, in every available instruction set.
struct EngineTests {
  static let instructionSets = KernelTable.available.map(\.name)

  @Test(arguments: try LayerFixture.kinds())
  func agreesWithUpstream(kind: String) throws {
    for fixture in try LayerFixture.all() where fixture.kind == kind {
      try runEverywhere(
        fixture.network(), fixture.tensors(), extracting: fixture.outputs.keys.sorted()
      ) { engine, outputs in
        // The interpreter's tolerance, and room for the exponential's 4e-6.
        try fixture.require(outputs, within: 2e-5, "\(engine.instructionSet): \(fixture)")
      }
    }
  }

  /// A network with every kind of fused step, each with several tasks at this size.
  private static let fused = [
    "Convolution first 1 1 data a 0=24 1=3 3=2 4=1 5=1 6=648 9=1",
    "Convolution point 1 1 a b 0=20 1=1 5=1 6=480", "Swish swish 1 1 b c",
    "Convolution strided 1 1 c d 0=40 1=3 3=2 4=1 5=1 6=7200",
    "Slice halves 1 2 d e f -23300=2,-233,-233",
    "ConvolutionDepthWise deep 1 1 f g 0=20 1=3 4=1 5=1 6=180 7=20",
    "Convolution after 1 1 g h 0=20 1=1 5=1 6=400", "Concat join 2 1 e h i",
    "ShuffleChannel shuffle 1 1 i j 0=2", "Split split 1 2 j k out",
  ]

  @Test(arguments: instructionSets)
  func isBitIdentical(instructionSet: String) throws {
    var random = SeededGenerator(seed: 1)
    let network = try Network(layers: Self.fused, random: &random)
    let input = try Tensor(shape: [3, 131, 203], random: &random)
    let first = try Engine(network, instructionSet: instructionSet)
      .run(["data": input], extracting: ["out"])
    let rounds = Rounds.few(10, of: 35)
    for threads in 1...3 {
      let engine = try Engine(network, threads: threads, instructionSet: instructionSet)
      for _ in 0..<rounds {
        let again = try engine.run(["data": input], extracting: ["out"])
        #expect(again["out"]?.hasSameBits(as: first["out"]) == true)
      }
    }
  }

  /// More sizes than an engine keeps plans of; a plan that went is made again.
  @Test func theLeastRecentlyUsedPlanGoes() throws {
    var random = SeededGenerator(seed: 9)
    let network = try Network(
      layers: [
        "Convolution c 1 1 data a 0=9 1=3 4=1 5=1 6=243",
        "Convolution d 1 1 a out 0=4 1=1 5=1 6=36",
      ], random: &random)
    let engine = try Engine(network)
    func executors(after rows: Int) throws -> [Executor] {
      let input = ["data": try Tensor(shape: [3, rows, 9], random: &random)]
      let found = try engine.run(input, extracting: ["out"])
      #expect(try found == Engine(network).run(input, extracting: ["out"]))
      return engine.state.withLock { $0.executors }
    }
    for rows in 1...63 { _ = try executors(after: rows) }
    let full = try executors(after: 64)
    _ = try executors(after: 1)
    let kept = try executors(after: 65)
    #expect(kept.contains { $0 === full[0] })
    #expect(!kept.contains { $0 === full[1] })
    #expect(try kept.count == 64 && executors(after: 2).count == 64)
  }

  /// In one column, the windows skip the input: the passes leave the convolution to the interpreter's layer.
  @Test func passesServeOnlyShapesOfTheSameForm() throws {
    var random = SeededGenerator(seed: 9)
    let network = try Network(
      layers: [
        "ReLU r 1 1 data a", "Convolution c 1 1 a b 0=4 1=1 3=8 4=3 5=1 6=12",
        "Sigmoid s 1 1 b out",
      ], random: &random)
    let engine = try Engine(network)
    for columns in [9, 1, 17, 1] {
      let input = ["data": try Tensor(shape: [3, 9, columns], random: &random)]
      let found = try engine.run(input, extracting: ["out"])
      #expect(try found == Engine(network).run(input, extracting: ["out"]))
      let steps = engine.state.withLock { $0.executors.last?.plan.steps.map(\.profile.kind) }
      #expect(steps?.contains("plain layer") == (columns == 1))
    }
  }

  /// The executor keeps the sources after the plan has given them up.
  @Test func countsTheSourcesOfKeptPlans() throws {
    var random = SeededGenerator(seed: 9)
    let network = try Network(
      layers: ["Convolution c 1 1 data out 0=9 1=3 4=1 5=1 6=243"], random: &random)
    let engine = try Engine(network)
    _ = try engine.run(["data": Tensor([3, 9, 9])], extracting: ["out"])
    let plan = try engine.plan(PlanRequest(shapes: ["data": [3, 9, 9]], outputs: ["out"]))
    #expect(plan.sources.count == 27)
    #expect(engine.state.withLock { $0.executors.map { $0.ownElements } } == [plan.ownElements])
  }

  /// `look`, `timer` and `visit` run on the thread of the run that calls them.
  @Test func refusesARunWithinARun() throws {
    let network = try Network(layers: ["ReLU r 1 1 data out"])
    let engine = try Engine(network, outputs: ["out"])
    let inputs = ["data": Tensor([3, 1, 1])]
    func refuses() {
      let nested: [() throws -> Void] = [
        { _ = try engine.run(inputs, extracting: ["out"]) },
        { _ = try engine.run(picture: [1, 2, 3], rows: 1, columns: 1) { _ in } },
        { _ = try engine.runLayers(inputs, repetitions: 1) { _, _ in } },
        { try engine.prepare(rows: 2, columns: 2) },
      ]
      for run in nested {
        let error = #expect(throws: InferenceError.self) { try run() }
        #expect(error?.reason == .nested)
      }
    }
    var looks = 0
    try engine.run(picture: [1, 2, 3], rows: 1, columns: 1, timer: { _ in refuses() }) { _ in
      looks += 1
      refuses()
      #expect((try? Engine(network).run(inputs, extracting: ["out"])) != nil, "another engine")
    }.get()
    _ = try engine.runLayers(inputs, repetitions: 1) { _, _ in refuses() }
    #expect(looks == 1)
    #expect(try engine.run(inputs, extracting: ["out"])["out"]?.shape == [3, 1, 1], "afterwards")
  }

  /// No number for a limit, or of threads, stops the process.
  @Test(arguments: [Int.max, Int.max / 2 + 1, 1, 0, -1, Int.min])
  func takesAnyNumber(limit: Int) throws {
    let network = try Network(layers: ["ReLU r 1 1 data a", "ReLU s 1 1 a out"])
    let inputs = ["data": Tensor([3, 4, 5])]
    if limit < 2 { #expect(try Engine(network, threads: limit).threadCount == 1) }
    let engine = try Engine(network, maximumElements: limit)
    let slow = try Engine(network, maximumWork: Int64(limit))
    var interpreter = try Interpreter(network)
    interpreter.maximumElements = limit
    let runs: [(RunLimit, () throws -> [String: Tensor])] = [
      (.elements, { try engine.run(inputs, extracting: ["out"]) }),
      (.work, { try slow.run(inputs, extracting: ["out"]) }),
      (.elements, { [interpreter] in try interpreter.run(inputs, extracting: ["out"]) }),
    ]
    for (kind, run) in runs {
      if limit > 1 {
        #expect(try run()["out"]?.shape == [3, 4, 5])
      } else {
        let error = #expect(throws: InferenceError.self) { try run() }
        #expect(error?.limit == kind)
      }
    }
  }
}

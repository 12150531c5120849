// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@_spi(Tool) @testable import YOLOFaceInference
@testable import YOLOFaceNCNN

struct MemoryPlanTests {
  /// In plans of the default model as a detector runs it, of all its outputs, and of a few random
  /// graphs.
  @Test(arguments: EngineTests.instructionSets)
  func liveBlocksDoNotOverlap(instructionSet: String) throws {
    let base = SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5").path
    let network = try Network(param: "\(base).param", bin: "\(base).bin")
    let outputs = network.outputs.map {
      GatedOutput(blob: $0, groups: 3, width: 16, gate: 4)
    }
    let engine = try Engine(network, gated: outputs, instructionSet: instructionSet)
    try check(try engine.memoryPlan(rows: 96, columns: 64))
    try check(try engine.memoryPlan(["data": [3, 96, 64]], extracting: network.outputs))
    for seed in 1...5 {
      var random = SeededGenerator(seed: UInt64(seed))
      let width = 8 * random.integer(1...6)
      let network = try Network(
        layers: [
          "Convolution a 1 1 data a 0=\(width) 1=3 4=1 6=\(27 * width)", "Split s 1 3 a x y z",
          "Convolution b 1 1 x b 0=\(width) 1=1 6=\(width * width)", "Swish c 1 1 y c",
          "Concat d 3 1 b c z d", "ShuffleChannel e 1 1 d e 0=2", "Pooling f 1 1 e out 1=2 2=2",
        ], random: &random)
      let engine = try Engine(network, instructionSet: instructionSet)
      try check(try engine.memoryPlan(["data": [3, 10, 12]], extracting: ["out", "c"]))
    }
  }

  private func check(_ plan: MemoryPlan) throws {
    try #require(!plan.blocks.isEmpty)
    for (index, block) in plan.blocks.enumerated() {
      #expect(block.offset >= 0 && block.offset + block.bytes <= plan.arenaBytes)
      #expect(block.offset % 64 == 0 && block.bytes % 64 == 0 && block.bytes > 0)
      #expect((0...block.lastStep).contains(block.firstStep) && block.lastStep < plan.steps.count)
      #expect(block.writtenBy == plan.steps[block.firstStep].name)
      for other in plan.blocks[(index + 1)...] {
        let liveTogether =
          block.firstStep <= other.lastStep && other.firstStep <= block.lastStep
        let shareBytes =
          block.offset < other.offset + other.bytes && other.offset < block.offset + block.bytes
        #expect(!(liveTogether && shareBytes), "\(block) and \(other)")
      }
    }
    for (number, step) in plan.steps.enumerated() {
      let live = plan.blocks.filter { $0.firstStep <= number && number <= $0.lastStep }
      #expect(step.liveBytes == live.map(\.bytes).reduce(0, +))
    }
    #expect(plan.peakBytes == plan.steps.map(\.liveBytes).max())
    #expect(plan.peakBytes <= plan.arenaBytes && plan.arenaBytes <= plan.unsharedBytes)
    #expect(plan.unsharedBytes == plan.blocks.map(\.bytes).reduce(0, +))
  }

  /// a is read by b and, three steps later, by d, which takes the memory that b has released.
  @Test(arguments: EngineTests.instructionSets)
  func blocksLiveFromTheirWriterToTheirLastReader(instructionSet: String) throws {
    var random = SeededGenerator(seed: 1)
    let network = try Network(
      layers: [
        "Convolution a 1 1 data a 0=16 1=3 4=1 6=432", "Split s 1 2 a a0 a1",
        "Pooling b 1 1 a0 b 1=3 2=1 3=1", "Pooling c 1 1 b c 1=3 2=1 3=1",
        "BinaryOp d 2 1 a1 c out 0=0",
      ], random: &random)
    let engine = try Engine(network, instructionSet: instructionSet)
    let plan = try engine.memoryPlan(["data": [3, 8, 8]], extracting: ["out"])
    #expect(plan.instructionSet == instructionSet)
    #expect(plan.steps.map(\.name) == ["a", "b", "c", "d"])
    // 16 channels of 8 × 8 numbers of 4 bytes.
    let blob = 4096
    #expect(plan.steps.map(\.liveBytes) == [blob, 2 * blob, 3 * blob, 3 * blob])
    #expect((plan.peakBytes, plan.arenaBytes, plan.unsharedBytes) == (3 * blob, 3 * blob, 4 * blob))
    let lives = ["a": 0...3, "b": 1...2, "c": 2...3, "d": 3...3]
    for block in plan.blocks {
      #expect(block.firstStep...block.lastStep == lives[block.writtenBy], "\(block)")
      #expect(block.outlivesRun == (block.writtenBy == "d"))
    }
    let places = Dictionary(grouping: plan.blocks, by: \.writtenBy).mapValues { blocks in
      Set(blocks.map(\.offset))
    }
    #expect(places["b"] == places["d"])
    #expect(plan.tensorBytes >= 3 * 8 * 8 * 4)
    // 432 weights and 16 biases.
    #expect(plan.weightBytes >= 4 * 448)
  }

  /// Most of an int8 model's weights are bytes.
  @Test func countsTheWeightsOfAnInt8Model() throws {
    let base = SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5-int8").path
    let network = try Network(param: "\(base).param", bin: "\(base).bin")
    let plan = try Engine(network).memoryPlan(["data": [3, 96, 64]], extracting: network.outputs)
    #expect(plan.weightBytes >= network.layers.reduce(0) { $0 + $1.parameterCount })
  }

  @Test func refusesWhatCannotRun() throws {
    let engine = try Engine(
      Network(
        layers: ["Convolution c 1 1 data out 0=1 1=9 5=0 6=81"],
        weights: [UInt8](repeating: 0, count: 4 + 4 * 81)))
    #expect(throws: InferenceError.self) {
      try engine.memoryPlan(["data": [1, 8, 8]], extracting: ["out"])
    }
    #expect(throws: InferenceError.self) { try engine.memoryPlan([:], extracting: ["out"]) }
  }
}

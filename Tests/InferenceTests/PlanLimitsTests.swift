@testable import Inference
import Kernels
import NCNN
import TestSupport
import Testing

/// Model files of a few lines that ask for too much.
struct PlanLimitsTests {
  private func network(_ layers: [String]) throws -> Network {
    let param = "7767517\n\(layers.count) \(layers.count)\n" + layers.joined(separator: "\n") + "\n"
    return try Network(param: Array(param.utf8), source: "hostile.param")
  }

  @Test(arguments: KernelTable.available.map(\.name))
  func refusesWeightsThatGrowWhenPacked(instructionSet: String) throws {
    // One output channel takes a whole block: the weights become a little more than 2²⁷.
    let kernels = try KernelTable.selected(instructionSet)
    let rows = 1024 / kernels.lanes + 1
    let network = try network([
      "Input data 0 1 data",
      "Convolution c 1 1 data out 0=1 1=64 11=\(rows) 5=0 6=\(2048 * 64 * rows)",
    ])
    let schedule = try Schedule(network, extracting: ["out"])
    let shapes = try ShapeInference(network, inputs: ["data": [2048, rows, 64]]).shapes
    let graph = Graph(network, schedule, shapes: shapes, weights: [[], []], wanted: ["out"])
    let error = try #require(throws: InferenceError.self) {
      try Planner(graph, kernels: kernels, takesPicture: false)
    }
    #expect(error.reason == .limit)
    #expect(error.layer == "Convolution c (line 4)")
  }

  @Test func refusesListsOfChannels() throws {
    // Each layer moves no data but lists its 2¹⁴ channels.
    var layers = ["Input data 0 1 data", "ReLU first 1 1 data 0"]
    for index in 0..<300 {
      layers.append("ShuffleChannel s\(index) 1 1 \(index) \(index + 1) 0=2")
    }
    let engine = try Engine(network(layers))
    let input = Tensor([1 << 14, 1, 1])
    let error = try #require(throws: InferenceError.self) {
      try engine.run(["data": input], extracting: ["300"])
    }
    #expect(error.reason == .limit)
    #expect(try engine.run(["data": input], extracting: ["200"])["200"]?.shape == [1 << 14, 1, 1])
  }

  @Test func refusesTablesOfRows() throws {
    let engine = try Engine(
      network(["Input data 0 1 data", "Interp up 1 1 data out 0=1 1=65535.0 2=1.0"]))
    let error = try #require(throws: InferenceError.self) {
      try engine.run(["data": Tensor([1, 64, 1])], extracting: ["out"])
    }
    #expect(error.reason == .limit)
    #expect(error.layer == "Interp up (line 4)")
  }

  @Test func refusesBlobsThatGrowInBlocks() throws {
    // 2²⁷ elements of one channel take four times as many in blocks, at least.
    let engine = try Engine(
      network(["Input data 0 1 data", "Interp up 1 1 data out 0=1 3=16384 4=8192"]))
    let error = try #require(throws: InferenceError.self) {
      try engine.run(["data": Tensor([1, 1, 1])], extracting: ["out"])
    }
    #expect(error.reason == .limit)
  }

  @Test func refusesTheInputAsAHead() throws {
    let engine = try Engine(network(["Input data 0 1 data"]))
    let head = HeadLayout(blob: "data", anchors: 3, objectness: 15, stride: 8)
    let error = try #require(throws: InferenceError.self) {
      try engine.visitHeads(
        [head], of: [UInt8](repeating: 0, count: 3 * 8 * 8), rows: 8, columns: 8,
        minimumObjectness: 0
      ) { _, _, _, _, _ in }
    }
    #expect(error.reason == .shape)
  }

  @Test func refusesPicturesThatCannotBeCounted() throws {
    let engine = try Engine(network(["Input data 0 1 data"]))
    let error = try #require(throws: InferenceError.self) {
      try engine.visitHeads([], of: [], rows: .max, columns: 3, minimumObjectness: 0) {
        _, _, _, _, _ in
      }
    }
    #expect(error.reason == .input)
  }
}

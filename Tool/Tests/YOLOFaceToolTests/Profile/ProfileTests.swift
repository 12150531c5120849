// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceRaster

struct ProfileTests {
  private let tool = Tool()

  private struct Report: Decodable {
    struct Stage: Decodable {
      var name: String
      var microseconds, share, medianMicroseconds: Double
    }
    struct Step: Decodable {
      var name, kind, shape: String
      var layers: [String]
      var multiplyAdds, bytes: Int
      var microseconds, share, medianMicroseconds: Double
      var gigaflops, shareOfPeak, operationsPerByte, shareOfRoof, unfusedMicroseconds: Double?
      var isMemoryBound: Bool
    }
    struct Bandwidth: Decodable {
      var bytes: Int
      var gigabytesPerSecond: Double
    }
    var version, machine, instructionSet, model, precision: String
    var image: String?
    var threads, repetitions, width, height, inputWidth, inputHeight: Int
    var peakGigaflops, sum, whole, untimed: Double
    var bandwidths: [Bandwidth]
    var stages: [Stage]
    var steps: [Step]
    var layers: [Step]?
  }

  private func profile(_ arguments: String...) throws -> Report {
    let run = try tool.runAll(["profile", "--json"] + arguments).succeeded()
    #expect(run.errors == "" && run.output.split(separator: "\n").count == 1)
    return try run.output.decoded()
  }

  /// Relative to the larger one, for numbers that were summed or divided in a different order.
  private func isClose(_ a: Double, _ b: Double) -> Bool {
    abs(a - b) <= 1e-9 * max(abs(a), abs(b))
  }

  @Test(arguments: ["1", "2"])
  func thePartsMakeUpTheWhole(threads: String) throws {
    // A run may be interrupted between two parts, but not every time.
    var shares: [Double] = []
    for _ in 0..<5 {
      let report = try profile(Tool.astronaut, "--repetitions", "5", "--threads", threads)
      #expect(report.stages.map(\.name) == ["letterbox", "network", "decode", "nms"])
      #expect(isClose(report.stages.map(\.microseconds).reduce(0, +), report.sum))
      #expect(isClose(report.steps.map(\.microseconds).reduce(0, +), report.stages[1].microseconds))
      #expect(report.sum <= report.whole * (1 + 1e-9))
      #expect(report.untimed > 0)
      shares.append(report.sum / report.whole)
      if report.sum >= 0.95 * report.whole { return }
    }
    Issue.record("the stages are no more than \(shares) of the whole")
  }

  @Test func describesEachStep() throws {
    let report = try profile(
      Tool.astronaut, "--repetitions", "3", "--long-side", "64", "--flame", "flame.svg",
      "--roofline", "roof.svg")
    for name in ["flame.svg", "roof.svg"] {
      #expect(try tool.text(name).contains("<title>stem_c1, first convolution: "), "\(name)")
    }
    #expect(report.width == 512 && report.inputWidth == 64 && report.inputHeight == 64)
    #expect(report.image == Tool.astronaut && report.repetitions == 3 && report.threads == 1)
    #expect(report.version.hasPrefix("yoloface ") && report.layers == nil)
    // 3 × 3 × 3 products for each of 16 channels at 32 × 32 pixels; the picture's bytes, the
    // result, weights and biases.
    let stem = try #require(report.steps.first { $0.layers.contains("stem_c1") })
    #expect(stem.shape == "16x32x32" && stem.multiplyAdds == 442_368)
    #expect(stem.bytes == 3 * 64 * 64 + 4 * (16 * 32 * 32 + 432 + 16))
    for step in report.steps {
      let seconds = step.medianMicroseconds / 1e6
      let operations = 2 * Double(step.multiplyAdds)
      #expect(isClose(step.operationsPerByte ?? 0, operations / Double(step.bytes)))
      if seconds > 0, operations > 0 {
        let rate = try #require(step.gigaflops)
        #expect(isClose(rate * 1e9 * seconds, operations))
        #expect(isClose(try #require(step.shareOfPeak) * report.peakGigaflops, rate))
      }
      let bandwidth = try #require(report.bandwidths.first { $0.bytes >= step.bytes })
      let memory = Double(step.bytes) / bandwidth.gigabytesPerSecond / 1e9
      let arithmetic = operations / report.peakGigaflops / 1e9
      #expect(step.isMemoryBound == (memory > arithmetic))
      if seconds > 0 {
        #expect(isClose(try #require(step.shareOfRoof) * seconds, max(memory, arithmetic)))
      }
      #expect(isClose(step.share * report.whole, step.microseconds))
      #expect(step.unfusedMicroseconds == nil)
    }
  }

  @Test func comparesWithUnfusedLayers() throws {
    let report = try profile("--repetitions", "2", "--long-side", "64", "--layers")
    #expect(report.image == nil && report.width == 128 && report.height == 96)
    let layers = try #require(report.layers)
    #expect(layers.count > report.steps.count)
    let times = Dictionary(
      layers.flatMap { step in step.layers.map { ($0, step.microseconds) } }, uniquingKeysWith: +)
    for step in report.steps {
      let unfused = step.layers.reduce(0) { $0 + (times[$1] ?? 0) }
      #expect(isClose(try #require(step.unfusedMicroseconds), unfused))
    }
    // Fusion does not change the number of products, except for those of the heads that are
    // skipped.
    let products = [layers, report.steps].map { $0.reduce(0) { $0 + $1.multiplyAdds } }
    #expect(products[0] > products[1])
  }

  @Test func saysWhatDetectDoesWithALongPicture() throws {
    try PNG.write(RGBImage(width: 2400, height: 300), to: tool.path("long.png"))
    let run = try tool.run("profile", "long.png", "--repetitions", "1", "--long-side", "64")
    #expect(run.succeeded().errors.contains("detect looks at 7 parts of it"))
  }

  @Test func printsTables() throws {
    let run = try tool.run(
      "profile", Tool.astronaut, "--repetitions", "1", "--isa", "baseline", "--layers", "--param",
      Tool.model("param"), "--bin", Tool.model("bin")
    ).succeeded()
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasSuffix(", baseline, 1 thread"))
    #expect(lines[1].contains("512 × 512, input 640 × 640; the median run of 1"))
    #expect(lines[2].contains(" GFLOP/s; a copy moves "))
    for start in ["letterbox", "network", "decode", "nms", "sum", "whole", "stem_c1", "When"] {
      #expect(lines.contains { $0.hasPrefix("\(start) ") }, "\(start)")
    }
    #expect(lines.count { $0.hasPrefix("step ") } == 2)
  }

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "profile",
      table: """
        a.png
        --flame flame.svg
        --repetitions 10000
        --repetitions 0 | --repetitions 0: give a number from 1 to 10000.
        --repetitions 10001 | --repetitions 10001: give a number from 1 to 10000.
        --long-side 33 | --long-side 33: give a
        --threads 0 | --threads 0: give a number from 1 to 256.
        """)
    #expect(mistakes == [])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import YOLOFace
import YOLOFaceNCNN

@testable import YOLOFaceTool

struct QuantizeTests {
  private let tool = Tool()
  private let model = [Tool.model("param"), Tool.model("bin")]

  private struct Report: Decodable {
    struct Layer: Decodable {
      var name, precision: String
      var error, inputScale: Double
    }
    struct Errors: Decodable { var first, whole: Double }
    var files: [String]
    var bytes, originalBytes, pictures, leftOut, trials: Int
    var errors: Errors
    var layers: [Layer]
  }

  private func quantize(_ line: String) throws -> Tool.Run {
    try tool.runAll(["quantize"] + model + line.words)
  }

  /// On one photo, with a small input: the pair reads back, most layers are int8, and what costs more
  /// than the tolerance is not.
  @Test func writesAPair() throws {
    let run = try quantize("PHOTO -o small --long-side 64 --trials 1 --tolerance 0.1 --json")
      .succeeded()
    #expect(run.errors.contains("small.param") && run.errors.contains("small.bin"))
    let report = try run.output.decoded(as: Report.self)
    #expect(report.files == ["small.param", "small.bin"])
    #expect(report.pictures == 1 && report.leftOut == 0 && report.trials == 1)
    #expect(report.errors.whole <= report.errors.first)
    let network = try Network(param: tool.path("small.param"), bin: tool.path("small.bin"))
    #expect(network.weightBytes().count == report.bytes)
    #expect(report.originalBytes == 895_540)
    for layer in report.layers {
      let written = try #require(network.layers.first { $0.name == layer.name })
      #expect((written.quantization != nil) == (layer.precision == "int8"), "\(layer.name)")
      #expect((layer.error <= 0.1) == (layer.precision == "int8"), "\(layer.name)")
      if let scale = written.quantization?.inputScale {
        #expect(abs(Double(scale) - layer.inputScale) <= 1e-5 * Double(scale) + 1e-6)
      }
    }
    #expect(report.layers.contains { $0.precision == "int8" })
  }

  @Test func leavesOutPicturesThatCannotBeRead() throws {
    try tool.write("no picture", to: "bad.png")
    let run = try quantize("bad.png PHOTO -o small --long-side 32 --trials 1 --json").failed(
      saying: "bad.png")
    let report = try run.output.decoded(as: Report.self)
    #expect(report.pictures == 1 && report.leftOut == 1)
    try quantize("bad.png -o other").failed()
    #expect(!tool.exists("other.bin"))
  }

  /// Like one that neither pass can read, it is left out.
  @Test func leavesOutAPictureThatVanishesBetweenThePasses() throws {
    let network = try Network(param: model[0], bin: model[1])
    let reads = Mutex<[String: Int]>([:])
    let run = QuantizationRun(
      network: network, recipe: try ModelRecipe.matching(network),
      read: { path in
        let count = reads.withLock {
          $0[path, default: 0] += 1
          return $0[path]
        }
        if path == "b", count == 2 { throw Failure(path) }
        return RGBImage(width: 32, height: 32)
      }, longSide: 32, threads: 1, instructionSet: nil)
    let (calibration, paths) = try run.calibrate(on: ["a", "b", "c"])
    #expect(paths == ["a", "c"])
    #expect(calibration.histograms.contains { $0?.counts.contains { $0 > 0 } == true })
    #expect(reads.withLock { $0 } == ["a": 2, "b": 2, "c": 2])
  }

  @Test func refusesWrongUsage() {
    tool.expectUsage(
      of: "quantize m.param m.bin",
      table: """
        photo.png | Missing expected argument '--output
        photo.png -o small/ | --output: give the path of the new files, without .param and .bin.
        photo.png -o small --long-side 96 / --trials 1 / --tolerance 0 / --threads 1
        photo.png -o small --long-side 100 | --long-side 100: give a
        photo.png -o small --trials 0 | --trials 0: give a number from 1 to 10000.
        photo.png -o small --tolerance=-1 / inf | give a number of at least 0.
        photo.png -o small --threads 0 | --threads 0: give a number from 1 to 256.
        """)
  }

  /// The pair takes the place of an earlier one; but not of the model, whatever the path.
  @Test func replacesOlderOutputsOnly() throws {
    try tool.write("old", to: "small.bin")
    let run = try quantize("PHOTO -o small --long-side 32 --trials 1 --tolerance 1000").succeeded()
    #expect(run.output.contains("Convolution stride_8"))
    #expect(run.output.contains("85 of 85 layers in int8, by 1 picture, 1 trial, tolerance 1000.0"))
    #expect(try tool.data("small.bin").count > 3)
    // What is int8 already is not quantised again.
    try tool.expectRuns(
      """
      quantize small.param small.bin PHOTO -o ./small | 1 found a file that this run reads
      quantize small.param small.bin PHOTO -o smaller | 1 layers, so there is nothing to do
      """)
  }

  /// Nothing is written, and no temporary file stays.
  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func stopsAtASignal(signal: String, status: Int) throws {
    try tool.write("no picture", to: "bad.png")
    // The work has begun once a picture that cannot be read is reported.
    let run = try tool.runShell(
      """
      perl -e '$SIG{$_} = "DEFAULT" for qw(INT TERM); exec @ARGV' \
        "$tool" quantize "$2" "$3" bad.png "$4" -o small --threads 1 2> errors &
      for turn in $(seq 3000); do test -s errors && break; sleep 0.02; done
      kill -$1 $!
      wait $!
      """, signal, model[0], model[1], Tool.astronaut)
    #expect(run.status == Int32(status))
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.directory.path)
    #expect(Set(names) == ["stdout", "stderr", "bad.png", "errors"])
  }
}

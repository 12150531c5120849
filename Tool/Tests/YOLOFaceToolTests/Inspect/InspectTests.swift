// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster

@testable import YOLOFaceTool

struct InspectTests {
  private let tool = Tool()

  @Test func describesTheDefaultModel() throws {
    let run = try tool.run("inspect", Tool.model("param"), Tool.model("bin"), "--size", "64x96")
    let lines = run.succeeded().output.split(separator: "\n")
    #expect(lines[0].hasSuffix(": magic 7767517, 224 layers, 251 blobs"))
    #expect(lines[1] == "inputs data 3x96x64")
    // 3 anchors, 12 · 8 cells and so on, 16 values.
    #expect(lines[2] == "outputs out_8 3x96x16, out_16 3x24x16, out_32 3x6x16")
    // 3 × 3 × 3 × 16 weights and 16 biases; 432 products for each of 32 × 48 pixels.
    let stem = ["4", "Convolution", "stem_c1", "16x48x32", "448", "663552"]
    #expect(row("stem_c1", of: run) == stem)
    #expect(run.output.contains("all layers supported"))
    // The embedded model, without arguments, but for the name.
    let embedded = try tool.run("inspect", "--size", "64x96").succeeded().output
    #expect(embedded.split(separator: "\n").dropFirst() == lines.dropFirst())
    #expect(embedded.contains("family YOLO5Face: detect can use it"))
    #expect(!embedded.contains("scale") && embedded.contains(" as fp16 in "))
    let int8 = try tool.run("inspect", "--precision", "int8").succeeded().output
    #expect(int8.hasPrefix("yoloface-n-0.5-int8.param: ") && int8.contains(" as int8 in "))
    #expect(
      embedded.contains(
        """
        receptive field of out_8: 591 x 591 px, a cell every 8 px, the first from -295,-295
        receptive field of out_16: 623 x 623 px, a cell every 16 px, the first from -327,-327
        receptive field of out_32: 719 x 719 px, a cell every 32 px, the first from -359,-359

        """))
  }

  /// Weights 1 to 6 with a tag and two bytes of padding, three weight scales, then the scales of
  /// input and output.
  @Test func showsInt8ScalesAndStoredForms() throws {
    let weights: [UInt8] = [0x38, 0x4B, 0x0D, 0, 1, 2, 3, 4, 5, 6, 0, 0]
    try tool.write(Data(weights + floatBytes([10, 20, 5, 2.5, 0.5])), to: "m.bin")
    let layers = ["Input data 0 1 data 0=4 1=4 2=2", "Convolution c 1 1 data c 0=3 1=1 6=6 8=101"]
    let run = try inspect(layers, "m.bin").succeeded()
    #expect(row("c", of: run)?.suffix(5) == ["5.0", "...", "20.0", "2.5", "0.5"])
    #expect(run.output.contains("  weight scales  input scale  output scale\n"))
    #expect(
      run.output.contains("weights: 5 as fp32 in 20 bytes, 6 as int8 in 12 bytes; 32 bytes in all"))
    let json = try inspect(layers, "m.bin", "--json").output
    #expect(
      json.contains(
        #""int8":{"inputScale":2.5,"outputScale":0.5,"weightScales":{"largest":20,"smallest":5}}"#))
    #expect(json.contains(#""weights":[{"bytes":12,"count":6,"storage":"int8"},"#))
  }

  /// JSON has no infinity.
  @Test func countsDeadChannels() throws {
    let weights: [UInt8] = [0x38, 0x4B, 0x0D, 0, 1, 2, 3, 4, 5, 6, 0, 0]
    try tool.write(Data(weights + floatBytes([0, 20, .infinity, .infinity])), to: "m.bin")
    let layers = ["Input data 0 1 data 0=4 1=4 2=2", "Convolution c 1 1 data c 0=3 1=1 6=6 8=1"]
    let run = try inspect(layers, "m.bin").succeeded()
    #expect(row("c", of: run)?.suffix(4) == ["20.0,", "2", "dead", "inf"])
    let json = try inspect(layers, "m.bin", "--json").succeeded().output
    #expect(
      json.contains(#""int8":{"deadChannels":2,"weightScales":{"largest":20,"smallest":20}}"#))
  }

  private func inspect(_ layers: [String], _ arguments: String...) throws -> Tool.Run {
    try tool.write(networkText(layers), to: "m.param")
    return try tool.runAll(["inspect", "m.param"] + arguments)
  }

  private func inspection(_ layers: String..., size: ImageSize?) throws -> Inspection {
    try tool.write(networkText(layers), to: "m.param")
    return try Inspection(param: tool.path("m.param"), bin: nil, size: size)
  }

  /// The words of a layer's row in the table.
  private func row(_ name: String, of run: Tool.Run) -> [String]? {
    run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      .first { $0.count > 2 && Int($0[0]) != nil && $0[2] == name }
  }

  @Test(
    arguments: [
      ("", nil, [3, 480, 640]), ("", size, [3, 96, 64]), ("0=-1 1=-1 2=1", size, [1, 96, 64]),
      ("0=-1 1=-1 2=1", nil, [1, 480, 640]), ("0=8 1=6 2=4", nil, [4, 6, 8]),
      ("0=8 1=6 2=4", size, [4, 96, 64]), ("0=8 1=6", size, [6, 8]), ("0=8", size, [8]),
    ] as [(String, ImageSize?, [Int])])
  func inputsHaveTheDeclaredShape(declared: String, size: ImageSize?, shape: [Int]) throws {
    #expect(try inspection("Input data 0 1 data \(declared)", size: size).shape("data") == shape)
  }

  @Test(arguments: [("blazeface", 128), ("yolo26", 160)])
  func inputsHaveTheOnlySizeOfADetector(model: String, side: Int) throws {
    let param = SharedData.projectRoot.appending(
      path: "Tests/YOLOFaceTests/Fixtures/tiny-\(model).param")
    let inspection = try Inspection(param: param.path, bin: nil, size: nil)
    #expect(inspection.shape(inspection.network.inputs[0]) == [3, side, side])
    #expect(inspection.failures.isEmpty && inspection.misfits.isEmpty)
  }

  private static let size = ImageSize(width: 64, height: 96)

  @Test func listsUnsupportedLayers() throws {
    let layers = [
      "Input data 0 1 data 0=4 1=4 2=2", "SPP b 1 1 data b", "Softmax c 1 1 b c 0=9",
      "Convolution d\u{202E} 1 1 data d 0=3 1=1 6=6", "Convolution e 1 1 data e 0=3 1=9 6=486",
      "Convolution f 1 1 data f 0=3 1=1 6=6 8=101", "Swish g 1 1 f g",
    ]
    let run = try inspect(layers, "missing.bin").failed()
    #expect(row("c", of: run) == ["5", "Softmax", "c"])
    // A name may not turn the direction of what follows it.
    let name = "d\\u{202E}"
    #expect(row(name, of: run) == ["6", "Convolution", name, "3x4x4", "6", "96"])
    #expect(row("e", of: run) == ["7", "Convolution", "e", "486"])
    let refused = run.output.matches(of: #/not supported: (.+ \(line [0-9]\)): found /#)
      .map { $0.1 }
    #expect(refused == ["SPP b (line 4)", "Softmax c (line 5)", "Swish g (line 9)"])
    #expect(run.output.contains("Swish g (line 9): found the int8 blob f"))
    #expect(run.output.contains("\ndoes not fit: Convolution e (line 7): found "))
    #expect(
      run.output.hasSuffix(
        "; an input of 4x4 does not fit, one of 32x32 does: --size 32x32; 3 layers not supported\n")
    )
  }

  /// The constant has the size of half a square of 320, so that the default size does not fit.
  @Test func saysThatOnlyTheDefaultSizeIsWrong() throws {
    let layers = [
      "Input data 0 1 data", "Convolution a 1 1 data a 0=1 1=2 2=1 3=2 6=12",
      "MemoryData m 0 1 m 0=160 1=160 2=1", "Concat c 2 1 a m c",
    ]
    let run = try inspect(layers).succeeded()
    #expect(
      run.output.hasSuffix(
        "; an input of 640x480 does not fit, one of 320x320 does: --size 320x320\n"))
    #expect(run.errors == "" && !run.output.contains("not supported"))
    try inspect(layers, "--size", "640x480").failed()
  }

  @Test func saysThatADeclarationIsWrong() throws {
    let layers = [
      "Input data 0 1 data 0=3 1=227 2=227", "Convolution a 1 1 data a 0=4 1=1 6=12",
    ]
    let run = try inspect(layers).succeeded()
    #expect(
      run.output.contains(
        "\ndoes not fit: Input data (line 3): declares 227 channels, but the weights of "
          + "Convolution a (line 4) are for 3: one of them is wrong\n"))
    #expect(
      run.output.hasSuffix(
        "; an input of 3x227 does not fit, one of 227x227 does: --size 227x227\n"))
    let corrected = try inspect(layers, "--size", "227x227").succeeded()
    #expect(corrected.output.contains("\ninputs data 3x227x227\n"))
    #expect(corrected.output.hasSuffix("; all layers supported\n"))
  }

  /// 34 · 34 cells of windows of 3 pixels, 24 cells of 16 pixels, 5 · 5 of 7, 4 rows of 8, and none of 1001 numbers.
  @Test(
    arguments: [
      (["Convolution c 1 1 data b 0=2 1=3 6=54", "InnerProduct f 1 1 b o 0=2 2=4624"], ["36x36"]),
      (
        ["Pooling p 1 1 data b 1=16 2=16", "InnerProduct f 1 1 b o 0=1 2=72"],
        ["96x64", "64x96"]
      ),
      (["Pooling p 1 1 data b 1=7 2=7 5=1", "Reshape f 1 1 b o 0=25 1=3"], ["40x40"]),
      (
        [
          "Pooling p 1 1 data b 1=1 11=8 2=1 12=8 5=1",
          "Crop c 1 1 b d -23309=1,0 -23310=1,4 -23311=1,1",
          "MemoryData m 0 1 m 0=640 1=4 2=3", "BinaryOp o 2 1 b m o",
        ], ["640x32"]
      ),
      (["Reshape f 1 1 data o 0=7 1=11 2=13"], []),
    ] as [([String], [String])])
  func derivesTheSizesThatFit(layers: [String], sizes: [String]) throws {
    let run = try inspect(["Input data 0 1 data"] + layers).succeeded()
    let verdict =
      sizes.isEmpty
      ? "and none was found that does"
      : "one of \(sizes.joined(separator: " or ")) does: --size \(sizes[0])"
    #expect(
      run.output.hasSuffix("; an input of 640x480 does not fit, \(verdict)\n"), "\(run.output)")
    for size in sizes { try inspect(["Input data 0 1 data"] + layers, "--size", size).succeeded() }
  }

  @Test func namesALostScaleRatherThanASize() throws {
    let run = try inspect([
      "Input data 0 1 data", "Split s 1 2 data a b", "Pooling coarse 1 1 a c 1=2 2=2",
      "Interp i 1 1 c d 0=1 1=1.0 2=1.0", "BinaryOp sum 2 1 d b e",
    ]).succeeded()
    #expect(run.output.contains("\ndoes not fit: BinaryOp sum (line 7): found shapes "))
    #expect(
      run.output.contains("; Interp i (line 6), which resizes by 1, may have lost its scale\n"))
    #expect(!run.output.contains("--size"))
  }

  /// What an input without a declaration holds is what the weights that read it are for.
  @Test func takesChannelsFromTheWeights() throws {
    let inspection = try inspection(
      "Input data 0 1 data", "Split s 1 2 data b c", "Convolution a 1 1 b a 0=4 1=1 6=48",
      "Noop n 1 0 c", size: Self.size)
    #expect(inspection.shape("a") == [4, 96, 64] && inspection.failures.isEmpty)
    InspectReport(inspection).forEachLine { _ in }
  }

  /// With 650 pixels, the finer maps are not twice as wide as the coarser ones.
  @Test func suggestsASizeThatFits() throws {
    let run = try tool.run("inspect", "--size", "650x480").failed()
    #expect(run.output.contains("\ndoes not fit: Concat "))
    #expect(!run.output.contains("not supported"))
    #expect(
      run.output.hasSuffix(
        "; an input of 650x480 does not fit, one of 672x480 does: --size 672x480\n"))
    let plan = try tool.run("inspect", "--size", "650x480", "--memory")
    #expect(plan.failed(saying: "; --size 672x480 fits\n").output == "")
    let json = try tool.run("inspect", "--size", "650x480", "--json")
    #expect(json.output.contains("\"fittingSize\":\"672x480\""))
    try tool.run("inspect", "--size", "672x480").succeeded()
  }

  @Test func printsReceptiveFields() throws {
    let run = try inspect([
      "Input data 0 1 data 0=9 1=8 2=2", "Convolution c 1 1 data c 0=1 1=5 11=3 3=3 13=2 6=30",
      "Input other 0 1 other 0=9 1=8 2=2", "Pooling p 1 1 other p 0=1 4=1",
      "MemoryData m 0 1 m 0=3", "Input third 0 1 third 0=4", "SPP g 1 1 third g",
    ])
    #expect(
      run.output.contains(
        """
        receptive field of c: 5 x 3 px, a cell every 3 x 2 px, the first from 0,0
        receptive field of p: the whole input
        receptive field of m: no pixel
        receptive field of g: not known: the shapes of SPP g (line 9) are not known

        """))
  }

  @Test func printsJSON() throws {
    struct Report: Decodable {
      struct Layer: Decodable { var name: String }
      struct Plan: Decodable {
        struct Block: Decodable { var offset, bytes: Int }
        struct Step: Decodable { var layers: [String] }
        var arenaBytes: Int
        var blocks: [Block]
        var steps: [Step]
      }
      var layers: [Layer]
      var memoryPlan: Plan
    }
    let json = try tool.run(
      "inspect", Tool.model("param"), Tool.model("bin"), "--size", "64x96", "--json"
    ).succeeded().output
    let parts = #"""
      {"family":"yolo5Face","inputs":[{"name":"data","shape":[3,96,64]}],"layers":[{"inputs":[],"kind":"Input",
      "line":4,"multiplyAdds":663552,"name":"stem_c1","outputs":[{"name":"stem_c1","shape":[16,48,32]}],"parameters":448,
      {"inputs":["stem_c1_s"],"kind":"Split","line":6,"multiplyAdds":0,"name":"stem_c1_s_split","outputs":[{
      {"name":"stem_c1_s_split_0","shape":[16,48,32]},{"name":"stem_c1_s_split_1","shape":[16,48,32]}],"parameters":0}
      "notSupported":[],"outputs":[{"name":"out_8","shape":[3,96,16]},
      {"name":"out_32","shape":[3,6,16]}],"receptiveFields":[
      {"blob":"out_8","columns":{"jump":8,"size":591,"start":-295},"rows":{"jump":8,"size":591,"start":-295},"sees":"window"}
      "totals":{"blobs":251,"layers":224,"multiplyAdds":
      "parameters":442488}
      """#
    for part in parts.split(separator: "\n") { #expect(json.contains(part)) }
    let report: Report = try json.decoded()
    #expect(report.layers.count == 224)
    let plan = report.memoryPlan
    #expect(plan.blocks.allSatisfy { $0.offset + $0.bytes <= plan.arenaBytes })
    let computed = plan.steps.flatMap(\.layers)
    #expect(computed.contains("stem_pool") && Set(computed).count == computed.count)
    #expect(Set(computed).isSubset(of: report.layers.map(\.name)))
  }

  @Test func jsonOmitsUnknownValues() throws {
    let layers = ["Input data 0 1 data 0=4", "SPP g 1 1 data g"]
    let run = try inspect(layers, "missing.bin", "--json").failed()
    #expect(run.output.contains("\"outputs\":[{\"name\":\"g\"}]"))
    #expect(run.output.contains("\"notSupported\":[\"SPP g (line 4): found an unknown kind"))
    #expect(run.output.contains("\"sees\":\"unknown\""))
    #expect(!run.output.contains("memoryPlan"))
    try tool.run("inspect", "--size", "32768x32768", "--memory").failed(
      saying: "found shape [3, 32768, 32768], expected")
    let plan = try inspect(layers, "missing.bin", "--memory")
    #expect(plan.failed(saying: "SPP g (line 4)").output.isEmpty)
  }

  /// Networks of a megabyte: one layer with many outputs, each with a reason, and many layers.
  private static let longNetworks: [[String]] = {
    let names = (0..<100_000).map { "b\($0)" }
    let all = names.joined(separator: " ")
    let long = String(repeating: "n", count: 250)
    return [
      ["Input data 0 1 data 0=4 1=4 2=1", "Split s 1 \(names.count) data \(all)"],
      ["\(long) \(long) 0 \(names.count) \(all)"],
      ["Input data 0 1 data 0=4 1=4 2=1"]
        + names.prefix(40_000).map { "ReLU \($0) 1 1 data \($0)" },
      names.prefix(50_000).map { "Input \($0) 0 1 \($0)" },
    ]
  }()

  #if os(Linux)
    /// A model takes at most 130 times its size; the tool's own code and stack take less than 100
    /// MB.
    @Test(arguments: longNetworks.indices, ["--json", "--dot", "--size=32x32"])
    func takesNoMoreMemoryThanIsPromised(network: Int, option: String) throws {
      let param = networkText(Self.longNetworks[network])
      try tool.write(param, to: "m.param")
      let kilobytes = 100_000 + 130 * param.utf8.count / 1000
      let run = try tool.runShell(
        "ulimit -v ${TEST_ADDRESS_SPACE:-\(kilobytes)}; \"$tool\" inspect m.param $1 > /dev/null",
        option)
      #expect([0, 1].contains(run.status) && !run.wasKilled, "\(run.errors.prefix(200))")
    }
  #endif

  /// The article on fusion counts 62 steps for this size.
  @Test func printsAndDrawsTheMemoryPlan() throws {
    let run = try tool.run(
      "inspect", "--memory", "--memory-picture", "memory.svg", "--size", "640x640"
    ).succeeded()
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("step  name"))
    #expect(lines[62].hasPrefix("61 "))
    #expect(lines[63].hasPrefix("offset "))
    #expect(lines.contains { $0.hasPrefix("62 steps, \(lines.count - 68) blocks, ") })
    #expect(try tool.text("memory.svg").contains("<title>stem_c1, first convolution: "))
  }

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "inspect",
      table: """
        m.param m.bin --memory --memory-picture m.svg
        m.param --memory | --memory needs the .bin file.
        m.param --memory-picture m.svg | --memory-picture needs the .bin file.
        --against b.param --against-bin b.bin
        --against-bin b.bin | --against-bin goes with --against: give both.
        --dot
        --dot --json | give one.
        --dot --memory | give one.
        --against b.param --memory | give one.
        --recipe
        --recipe --size 64x64 | leave out --size.
        --size 64x64
        --size 0x0 | The value '0x0' is invalid for '--size
        --size 640 | The value '640' is invalid for '--size
        --size 99999999999999999999x1 | The value '99999999999999999999x1' is invalid for '--size
        """)
    #expect(mistakes == [])
  }
}

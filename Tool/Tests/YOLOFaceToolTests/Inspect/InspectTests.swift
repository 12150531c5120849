import Foundation
import Raster
import TestSupport
import Testing

@testable import YOLOFaceTool

struct InspectTests {
  private let tool = Tool()

  @Test func describesTheDefaultModel() throws {
    let run = try tool.run("inspect", Tool.model("param"), Tool.model("bin"), "--size", "64x96")
      .succeeded()
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasSuffix(": magic 7767517, 224 layers, 251 blobs"))
    #expect(lines[1] == "inputs data 3x96x64")
    // 3 anchors, 12 · 8 cells and so on, 16 values.
    #expect(lines[2] == "outputs out_8 3x96x16, out_16 3x24x16, out_32 3x6x16")
    // 3 × 3 × 3 × 16 weights and 16 biases; 432 products for each of 32 × 48 pixels.
    let stem = try #require(run.output.split(separator: "\n").first { $0.contains(" stem_c1 ") })
    let words = stem.split(separator: " ").map { String($0) }
    #expect(words == ["4", "Convolution", "stem_c1", "16x48x32", "448", "663552"])
    #expect(run.output.contains("all layers supported"))
    // The embedded model, without arguments, but for the name.
    let embedded = try tool.run("inspect", "--size", "64x96").succeeded().output
    #expect(embedded.split(separator: "\n").dropFirst() == lines.dropFirst())
    #expect(embedded.contains("family YOLO5Face: detect can use it"))
    #expect(!embedded.contains("scale") && embedded.contains(" as fp16 in "))
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
    let run = try inspect(layers[0], layers[1], arguments: ["m.bin"]).succeeded()
    #expect(row("c", of: run)?.suffix(5) == ["5.0", "...", "20.0", "2.5", "0.5"])
    #expect(run.output.contains("  weight scales  input scale  output scale\n"))
    #expect(
      run.output.contains("weights: 5 as fp32 in 20 bytes, 6 as int8 in 12 bytes; 32 bytes in all"))
    let json = try inspect(layers[0], layers[1], arguments: ["m.bin", "--json"]).output
    #expect(
      json.contains(
        """
        "int8":{"inputScale":2.5,"outputScale":0.5,"weightScales":{"largest":20,"smallest":5}}
        """))
    #expect(json.contains("\"weights\":[{\"bytes\":12,\"count\":6,\"storage\":\"int8\"},"))
  }

  @Test func describesTheInt8FormOfTheDefaultModel() throws {
    let run = try tool.run("inspect", "--precision", "int8", "--size", "64x64").succeeded()
    #expect(run.output.hasPrefix("yoloface-n-0.5-int8.param: "))
    #expect(run.output.contains(" as int8 in "))
  }

  private func inspect(_ layers: String..., arguments: [String] = []) throws -> Tool.Run {
    try tool.write(networkText(layers), to: "m.param")
    return try tool.runAll(["inspect", "m.param"] + arguments)
  }

  /// The words of a layer's row in the table.
  private func row(_ name: String, of run: Tool.Run) -> [String]? { row(name, in: run.output) }

  private func row(_ name: String, in output: String) -> [String]? {
    output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      .first { $0.count > 2 && Int($0[0]) != nil && $0[2] == name }
  }

  @Test func inputsHaveTheDeclaredShape() throws {
    let cases: [(declared: String, size: ImageSize?, shape: String)] = [
      ("", nil, "3x480x640"), ("", size, "3x96x64"), ("0=-1 1=-1 2=1", size, "1x96x64"),
      ("0=-1 1=-1 2=1", nil, "1x480x640"), ("0=8 1=6 2=4", nil, "4x6x8"),
      ("0=8 1=6 2=4", size, "4x96x64"), ("0=8 1=6", size, "6x8"), ("0=8", size, "8"),
    ]
    for (declared, size, shape) in cases {
      try tool.write(networkText(["Input data 0 1 data \(declared)"]), to: "m.param")
      let report = InspectReport(try Inspection(param: tool.path("m.param"), bin: nil, size: size))
      var lines: [String] = []
      report.forEachLine { lines.append($0) }
      let words = row("data", in: lines.joined(separator: "\n"))
      #expect(
        lines.contains("inputs data \(shape)") && words == ["3", "Input", "data", shape],
        "\(declared) \(shape): \(lines)")
    }
    // As the command says it.
    let run = try inspect("Input data 0 1 data 0=-1 1=-1 2=1", arguments: ["--size", "64x96"])
    #expect(run.status == 0 && run.output.contains("inputs data 1x96x64\n"))
  }

  @Test(arguments: [("blazeface", 128), ("yolo26", 160)])
  func inputsHaveTheOnlySizeOfADetector(model: String, side: Int) throws {
    let param = SharedData.projectRoot.appending(
      path: "Tests/YOLOFaceTests/Fixtures/tiny-\(model).param")
    let inspection = try Inspection(param: param.path, bin: nil, size: nil)
    #expect(inspection.shape(inspection.network.inputs[0]) == [3, side, side])
    #expect(inspection.failures.isEmpty && inspection.misfits.isEmpty)
  }

  private let size = ImageSize(width: 64, height: 96)

  @Test func listsUnsupportedLayers() throws {
    let run = try inspect(
      "Input data 0 1 data 0=4 1=4 2=2", "SPP b 1 1 data b", "Embed c 1 1 b c",
      "Convolution d\u{202E} 1 1 data d 0=3 1=1 6=6", "Convolution e 1 1 data e 0=3 1=9 6=486",
      "Convolution f 1 1 data f 0=3 1=1 6=6 8=101", "Swish g 1 1 f g", arguments: ["missing.bin"]
    ).failed()
    #expect(row("c", of: run) == ["5", "Embed", "c"])
    // A name may not turn the direction of what follows it.
    let name = "d\\u{202E}"
    #expect(row(name, of: run) == ["6", "Convolution", name, "3x4x4", "6", "96"])
    #expect(row("e", of: run) == ["7", "Convolution", "e", "486"])
    let refused = run.output.split(separator: "\n").filter { $0.hasPrefix("not supported: ") }
    #expect(refused.count == 3)
    for layer in ["SPP b (line 4)", "Embed c (line 5)"] {
      #expect(refused.contains { $0.contains("\(layer): found ") }, "\(layer)")
    }
    #expect(refused.last?.contains("Swish g (line 9): found the int8 blob f") == true)
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
    let run = try inspect(layers[0], layers[1], layers[2], layers[3]).succeeded()
    #expect(
      run.output.hasSuffix(
        "; an input of 640x480 does not fit, one of 320x320 does: --size 320x320\n"))
    #expect(run.errors == "" && !run.output.contains("not supported"))
    try inspect(
      layers[0], layers[1], layers[2], layers[3], arguments: ["--size", "640x480"]
    ).failed()
  }

  @Test func saysThatADeclarationIsWrong() throws {
    let run = try inspect(
      "Input data 0 1 data 0=32 1=32 2=12", "Convolution a 1 1 data a 0=4 1=1 6=12"
    ).failed()
    #expect(
      run.output.contains(
        "\nnot supported: Input data (line 3): declares 12 channels, but the weights of "
          + "Convolution a (line 4) are for 3: one of them is wrong\n"))
  }

  /// What an input without a declaration holds is what the weights that read it are for.
  @Test func takesChannelsFromTheWeights() throws {
    let layers = [
      "Input data 0 1 data", "Split s 1 2 data b c", "Convolution a 1 1 b a 0=4 1=1 6=48",
      "Noop n 1 0 c",
    ]
    try tool.write(networkText(layers), to: "m.param")
    let inspection = try Inspection(param: tool.path("m.param"), bin: nil, size: size)
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
    #expect(plan.status == 1 && plan.output == "")
    #expect(plan.errors.hasSuffix("; --size 672x480 fits\n"))
    let json = try tool.run("inspect", "--size", "650x480", "--json")
    #expect(json.output.contains("\"fittingSize\":\"672x480\""))
    #expect(json.output.contains("\"notSupported\":[]"))
    try tool.run("inspect", "--size", "672x480").succeeded()
  }

  @Test func printsReceptiveFields() throws {
    let run = try inspect(
      "Input data 0 1 data 0=9 1=8 2=2", "Convolution c 1 1 data c 0=1 1=5 11=3 3=3 13=2 6=30",
      "Input other 0 1 other 0=9 1=8 2=2", "Pooling p 1 1 other p 0=1 4=1",
      "MemoryData m 0 1 m 0=3", "Input third 0 1 third 0=4", "SPP g 1 1 third g")
    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("receptive field") }
    #expect(
      lines == [
        "receptive field of c: 5 x 3 px, a cell every 3 x 2 px, the first from 0,0",
        "receptive field of p: the whole input", "receptive field of m: no pixel",
        "receptive field of g: not known: the shapes of SPP g (line 9) are not known",
      ])
  }

  @Test func explainsWhyThereIsNoMemoryPlan() throws {
    try tool.run("inspect", "--size", "32768x32768", "--memory").failed(
      saying: "found shape [3, 32768, 32768], expected")
  }

  @Test func printsJSON() throws {
    let run = try tool.run(
      "inspect", Tool.model("param"), Tool.model("bin"), "--size", "64x96", "--json"
    ).succeeded()
    #expect(
      run.output.hasPrefix(
        "{\"family\":\"yolo5Face\",\"inputs\":[{\"name\":\"data\",\"shape\":[3,96,64]}],\"layers\":["
      ))
    struct Report: Decodable {
      struct Blob: Decodable, Equatable {
        var name: String
        var shape: [Int]?
      }
      struct Layer: Decodable {
        var line: Int
        var kind, name: String
        var inputs: [String]
        var outputs: [Blob]
        var parameters, multiplyAdds: Int
      }
      struct Field: Decodable {
        struct Axis: Decodable { var size, jump, start: Int }
        var blob, sees: String
        var rows, columns: Axis
      }
      struct Plan: Decodable {
        struct Block: Decodable { var offset, bytes, firstStep, lastStep: Int }
        struct Step: Decodable { var layers: [String] }
        var arenaBytes: Int
        var blocks: [Block]
        var steps: [Step]
      }
      var outputs: [Blob]
      var layers: [Layer]
      var totals: [String: Int]
      var notSupported: [String]
      var receptiveFields: [Field]
      var memoryPlan: Plan
    }
    let report = try run.output.decoded(as: Report.self)
    #expect(report.outputs.last == Report.Blob(name: "out_32", shape: [3, 6, 16]))
    #expect(report.layers.count == 224)
    let split = try #require(report.layers.first { $0.name == "stem_c1_s_split" })
    #expect((split.line, split.kind, split.inputs) == (6, "Split", ["stem_c1_s"]))
    #expect(split.outputs.map(\.shape) == [[16, 48, 32], [16, 48, 32]])
    let stem = report.layers[1]
    #expect((stem.parameters, stem.multiplyAdds) == (448, 663552))
    #expect(report.totals["blobs"] == 251)
    #expect(report.totals["parameters"] == report.layers.reduce(0) { $0 + $1.parameters })
    #expect(report.notSupported == [])
    #expect(report.receptiveFields.map(\.blob) == ["out_8", "out_16", "out_32"])
    #expect(report.receptiveFields.map(\.rows.jump) == [8, 16, 32])
    #expect(
      report.memoryPlan.blocks.allSatisfy { $0.offset + $0.bytes <= report.memoryPlan.arenaBytes })
    let computed = report.memoryPlan.steps.flatMap(\.layers)
    #expect(computed.contains("stem_pool"))
    #expect(Set(computed).isSubset(of: report.layers.map(\.name)))
    #expect(Set(computed).count == computed.count)
  }

  @Test func jsonOmitsUnknownValues() throws {
    let layers = ["Input data 0 1 data 0=4", "SPP g 1 1 data g"]
    let run = try inspect(layers[0], layers[1], arguments: ["missing.bin", "--json"]).failed()
    #expect(run.output.contains("\"outputs\":[{\"name\":\"g\"}]"))
    #expect(run.output.contains("\"notSupported\":[\"SPP g (line 4): found an unknown kind"))
    #expect(run.output.contains("\"sees\":\"unknown\""))
    #expect(!run.output.contains("memoryPlan"))
    let plan = try inspect(layers[0], layers[1], arguments: ["missing.bin", "--memory"])
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
      "inspect", "--memory", "--memory-picture", "memory.png", "--size", "640x640"
    ).succeeded()
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("step  name"))
    #expect(lines[62].hasPrefix("61 "))
    #expect(lines[63].hasPrefix("offset "))
    #expect(lines.contains { $0.hasPrefix("62 steps, \(lines.count - 68) blocks, ") })
    let picture = try Picture.read(path: tool.path("memory.png"))
    #expect((picture.width, picture.height) == (1200, 760))
  }

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "inspect",
      table: """
        m.param m.bin --memory --memory-picture m.png
        m.param --memory | --memory needs the .bin file.
        m.param --memory-picture m.png | --memory-picture needs the .bin file.
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

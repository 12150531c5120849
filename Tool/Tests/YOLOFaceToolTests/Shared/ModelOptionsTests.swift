import Foundation
import TestSupport
import Testing

struct ModelOptionsTests {
  private let tool = Tool()

  @Test func refuseWrongUsage() {
    let said = "| `yoloface quantize` makes an int8 pair"
    let commands = [
      "detect a.png", "track a.png", "guide a.png --circle 225,117,100", "compare a.png b.png",
      "bench", "profile", "evaluate @/ --truth labels.json", "explain a.png -o page.html",
      "anonymise a.png -o b.png",
    ]
    let mistakes = commands.flatMap { command in
      tool.falseUsage(
        table: """
          \(command) --param m.param --bin m.bin
          \(command) --precision int8
          \(command) --param m.param --bin m.bin --recipe recipe.json
          \(command) --recipe recipe.json | --recipe: give the model's files, too, with --param and --bin.
          \(command) --param m.param --bin m.bin --precision fp32 \(said)
          \(command) --param m.param --bin m.bin --precision int8 \(said)
          """)
    }
    let inspected = tool.falseUsage(
      of: "inspect",
      table: """
        m.param m.bin
        --precision int8
        m.param m.bin --precision fp32 \(said)
        m.param m.bin --precision int8 \(said)
        """)
    #expect(mistakes + inspected == [])
  }

  @Test func chooseAFormOfTheEmbeddedModel() throws {
    let int8 = try tool.run("detect", "--json", Tool.astronaut, "--precision", "int8")
    #expect(int8.status == 0 && int8.errors == "")
    let fromFiles = try tool.run(
      "detect", "--json", Tool.astronaut, "--param", Tool.model("param", form: "-int8"),
      "--bin", Tool.model("bin", form: "-int8"))
    #expect(int8.output == fromFiles.output)
    let fp32 = try tool.run("detect", "--json", Tool.astronaut, "--precision", "fp32")
    #expect(try fp32.output == Tool.astronautJSON.get())
    #expect(fp32.output != int8.output)
  }

  /// UltraFace takes inputs of one size and finds no landmarks.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func sayWhatAModelCannotDo() throws {
    let model = ["param", "bin"].flatMap {
      ["--\($0)", SharedData.path("models/more/ultraface_rfb_320.\($0)")]
    }
    for (line, words) in [
      ("detect PHOTO --long-side 640", "inputs of 320 × 240 only; leave it out."),
      ("detect PHOTO --align faces", "--align needs landmarks, and "),
      ("guide PHOTO --circle 200,150,100", "guide needs landmarks, and "),
      ("track PHOTO --select sharpest", "--select sharpest needs landmarks, and "),
      ("bench --size 640x480", "320 × 240 only"),
    ] {
      let arguments = line.split(separator: " ").map { $0 == "PHOTO" ? Tool.astronaut : "\($0)" }
      try tool.runAll(arguments + model).failedUsage(saying: words)
    }
    #expect(!tool.exists("faces"))

    let json = try tool.runAll(["detect", "--json", Tool.astronaut] + model)
    #expect(json.status == 0 && json.output.contains("\"pose\":null"))
    #expect(!json.output.contains("landmarks"))
    let csv = try tool.runAll(["detect", "--format", "csv", Tool.astronaut] + model)
    #expect(csv.output.hasSuffix(String(repeating: ",", count: 16) + "\n"))
    let tracked = try tool.runAll(["track", Tool.astronaut, Tool.astronaut] + model)
    #expect(tracked.status == 0 && tracked.output.contains("\"state\":\"tracked\""))
  }

  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func takeARecipeThatInspectPrints() throws {
    let files = ["param", "bin"].map { SharedData.path("models/more/scrfd_500m_kps.\($0)") }
    let recipe = try tool.run("inspect", files[0], "--recipe")
    #expect(recipe.status == 0 && recipe.output.contains("\"family\" : \"scrfd\""))
    try tool.write(recipe.output, to: "s.json")
    let plain = ["detect", "--json", Tool.astronaut, "--param", files[0], "--bin", files[1]]
    let found = try tool.runAll(plain + ["--recipe", "s.json"]).succeeded()
    #expect(try found.output == tool.runAll(plain).output)

    try tool.write(recipe.output.replacing("\"442\"", with: "\"none\""), to: "bad.json")
    try tool.runAll(plain + ["--recipe", "bad.json"]).failed(saying: "found no blob none")
  }

  @Test func inspectSaysWhatAFamilyNeeds() throws {
    let param = SharedData.projectRoot
      .appending(path: "Tests/YOLOFaceTests/Fixtures/no-face-model.param").path
    let run = try tool.run("inspect", param, "--recipe")
    #expect(run.status == 1 && run.output == "" && run.errors.contains("SCRFD"))
    let described = try tool.run("inspect", param)
    #expect(described.output.contains("family unknown; --recipe says"))
  }
}

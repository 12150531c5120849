import Foundation
import TestSupport
import Testing

struct ModelOptionsTests {
  private let tool = Tool()

  @Test(arguments: [
    "detect a.png", "track a.png", "guide a.png --circle 225,117,100", "compare a.png b.png",
    "bench", "profile", "evaluate @/ --truth labels.json", "explain a.png -o page.html",
    "anonymise a.png -o b.png", "inspect",
  ])
  func refuseWrongUsage(command: String) {
    let model = command == "inspect" ? "m.param m.bin" : "--param m.param --bin m.bin"
    let recipes = """
      \(model) --recipe recipe.json
      --recipe recipe.json | --recipe: give the model's files, too, with --param and --bin.
      """
    tool.expectUsage(
      of: command,
      table: """
        \(model)
        --precision int8
        \(model) --precision fp32 / int8 | `yoloface quantize` makes an int8 pair
        \(command == "inspect" ? "" : recipes)
        """)
  }

  @Test func chooseAFormOfTheEmbeddedModel() throws {
    func output(_ options: String) throws -> String {
      let run = try tool.run(line: "detect --json PHOTO \(options)").succeeded()
      #expect(run.errors == "")
      return run.output
    }
    let int8 = try output("--precision int8")
    let (param, bin) = (Tool.model("param", form: "-int8"), Tool.model("bin", form: "-int8"))
    #expect(try int8 == output("--param \(param) --bin \(bin)"))
    let fp32 = try output("--precision fp32")
    #expect(try fp32 == Tool.astronautJSON.get() && fp32 != int8)
  }

  private func options(_ name: String) -> String {
    let file = SharedData.path("models/more/\(name)")
    return "--param \(file).param --bin \(file).bin"
  }

  /// UltraFace takes inputs of one size and finds no landmarks.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func sayWhatAModelCannotDo() throws {
    let model = options("ultraface_rfb_320")
    try tool.expectRuns(
      """
      detect PHOTO --long-side 640 \(model) | 64 inputs of 320 × 240 only; leave it out.
      detect PHOTO --align faces \(model) | 64 --align needs landmarks
      guide PHOTO --circle 200,150,100 \(model) | 64 guide needs landmarks
      track PHOTO --select sharpest \(model) | 64 --select sharpest needs landmarks
      bench --size 640x480 \(model) | 64 320 × 240 only
      """)
    #expect(!tool.exists("faces"))

    let json = try tool.run(line: "detect --json PHOTO \(model)").succeeded().output
    #expect(json.contains("\"pose\":null") && !json.contains("landmarks"))
    let csv = try tool.run(line: "detect --format csv PHOTO \(model)")
    #expect(csv.output.hasSuffix(String(repeating: ",", count: 16) + "\n"))
    let tracked = try tool.run(line: "track PHOTO PHOTO \(model)").succeeded()
    #expect(tracked.output.contains("\"state\":\"tracked\""))
  }

  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func takeARecipeThatInspectPrints() throws {
    let file = SharedData.path("models/more/scrfd_500m_kps.param")
    let recipe = try tool.run("inspect", file, "--recipe").succeeded().output
    #expect(recipe.contains("\"family\" : \"scrfd\""))
    try tool.write(recipe, to: "s.json")
    try tool.write(recipe.replacing("\"442\"", with: "\"none\""), to: "bad.json")
    let plain = "detect --json PHOTO \(options("scrfd_500m_kps"))"
    let found = try tool.run(line: "\(plain) --recipe s.json").succeeded()
    #expect(try found.output == tool.run(line: plain).output)
    try tool.expectRuns("\(plain) --recipe bad.json | 1 found no blob none")
  }

  @Test func inspectSaysWhatAFamilyNeeds() throws {
    let param = SharedData.projectRoot
      .appending(path: "Tests/YOLOFaceTests/Fixtures/no-face-model.param").path
    let run = try tool.run("inspect", param, "--recipe").failed(saying: "SCRFD")
    #expect(run.output == "")
    let described = try tool.run("inspect", param)
    #expect(described.output.contains("family unknown; --recipe says"))
  }
}

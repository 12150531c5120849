// SPDX-License-Identifier: Apache-2.0
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

  private func fixture(_ name: String) -> String {
    SharedData.projectRoot.appending(path: "Tests/YOLOFaceTests/Fixtures/\(name)").path
  }

  /// An SSD of prior boxes of 256 pixels in a picture of any size, which declares 60 × 60.
  @Test func sayWhichSizeAnSSDIsFed() throws {
    let (param, bin) = (fixture("tiny-ssd.param"), fixture("tiny-ssd.bin"))
    let text = try String(contentsOfFile: param, encoding: .utf8)
    let small = text.replacing("15 17", with: "15 18").replacing("0=300 1=300", with: "0=60 1=60")
      .replacing("1 3 in loc-in conf-in priors-in", with: "1 4 in loc-in conf-in priors-in picture")
      .replacing("1 1 priors-mean priors", with: "2 1 priors-mean picture priors")
      .replacing("-23300=1,48.0 -23301=1,85.333333", with: "-23300=1,256 -23301=1,400")
      .replacing("9=300 10=300", with: "9=-233 10=-233")
    try tool.write(small, to: "small.param")
    let declared = try tool.run(line: "detect PHOTO --param \(param) --bin \(bin)").succeeded()
    #expect(declared.errors == "")
    let said = "takes an input of about 192 × 192 pixels, in the picture's shape"
    let model = "--param small.param --bin \(bin)"
    #expect(try tool.run(line: "detect PHOTO \(model)").succeeded().errors.contains(said))
    #expect(try tool.run("inspect", "small.param").succeeded().errors.contains(said))
    let bench = try tool.run(line: "bench --iterations 1 \(model)").succeeded()
    #expect(bench.errors.contains(said) && bench.output.contains(", 221x165, "))
    let larger = try tool.run(line: "detect PHOTO --imgsz 320 \(model)").succeeded()
    #expect(larger.errors == "")
  }

  @Test func pointToRecipesWhereAFamilyFindsNothing() throws {
    let model = "--param \(fixture("tiny-ssd.param")) --bin \(fixture("tiny-ssd.bin"))"
    let run = try tool.run(line: "detect PHOTO --score-threshold 1 \(model)").succeeded()
    #expect(run.errors.contains("SSD finds nothing") && run.errors.contains("--recipe"))
    let quiet = try tool.run(line: "detect PHOTO --quiet --score-threshold 1 \(model)").succeeded()
    #expect(quiet.errors == "")
    let own = try tool.run(line: "detect PHOTO --score-threshold 1").succeeded()
    #expect(own.errors == "")
  }

  @Test func inspectSaysWhatAFamilyNeeds() throws {
    let param = fixture("no-face-model.param")
    let run = try tool.run("inspect", param, "--recipe").failed(saying: "SCRFD")
    #expect(run.output == "")
    let described = try tool.run("inspect", param)
    #expect(described.output.contains("family unknown; --recipe says"))
  }
}

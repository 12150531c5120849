import Testing

struct ModelOptionsTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test(arguments: [
    ["detect", Tool.astronaut], ["track", Tool.astronaut],
    ["guide", Tool.astronaut, "--circle", "225,117,100"],
    ["compare", Tool.astronaut, Tool.astronaut], ["bench"], ["profile"],
    ["evaluate", ".", "--truth", "labels.json"],
    ["explain", Tool.astronaut, "-o", "page.html"], ["inspect"],
  ])
  func refuseAPrecisionOfFiles(command: [String]) throws {
    let names = command == ["inspect"] ? [[], []] : [["--param"], ["--bin"]]
    let files = names[0] + [Tool.model("param")] + names[1] + [Tool.model("bin")]
    for precision in ["fp32", "int8"] {
      let run = try tool.runAll(command + files + ["--precision", precision])
      #expect(run.status == 64 && run.output == "")
      #expect(run.errors.contains("`yoloface quantize` makes an int8 pair"))
    }
  }

  @Test func chooseAFormOfTheEmbeddedModel() throws {
    let int8 = try tool.run("detect", "--json", Tool.astronaut, "--precision", "int8")
    #expect(int8.status == 0 && int8.errors == "")
    let fromFiles = try tool.run(
      "detect", "--json", Tool.astronaut, "--param", Tool.model("param", form: "-int8"),
      "--bin", Tool.model("bin", form: "-int8"))
    #expect(int8.output == fromFiles.output)
    let fp32 = try tool.run("detect", "--json", Tool.astronaut, "--precision", "fp32")
    #expect(try fp32.output == tool.run("detect", "--json", Tool.astronaut).output)
    #expect(fp32.output != int8.output)
  }
}

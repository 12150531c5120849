import ArgumentParser
import Testing

@testable import YOLOFaceTool

/// Wrong usage as the program itself answers it. The tests of the subcommands find theirs without launching it.
struct UsageTests {
  private let tool = Tool()

  @Test func namesOfFilesAreNoOptions() {
    let mistakes = tool.falseUsage(
      of: "detect",
      table: """
        -dash.png | -dash.png: found the name of a file that begins as options do; give ./-dash.png, or --
        a.png --help.jpg | give ./--help.jpg
        a.png -h.mp4 | give ./-h.mp4
        ./-dash.png
        -- -dash.png
        a.png --annotate=b.png
        """)
    #expect(mistakes == [])
  }

  /// Also where it is known before or after the options are.
  @Test func itsOwnUsageFollows() {
    let error = ValidationError("no")
    for (name, usage) in [
      ("detect", "yoloface detect [<options>]"), ("anonymize", "yoloface anonymise "),
      ("a.png", "yoloface <subcommand>"), (nil, "yoloface <subcommand>"),
    ] {
      let said = YOLOFaceCommand.wrongUsage(error, of: YOLOFaceCommand.subcommand(named: name))
      let lines = said.split(separator: "\n")
      #expect(
        lines.count == 3 && lines[0] == "Error: no" && lines[1].hasPrefix("Usage: \(usage)"),
        "\(lines)")
    }
  }

  /// A picture is enough to mean `detect`.
  @Test func usageOfTheDefaultSubcommandFollows() throws {
    let run = try tool.run("a.png", "b.png", "--annotate", "c.png")
    // Whether there are several pictures is known once they are looked for.
    run.failedUsage(saying: "--annotate FILE draws a single picture")
    #expect(run.output == "" && run.errors.contains("\nUsage: yoloface detect ["), "\(run)")
  }

  @Test func everySubcommandRefusesWrongUsage() throws {
    let commands = [
      "detct a.png", "detect a.png --no-such-option", "track a.png --no-labels", "guide a.png",
      "compare a.png", "anonymise a.png", "run m.param m.bin", "inspect --dot --json",
      "bench --threads 0", "profile --repetitions 0", "evaluate @/none --truth labels.json",
      "explain -o page.html", "quantize m.param m.bin -o small",
    ]
    let subcommands = YOLOFaceCommand.configuration.subcommands.map { "\($0)".lowercased() }
    #expect(
      Set(commands.dropFirst().map { String($0.prefix { $0 != " " }) }) == Set(subcommands))
    for command in commands {
      let arguments = command.split(separator: " ").map(String.init)
      let run = try tool.runAll(arguments)
      // The other tests are about what is said in this process.
      let said = try #require(tool.wrongUsage(arguments)).split(separator: "\n")
      let isSame = run.errors.split(separator: "\n").first == said.first
      #expect(
        run.status == 64 && run.output == "" && isSame && said[0].hasPrefix("Error: "),
        "\(command): \(run)")
    }
  }
}

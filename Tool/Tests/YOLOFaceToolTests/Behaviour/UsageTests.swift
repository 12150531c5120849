// SPDX-License-Identifier: Apache-2.0
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

  /// What users of other tools type is named with what it is here, in the subcommand that has it.
  @Test func namesWhatOtherToolsCallOtherwise() {
    tool.expectUsage(
      of: "detect a.png",
      table: """
        --output x
        --out x | here it is --output.
        -v | Unknown option '-v': here it is --version
        --half | here it is --precision int8
        --source b.png | here it is no option: give pictures
        --save_txt | '--save_txt': here it is --format yolo --output DIR.
        --conf 2 --threshold 0.5 | '--threshold': here it is --score-threshold.
        --region -5,0,9,9 --annotat x | Unknown option '--annotat': did you mean --annotate?
        --xyzzy | Unknown option '--xyzzy'.
        """)
    tool.expectUsage(
      of: "track",
      table: """
        p
        p --out x | Unknown option '--out': here it is --annotate.
        p --sound | Unknown option '--sound'.
        """)
  }

  /// Every option that a habit is sent to is one of some subcommand's.
  @Test func habitsAreSentToOptions() {
    let help =
      YOLOFaceCommand.configuration.subcommands.map {
        YOLOFaceCommand.helpMessage(for: $0, includeHidden: true, columns: 80)
      }.joined() + YOLOFaceCommand.helpMessage(includeHidden: true)
    for phrase in habits.flatMap(\.here) {
      for option in phrase.matches(of: /--[a-z-]+/) {
        #expect(help.contains("\(option.output)"), "\(phrase)")
      }
    }
    let names = habits.flatMap(\.names)
    #expect(names.count == Set(names).count, "each once")
  }

  /// Where a terminal says that it has no width.
  @Test func helpIsNotEmpty() throws {
    let help = try tool.runShell("COLUMNS=0 $tool guide --help").succeeded().output
    #expect(help.contains("OVERVIEW: ") && help.contains("--json"))
  }

  /// Hidden options say what they take, as the others do.
  @Test(arguments: [
    ("--region 10,10,50", "--region <x,y,width,height>  Leave out faces"),
    ("--precision fp16", "--precision <precision>  The embedded model's arithmetic: fp32"),
    ("--max-pixels=200M", "--max-pixels <number>  Refuse pictures"),
    ("--jobs", "--jobs <number>  The number"),
    ("--select x", "--select <select>"),
  ])
  func optionsSayWhatTheyTake(option: String, help: String) {
    let said = tool.wrongUsage(["detect", "a.png"] + option.words)
    #expect(
      said?.components(separatedBy: "\nHelp:  ").count == 2 && said?.contains(help) == true,
      "\(said ?? "")")
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
      "explain photo.png", "quantize m.param m.bin -o small",
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

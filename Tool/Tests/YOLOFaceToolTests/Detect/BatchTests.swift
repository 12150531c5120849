import ArgumentParser
import Foundation
import Raster
import Testing

@testable import YOLOFaceTool

/// Many pictures: input, failures and resuming.
struct BatchTests {
  private let tool = Tool()

  /// Copies of the astronaut, and files that are not pictures.
  private func write(good: [String] = [], bad: [String] = []) throws {
    for name in good { try tool.copyPhoto(to: name) }
    for name in bad { try tool.write("no picture", to: name) }
  }

  /// The pictures named in JSON Lines, in order.
  private func images(in text: String) throws -> [String] {
    struct Line: Decodable { var image: String }
    return try text.decodedLines(as: Line.self).map(\.image)
  }

  @Test func entersSubdirectoriesInOrderOfName() throws {
    try write(good: ["p/b.png", "p/a/2.png", "p/a/1.PNG", "p/c.png", "p/.hidden/x.png", "p/.y.png"])
    try tool.write("text", to: "p/a/notes.txt")
    // A cycle, if it were followed.
    try FileManager.default.createSymbolicLink(
      atPath: tool.path("p/a/loop"), withDestinationPath: "..")
    let run = try tool.run("detect", "--json", "p").succeeded()
    #expect(try images(in: run.output) == ["p/a/1.PNG", "p/a/2.png", "p/b.png", "p/c.png"])
    #expect(run.errors.hasPrefix("yoloface: 4 pictures: 4 searched, 4 faces, "))
    let left =
      "1 file left out: 1 PNG by another name (p/.y.png); 1 hidden directory not entered (p/.hidden); "
      + "1 link to a directory not followed (p/a/loop)"
    #expect(run.errors.contains(left), "\(run.errors)")
  }

  /// A directory that the search has not reached is empty when the batch begins.
  @Test(arguments: [("1", 4, 6), ("2", 2, 6), ("8", 1, 5)])
  func looksUpNoMoreThanItSearchesAtATime(jobs: String, threads: Int, found: Int) throws {
    try tool.writeBlankPictures((1...5).map { "p/a/\($0).png" })
    try FileManager.default.createDirectory(
      atPath: tool.path("p/b"), withIntermediateDirectories: true)
    let options = try BatchOptions.parse(["--jobs", jobs])
    let batch = Batch(try PictureQueue([tool.path("p")]), options, threads: 4)
    #expect(batch.mayHaveSeveral && batch.threads == threads)
    try tool.writeBlankPictures(["p/b/6.png"])
    #expect(batch.pictures.map(\.number) == Array(1...found))
  }

  @Test func takesPatterns() throws {
    try tool.writeBlankPictures(
      ["p/a.png", "p/q/b.png", "p/q/r/ab.png", "é/ü.png", "s/\u{301}a.png"])
    let patterns: [(pattern: String, expected: [String])] = [
      ("p/*.png", ["p/a.png"]), ("p/**/*.png", ["p/a.png", "p/q/b.png", "p/q/r/ab.png"]),
      ("**/[a]*.png", ["p/a.png", "p/q/r/ab.png"]), ("p/?/*", ["p/q/b.png"]),
      ("./p/q/?.png", ["./p/q/b.png"]), ("é/?.png", ["é/ü.png"]),
      ("s/*.png", ["s/\u{301}a.png"]),
    ]
    let run = try tool.runAll(["detect", "--json"] + patterns.map(\.pattern)).succeeded()
    #expect(try images(in: run.output) == patterns.flatMap(\.expected))
  }

  @Test func anExistingFileIsNotAPattern() throws {
    try write(good: ["[a].png", "a.png"])
    #expect(try images(in: tool.run("detect", "--json", "[a].png").output) == ["[a].png"])
    let none = try tool.run("detect", "[b].png")
    #expect(none.status == 64)
    #expect(none.errors.contains("[b].png: found no such file"))
  }

  /// An unreadable directory or a broken link is no failure if the pattern cannot match it.
  @Test(arguments: [("p/*.png", 0), ("p/q/**", 0), ("p/*/*.png", 1), ("**/*.png", 1), ("p/*", 1)])
  func failsOnlyForDirectoriesThatAPatternEnters(pattern: String, status: Int) throws {
    try write(good: ["p/a.png", "p/q/a.png"])
    let run = try tool.runShell(
      """
      chmod 755 .
      mkdir p/locked
      chmod 000 p/locked
      ln -s nowhere p/notes
      if [ "$(id -u)" = 0 ]; then user="setpriv --reuid 65534 --clear-groups"; fi
      $user "$tool" detect --json "$1"
      """, pattern)
    #expect(Int(run.status) == status)
    #expect(run.errors.contains(pattern == "p/*" ? "p/notes: " : "p/locked: ") == (status != 0))
    #expect(
      try images(in: run.output).contains("p/a.png")
        == (pattern != "p/q/**" && pattern != "p/*/*.png"))
  }

  @Test func takesLists() throws {
    let names = ["a.png", "with space.png", "emoji 🙂.png", "line\nbreak.png", "dir/b.png"]
    try write(good: names)
    let lines = "a.png\n\nwith space.png\nemoji 🙂.png\ndir"
    try tool.write(lines, to: "list")
    let byLine = try tool.run("detect", "--json", "--files-from", "list").succeeded()
    #expect(
      try images(in: byLine.output) == ["a.png", "with space.png", "emoji 🙂.png", "dir/b.png"])
    let byZero = try tool.runShell(
      "printf '%s\\0' \"$@\" | \"$tool\" detect --json --files-from - --null", names[0], names[1],
      names[2], names[3], names[4]
    ).succeeded()
    #expect(try images(in: byZero.output) == names)
  }

  /// The second name is sent only after the first picture's result has arrived.
  @Test func answersAListAsItArrives() throws {
    try write(good: ["a.png", "b.png"])
    try tool.runShell(
      """
      mkfifo names
      "$tool" detect --json --threads 2 --files-from names > out &
      exec 3> names
      echo a.png >&3
      for turn in $(seq 300); do test -s out && break; sleep 0.1; done
      test -s out || exit 9
      echo b.png >&3
      exec 3>&-
      wait $!
      """
    ).succeeded()
    #expect(try images(in: tool.text("out")) == ["a.png", "b.png"])
  }

  @Test func readsAPictureFromStandardInput() throws {
    let piped = try tool.runShell("\"$tool\" detect --json - < \"$1\"", Tool.astronaut).succeeded()
    #expect(
      try piped.output
        == Tool.astronautJSON.get().replacingOccurrences(
          of: "\"image\":\"\(Tool.astronaut)\"", with: "\"image\":\"-\""))
    try tool.runShell("\"$tool\" detect --json - < /dev/null").failed(saying: "yoloface: ")
  }

  @Test func countsFailures() throws {
    try write(good: ["p/a.png", "p/c.png"], bad: ["p/b.png"])
    let run = try tool.run("detect", "--json", "p", "missing.png").failed()
    #expect(try images(in: run.output) == ["p/a.png", "p/c.png"])
    let errors = run.errors.split(separator: "\n")
    #expect(errors.count == 3)
    #expect(errors[0].hasPrefix("yoloface: p/b.png: "))
    #expect(errors[1].hasPrefix("yoloface: missing.png: "))
    #expect(errors[2].hasPrefix("yoloface: 4 pictures: 2 searched, 2 faces, 2 failed, "))
    let quiet = try tool.run("detect", "--json", "p", "missing.png", "--quiet")
    #expect(quiet.errors.split(separator: "\n").count == 2)
    let rows = try tool.run("detect", "--json", "p", "missing.png", "--failure-rows").failed()
    #expect(try images(in: rows.output) == ["p/a.png", "p/b.png", "p/c.png", "missing.png"])
    #expect(rows.output.contains(#"{"error":"p/b.png: "#))
  }

  @Test func stopsAtTheFirstFailureOnRequest() throws {
    try write(good: ["a.png", "c.png"], bad: ["b.png"])
    let run = try tool.run(
      "detect", "--json", "--fail-fast", "--jobs", "1", "a.png", "b.png", "c.png"
    ).failed()
    #expect(try images(in: run.output) == ["a.png"])
  }

  @Test func doesNotDependOnTheNumberOfJobs() throws {
    try write(good: ["p/a.png", "p/b.png", "p/c.png", "p/d.png", "p/e.png"], bad: ["p/bb.png"])
    let one = try tool.run("detect", "--json", "p", "--threads", "1").output
    #expect(try images(in: one).count == 5)
    for options in [["--jobs", "1", "--threads", "3"], ["--jobs", "3"], ["--jobs", "7"]] {
      #expect(try tool.runAll(["detect", "--json", "p"] + options).output == one, "\(options)")
    }
  }

  @Test func aFileIsPartialUntilItIsComplete() throws {
    try write(good: ["a.png", "b.png"])
    let run = try tool.run("detect", "a.png", "b.png", "--json", "--output", "out.jsonl")
      .succeeded()
    #expect(run.output == "")
    #expect(try tool.text("out.jsonl") == tool.run("detect", "a.png", "b.png", "--json").output)
    #expect(!tool.exists("out.jsonl.partial"))
    try tool.write("left over", to: "new.partial")
    try tool.run("detect", "a.png", "--json", "--output", "new").failed(
      saying: "new.partial: found the output of an earlier run")
    #expect(try tool.text("new.partial") == "left over")
  }

  /// Whichever byte an earlier run stopped at, the result is that of a single run: in the opening, in or after
  /// an entry, and before the last byte. `EarlierReportTests` cuts off every byte.
  @Test(arguments: ["json", "jsonl", "csv", "coco"])
  func resumesAnEarlierRun(format: String) throws {
    let names = ["a.png", "b, \"c\".png", "line\nbreak.png", "d.png"]
    try write(good: names)
    try PNG.write(RGBImage(width: 64, height: 64, fill: .black), to: tool.path("none.png"))
    let arguments = ["detect"] + names + ["none.png", "--format", format, "--output", "out"]
    try tool.runAll(arguments).succeeded()
    let whole = try tool.text("out")
    let length = whole.utf8.count
    for cut in [0, 1, length / 3, length * 4 / 5, length - 1] {
      try FileManager.default.removeItem(atPath: tool.path("out"))
      try tool.write(Data(whole.utf8.prefix(cut)), to: "out.partial")
      let run = try tool.runAll(arguments + ["--resume"])
      #expect(run.status == 0, "cut at \(cut): \(run.errors)")
      #expect(try tool.text("out") == whole, "cut at \(cut)")
      #expect(!tool.exists("out.partial"))
    }
    let again = try tool.runAll(arguments + ["--resume"]).succeeded()
    #expect(try tool.text("out") == whole)
    // COCO's results do not say which pictures have no face.
    let all = format == "coco" ? " done before" : "5 pictures: 0 searched, 0 faces, 5 done before, "
    #expect(again.errors.contains(all))
  }

  @Test(arguments: ["wider", "yolo"])
  func resumesFilesPerPicture(format: String) throws {
    try write(good: ["p/a.png", "p/q/b.png"])
    let arguments = ["detect", "p", "--format", format, "--output", "out"]
    try tool.runAll(arguments).succeeded()
    try tool.write("mine", to: "out/a.txt")
    try FileManager.default.removeItem(atPath: tool.path("out/q/b.txt"))
    try tool.runAll(arguments + ["--resume"]).succeeded()
    #expect(try tool.text("out/a.txt") == "mine")
    #expect(tool.exists("out/q/b.txt"))
    try tool.runAll(arguments).failed(saying: "out/a.txt: found an existing file")
    #expect(try tool.text("out/a.txt") == "mine")
  }

  /// `EarlierReportTests` has the other formats, and damaged reports.
  @Test func refusesToResumeAFileThatIsNotAReport() throws {
    try write(good: ["a.png"])
    let text = "{\"precious\": 1}"
    try tool.write(text, to: "out")
    try tool.run("detect", "a.png", "--format", "jsonl", "--output", "out", "--resume").failed(
      saying: "out, line 1: found ")
    #expect(try tool.text("out") == text, "nothing is lost")
    #expect(!tool.exists("out.partial"))
  }

  /// Interrupted midway and resumed, with nothing missing or duplicated. The process that starts
  /// the tests may ignore signals, and its children inherit that.
  @Test(arguments: [("INT", 130), ("TERM", 143), ("KILL", 137)])
  func resumesAfterASignal(signal: String, status: Int) throws {
    let names = (1...30).map { "p/\($0 + 100).png" }
    try write(good: names)
    let run = try tool.runShell(
      """
      perl -e '$SIG{$_} = "DEFAULT" for qw(INT TERM); exec @ARGV' \
        "$tool" detect p --json --output out --threads 1 &
      for turn in $(seq 300); do test -s out.partial && break; sleep 0.02; done
      kill -$1 $!
      wait $!
      """, signal)
    #expect(run.status == Int32(status))
    let kept = try tool.text(tool.exists("out.partial") ? "out.partial" : "out")
    #expect(!kept.isEmpty)
    if signal != "KILL" {
      #expect(kept.hasSuffix("\n"), "whole lines")
      #expect(run.errors.contains("out.partial: incomplete; --resume continues it"))
    }
    try tool.run("detect", "p", "--json", "--output", "out", "--resume").succeeded()
    #expect(try images(in: tool.text("out")) == names)
  }

  /// An earlier run's results count for the first mentions of a picture, whichever thread takes them.
  @Test func resumesTheFirstMentionsOfAPicture() throws {
    try write(good: ["a.png", "b.png"])
    let names = ["a.png", "b.png", "a.png"]
    let options = ["--format", "coco", "--output", "faces.json"]
    try tool.runAll(["detect"] + names + options).succeeded()
    let expected = try tool.text("faces.json")
    try tool.runAll(["detect", "a.png", "b.png"] + options).succeeded()
    let earlier = try tool.text("faces.json")
    for _ in 0..<5 {
      try tool.write(earlier, to: "faces.json")
      let arguments = ["detect"] + names + options + ["--resume", "--jobs", "3"]
      try tool.runAll(arguments).succeeded()
      #expect(try tool.text("faces.json") == expected)
    }
  }

  /// A damaged picture, and what is known before a picture is read, is written once.
  @Test(arguments: [["a.png", "b.png"], ["p/a.PNG.png", "p/a.PNG"]])
  func failuresOfAnEarlierRunCount(names: [String]) throws {
    try write(good: Array(names.dropFirst()) + ["p/a.PNG.png"], bad: ["a.png"])
    let arguments =
      ["detect"] + names
      + ["--annotate", "drawn", "--json", "--failure-rows", "--output", "out"]
    try tool.runAll(arguments).failed(saying: " 2 pictures: 1 searched, 1 face, 1 failed, ")
    let whole = try tool.text("out")
    #expect(whole.contains("\"error\":"))
    try tool.runAll(arguments + ["--resume"]).failed()
    #expect(try tool.text("out") == whole)
  }

  @Test func neverReplacesThePicturesItReads() throws {
    try write(good: ["p/a.png", "p/b.png"])
    let original = try tool.data("p/a.png")
    try tool.run(
      "detect", "p", "--json", "--output", "out", "--resume", "--annotate", "p"
    ).failed(saying: "p/a.png: found an existing file")
    #expect(try tool.data("p/a.png") == original)
  }

  /// Faces that are written during the search are not searched themselves.
  @Test func skipsTheDirectoriesItWritesTo() throws {
    try write(good: ["p/a.png", "p/b.png"])
    for _ in 0..<2 {
      try tool.run(
        "detect", "p", "--json", "--crop", "p/zcrops", "--output", "out", "--resume"
      ).succeeded()
      #expect(try images(in: tool.text("out")) == ["p/a.png", "p/b.png"])
    }
    #expect(!tool.exists("p/zcrops/zcrops"))
  }

  @Test func refusesAListWithTheOtherSeparator() throws {
    try write(good: ["a.png", "b.png"])
    let run = try tool.runShell(
      "printf 'a.png\\0b.png\\0' | \"$tool\" detect --json --files-from -"
    ).failed()
    #expect(run.output == "")
    #expect(
      run.errors.contains("found a zero byte in a name, expected a name on each line, in UTF-8"))
  }

  /// The list is still open, and the rest of it is not taken for a picture on standard input.
  @Test func endsWhileAListIsOpen() throws {
    try write(bad: ["a.png"])
    let run = try tool.runShell(
      """
      mkfifo names
      "$tool" detect --json --fail-fast --jobs 3 --files-from - < names &
      exec 3> names
      printf 'a.png\\n-\\n' >&3
      wait $!
      """
    ).failed(saying: "yoloface: a.png: ")
    #expect(!run.errors.contains("standard input"))
  }

  @Test func keepsMessagesOutOfItsFiles() throws {
    try write(good: ["a.png"])
    try tool.runShell("\"$tool\" detect a.png missing.png --json --output out 2>&- <&-").failed()
    #expect(try images(in: tool.text("out")) == ["a.png"])
  }

  @Test func drawsManyPicturesIntoADirectory() throws {
    try write(good: ["p/a.png", "p/q/b.png"])
    try tool.run("detect", "p", "--annotate", "drawn").succeeded()
    try tool.run("detect", "p/a.png", "--annotate", "one.png").succeeded()
    let one = try Picture.read(path: tool.path("one.png"))
    #expect(try one != Picture.read(path: tool.path("p/a.png")))
    for name in ["drawn/a.png", "drawn/q/b.png"] {
      #expect(try Picture.read(path: tool.path(name)) == one)
    }
  }

  @Test func numbersPicturesAsTheDataSetDoes() throws {
    try write(good: ["p/a.png", "p/b.png"])
    let images =
      #"{"images":[{"id":71,"file_name":"b.jpg","width":512,"height":512}],"annotations":"#
      + #"[{"image_id":71,"category_id":9,"bbox":[1,2,3,4]}]}"#
    try tool.write(images, to: "ids.json")
    let run = try tool.run("detect", "p", "--format", "coco", "--image-ids", "ids.json").failed(
      saying:
        "p/a.png: found no image a in ids.json, expected a file_name of this path below the directory"
    )
    #expect(run.output.contains(#""category_id":9,"file_name":"p/b.png","image_id":71"#))
    // The files of a test set have no annotations.
    let alone = #"{"images":[{"id":71,"file_name":"b.png"}]}"#
    try tool.write(alone, to: "alone.json")
    let numbered = try tool.run(
      "detect", "p/b.png", "--format", "coco", "--image-ids", "alone.json")
    #expect(numbered.status == 0 && numbered.output.contains(#""image_id":71"#))
  }

  @Test func theNameOfTheOutputGivesTheFormat() throws {
    try write(good: ["a.png"])
    // COCO's results are an array, too, but begin with a box.
    for (name, start) in [("o.json", "[\n{\"faces\":["), ("o.csv", "image,width_px,")] {
      try tool.run("detect", "a.png", "--output", name).succeeded()
      #expect(try tool.text(name).hasPrefix(start))
    }
  }

  @Test func escapesControlCharacters() throws {
    try write(bad: ["evil\u{1B}[31m.png"])
    let run = try tool.run("detect", "evil\u{1B}[31m.png")
    #expect(run.errors.contains("evil\\u{1B}[31m.png: "))
    #expect(!run.errors.contains("\u{1B}"))
    let missing = try tool.run("detect", "a.png", "--annotate", "evil\u{1B}[31m.jpg")
    #expect(missing.status == 64 && missing.errors.contains("evil\\u{1B}[31m.jpg: "))
    #expect(!missing.errors.contains("\u{1B}"))
  }

  #if os(Linux)
    /// A subdirectory that cannot be reached is a failure, since pictures may be in it.
    @Test(arguments: [
      ("detect --json photos", 1), ("detect --json 'photos/**/*.png'", 1),
      ("detect --json 'photos/*.png'", 0), ("anonymise photos -o hidden", 1), ("track photos", 1),
    ])
    func doesNotSkipWhatItCannotReach(arguments: String, status: Int32) throws {
      try write(good: ["photos/a.png"])
      let run = try tool.runShell(
        #"inner="photos/M$(printf '\374')nchen"; mkdir "$inner"; cp photos/a.png "$inner/b.png"; "#
          + "\"$tool\" \(arguments)")
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.contains("a name that leads nowhere") == (status == 1))
    }

    /// As a text, such a name would be another file's.
    @Test func refusesNamesThatAreNotUTF8() throws {
      let run = try tool.runShell(
        #"$tool detect "$1" --json --output "$(printf '\377').json""#, Tool.astronaut)
      #expect(run.status == 64 && run.errors.contains("not UTF-8 in argument 5"), "\(run.errors)")
    }
  #endif

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "detect", "a.png",
      table: """
        --format csv
        --format xml | The value 'xml' is invalid for '--format
        --format yolo --output o
        --format yolo --output @/lab.txt/
        --format yolo --output @/lab.txt | --output @/lab.txt: --format yolo writes a file for each picture, to a
        --format xmp --output @/a.xmp | --output @/a.xmp: --format xmp writes a file for each picture, to a
        --format xmp --full-sidecar-names
        --full-sidecar-names | --full-sidecar-names is for sidecars: give --format xmp.
        --output o.csv --resume
        --output o.JSON --failure-rows
        --output o.jsonl --failure-rows
        --output o.csv --failure-rows | --failure-rows writes JSON
        --output o.csv --format text --resume | --resume continues a report
        --format yolo | --format yolo writes a file for each picture: give a directory with --output.
        --format wider | --format wider writes a file for each picture: give a directory with --output.
        --resume --output o --json
        --resume | --resume continues a report: give --output, and a format other than text.
        --resume --output o | --resume continues a report: give --output, and a format other than text.
        --failure-rows --json
        --failure-rows | --failure-rows writes JSON: give --format json or jsonl.
        --format csv --failure-rows | --failure-rows writes JSON: give --format json or jsonl.
        --json --format csv | --json means --format jsonl: give one of the two.
        --jobs 256
        --jobs 0 | --jobs 0: give a number from 1 to 256.
        --jobs 257 | --jobs 257: give a number from 1 to 256.
        --null --files-from list
        --null | --null describes a list: give --files-from too.
        --image-ids x --format coco
        --image-ids x | --image-ids is for COCO's results: give --format coco.
        --format coco --mirror | --format coco uses the pixels of the picture turned upright
        --format yolo --output o --coordinates vision | --format yolo uses the pixels of the picture turned
        --format xmp --mirror | --format xmp uses the pixels of the stored picture
        --format xmp --output o -
        --format xmp - | --format xmp writes beside each picture: give a directory with --output
        -
        - - | Standard input can be read only once: give one - at most.
        - --files-from - | Standard input can be read only once: give one - at most.
        """)
    #expect(mistakes == [])
  }

  /// Sixty heads of 30 pixels, 9 of the network's input.
  @Test func saysWhatToTryInACrowd() throws {
    let head = try Picture.read(path: Tool.astronaut).cropped(x: 100, y: 0, width: 256, height: 256)
      .resized(width: 80, height: 80, filter: .area)
    var scene = RGBImage(width: 1600, height: 900, fill: .white)
    for number in 0..<60 {
      scene.draw(head, atX: 40 + 100 * (number % 15), y: 40 + 200 * (number / 15))
    }
    try PNG.write(scene, to: tool.path("crowd.png"))
    let hint = "1 picture has many faces near the smallest size that is found; --long-side 1280"
    #expect(try tool.run("detect", "crowd.png").errors.contains(hint))
    #expect(try tool.run("detect", "crowd.png", "--quiet").errors.isEmpty)
  }
}

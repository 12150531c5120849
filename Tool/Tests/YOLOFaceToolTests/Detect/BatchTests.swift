// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing
import YOLOFace
import YOLOFaceFiles
import YOLOFaceRaster

@testable import YOLOFaceTool

/// Many pictures: input, failures and resuming.
struct BatchTests {
  private let tool = Tool()

  /// Files that are not pictures.
  private func writeBad(_ name: String) throws { try tool.write("no picture", to: name) }

  /// The pictures named in JSON Lines, in order.
  private func images(in text: String) throws -> [String] {
    struct Line: Decodable { var image: String }
    return try text.decodedLines(as: Line.self).map(\.image)
  }

  @Test func entersSubdirectoriesInOrderOfName() throws {
    try tool.copyPhoto(
      to: "p/b.png", "p/a/2.png", "p/a/1.PNG", "p/c.png", "p/.hidden/x.png", "p/.y.png")
    // A cycle, if it were followed.
    try FileManager.default.createSymbolicLink(
      atPath: tool.path("p/a/loop"), withDestinationPath: "..")
    let run = try tool.run(line: "detect --json p").succeeded()
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
    try tool.writeBlankPictures((1...5).map { "p/a/\($0).png" } + ["p/b/6.png"])
    try FileManager.default.removeItem(atPath: tool.path("p/b/6.png"))
    let options = try BatchOptions.parse(["--jobs", jobs])
    let batch = Batch(try PictureQueue([tool.path("p")]), options, threads: 4)
    #expect(batch.mayHaveSeveral && batch.threads == threads)
    try tool.writeBlankPictures(["p/b/6.png"])
    #expect(batch.pictures.map(\.number) == Array(1...found))
  }

  /// At the first picture that cannot be written since its place is at fault, and at none whose own name is. In a
  /// process of its own, which it stops.
  @Test func endsWhereThePlaceIsAtFault() async {
    await #expect(processExitsWith: .success) {
      let tool = Tool()
      try tool.writeBlankPictures((1...5).map { "p/\($0).png" })
      let options = try BatchOptions.parse(["--quiet", "--jobs", "1"])
      for (error, tried) in [(ENAMETOOLONG, 5), (ENOSPC, 1)] {
        let batch = Batch(try PictureQueue([tool.path("p")]), options, threads: 1)
        let writer = try ResultWriter(
          .text, to: nil, earlier: .refused, record: RunRecord(of: options, ModelOptions.parse([])),
          by: Outputs(inputs: []))
        let count = Atomic(0)
        #expect(throws: (any Error).self) {
          try batch.run(with: FaceDetector(), to: writer) { input, _ in
            count.add(1, ordering: .relaxed)
            throw FileError(path: input.path, writing: error)
          }
        }
        #expect(count.load(ordering: .relaxed) == tried)
      }
    }
  }

  @Test func takesPatterns() throws {
    try tool.writeBlankPictures(
      ["p/a.png", "p/q/b.png", "p/q/r/ab.png", "é/ü.png", "s/\u{301}a.png", "[a].png", "a.png"])
    let patterns: KeyValuePairs = [
      "p/*.png": ["p/a.png"], "p/**/*.png": ["p/a.png", "p/q/b.png", "p/q/r/ab.png"],
      "**/[a]*.png": ["a.png", "p/a.png", "p/q/r/ab.png"], "p/?/*": ["p/q/b.png"],
      "./p/q/?.png": ["./p/q/b.png"], "é/?.png": ["é/ü.png"], "s/*.png": ["s/\u{301}a.png"],
      "[a].png": ["[a].png"],
    ]
    let run = try tool.runAll(["detect", "--json"] + patterns.map(\.key)).succeeded()
    #expect(try images(in: run.output) == patterns.flatMap(\.value))
    try tool.expectRuns("detect [b].png | 64 [b].png: found no such file")
  }

  /// An unreadable directory or a broken link is no failure if the pattern cannot match it.
  @Test(arguments: [("p/*.png", 0), ("p/q/**", 0), ("p/*/*.png", 1), ("**/*.png", 1), ("p/*", 1)])
  func failsOnlyForDirectoriesThatAPatternEnters(pattern: String, status: Int32) throws {
    try tool.copyPhoto(to: "p/a.png", "p/q/a.png")
    let run = try tool.runShell(
      """
      chmod 755 .
      mkdir p/locked
      chmod 000 p/locked
      ln -s nowhere p/notes
      if [ "$(id -u)" = 0 ]; then user="setpriv --reuid 65534 --clear-groups"; fi
      $user "$tool" detect --json "$1"
      """, pattern)
    #expect(run.status == status)
    #expect(run.errors.contains(pattern == "p/*" ? "p/notes: " : "p/locked: ") == (status != 0))
    let hasFirst = try images(in: run.output).contains("p/a.png")
    #expect(hasFirst == !["p/q/**", "p/*/*.png"].contains(pattern))
  }

  @Test func takesLists() throws {
    let names = ["a.png", "with space.png", "emoji 🙂.png", "line\nbreak.png", "dir/b.png"]
    for name in names { try tool.copyPhoto(to: name) }
    try tool.write("a.png\n\nwith space.png\nemoji 🙂.png\ndir", to: "list")
    let byLine = try tool.run(line: "detect --json --files-from list").succeeded()
    #expect(
      try images(in: byLine.output) == ["a.png", "with space.png", "emoji 🙂.png", "dir/b.png"])
    try tool.write(names.joined(separator: "\0"), to: "zeros")
    let byZero = try tool.runShell("\"$tool\" detect --json --files-from - --null < zeros")
    #expect(try images(in: byZero.succeeded().output) == names)
    let wrong = try tool.runShell("\"$tool\" detect --json --files-from - < zeros").failed(
      saying: "found a zero byte in a name, expected a name on each line, in UTF-8")
    #expect(wrong.output == "")
  }

  /// The second name is sent only after the first picture's result has arrived.
  @Test func answersAListAsItArrives() throws {
    try tool.copyPhoto(to: "a.png", "b.png")
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
    let piped = try tool.runShell(
      "\"$tool\" detect --json - --annotate a.png < \"$1\"", Tool.astronaut
    ).succeeded()
    let named = try Tool.astronautJSON.get()
    #expect(
      piped.output == named.replacing("\"\(Tool.astronaut)\"", with: "\"-\"")
        && tool.exists("a.png"))
    try tool.runShell("\"$tool\" detect --json - < /dev/null").failed(saying: "yoloface: ")
  }

  @Test func countsFailures() throws {
    try tool.copyPhoto(to: "p/a.png", "p/c.png")
    try writeBad("p/b.png")
    let run = try tool.run(line: "detect --json p missing.png").failed()
    #expect(try images(in: run.output) == ["p/a.png", "p/c.png"])
    let errors = run.errors.split(separator: "\n")
    let expected = ["p/b.png: ", "missing.png: ", "4 pictures: 2 searched, 2 faces, 2 failed, "]
    #expect(errors.count == 3)
    for (line, start) in zip(errors, expected) { #expect(line.hasPrefix("yoloface: \(start)")) }
    let quiet = try tool.run(line: "detect --json p missing.png --quiet")
    #expect(quiet.errors.split(separator: "\n").count == 2)
    let rows = try tool.run(line: "detect --json p missing.png --failure-rows").failed()
    #expect(try images(in: rows.output) == ["p/a.png", "p/b.png", "p/c.png", "missing.png"])
    #expect(rows.output.contains(#"{"error":"p/b.png: "#))
    let first = try tool.run(line: "detect --json --fail-fast --jobs 1 p").failed()
    #expect(try images(in: first.output) == ["p/a.png"])
  }

  /// With both outputs in one file, each message is at its picture's position.
  @Test func doesNotDependOnTheNumberOfJobs() throws {
    try tool.copyPhoto(to: "p/a.png", "p/b.png", "p/c.png", "p/d.png", "p/e.png")
    try writeBad("p/bb.png")
    let options = ["--threads 1", "--jobs 1 --threads 3", "--jobs 3", "--jobs 7"]
    let outputs = try options.map {
      try tool.runShell("\"$tool\" detect --json --quiet p missing.png p/a.png \($0) 2>&1").output
    }
    #expect(Set(outputs).count == 1)
    let lines = outputs[0].split(separator: "\n")
    let expected = [
      "p/a.png", "p/b.png", "yoloface: p/bb.png", "p/c.png", "p/d.png", "p/e.png",
      "yoloface: missing.png", "p/a.png",
    ]
    #expect(lines.count == expected.count)
    for (line, part) in zip(lines, expected) { #expect(line.contains(part)) }
  }

  @Test func aFileIsPartialUntilItIsComplete() throws {
    try tool.copyPhoto(to: "a.png", "b.png")
    let run = try tool.run(line: "detect a.png b.png --json --output out.jsonl").succeeded()
    #expect(run.output == "" && !tool.exists("out.jsonl.partial"))
    #expect(try tool.text("out.jsonl") == tool.run(line: "detect a.png b.png --json").output)
    try tool.write("left over", to: "new.partial")
    try tool.write("{\"precious\": 1}", to: "mine.jsonl")
    // `EarlierReportTests` has the other formats, and damaged reports.
    try tool.expectRuns(
      """
      detect a.png --json --output new | 1 new.partial: found the output of an earlier run
      detect a.png --output mine.jsonl --resume | 1 mine.jsonl, line 1: found
      """)
    #expect(try tool.text("new.partial") == "left over")
    #expect(try tool.text("mine.jsonl") == "{\"precious\": 1}", "nothing is lost")
    #expect(!tool.exists("mine.jsonl.partial"))
  }

  /// Whichever byte an earlier run stopped at, the result is that of a single run: in the opening, in or after
  /// an entry, and before the last byte. `EarlierReportTests` cuts off every byte.
  @Test(arguments: ["json", "jsonl", "csv", "coco"])
  func resumesAnEarlierRun(format: String) throws {
    let names = ["a.png", "b, \"c\".png", "line\nbreak.png", "d.png"]
    for name in names { try tool.copyPhoto(to: name) }
    try tool.writeBlankPictures(["none.png"])
    let arguments = ["detect"] + names + ["none.png", "--format", format, "--output", "out"]
    try tool.runAll(arguments).succeeded()
    let whole = try tool.text("out")
    let length = whole.utf8.count
    for cut in [0, 1, length / 3, length * 4 / 5, length - 1] {
      try FileManager.default.removeItem(atPath: tool.path("out"))
      try tool.write(Data(whole.utf8.prefix(cut)), to: "out.partial")
      try tool.runAll(arguments + ["--resume"]).succeeded()
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
    try tool.copyPhoto(to: "p/a.png", "p/q/b.png")
    let line = "detect p --format \(format) --output out"
    try tool.expectRuns(line)
    try tool.write("mine", to: "out/a.txt")
    try FileManager.default.removeItem(atPath: tool.path("out/q/b.txt"))
    try tool.expectRuns("\(line) --resume\n\(line) | 1 out/a.txt: found an existing file")
    #expect(try tool.text("out/a.txt") == "mine")
    #expect(tool.exists("out/q/b.txt"))
  }

  /// Interrupted midway and resumed, with nothing missing or duplicated. The process that starts
  /// the tests may ignore signals, and its children inherit that.
  @Test(arguments: [("INT", 130), ("TERM", 143), ("KILL", 137)])
  func resumesAfterASignal(signal: String, status: Int) throws {
    let names = (1...30).map { "p/\($0 + 100).png" }
    for name in names { try tool.copyPhoto(to: name) }
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
    try tool.run(line: "detect p --json --output out --resume").succeeded()
    #expect(try images(in: tool.text("out")) == names)
  }

  /// An earlier run's results count for the first mentions of a picture, whichever thread takes them.
  @Test func resumesTheFirstMentionsOfAPicture() throws {
    try tool.copyPhoto(to: "a.png", "b.png")
    let (some, all) = (
      "detect a.png b.png --format coco --output faces.json",
      "detect a.png b.png a.png --format coco --output faces.json"
    )
    try tool.expectRuns(all)
    let expected = try tool.text("faces.json")
    try tool.expectRuns(some)
    let earlier = try tool.text("faces.json")
    for _ in 0..<5 {
      try tool.write(earlier, to: "faces.json")
      try tool.expectRuns(all + " --resume --jobs 3")
      #expect(try tool.text("faces.json") == expected)
    }
  }

  /// A damaged picture, and what is known before a picture is read, is written once.
  @Test(arguments: ["a.png b.png", "p/a.PNG.png p/a.PNG"])
  func failuresOfAnEarlierRunCount(names: String) throws {
    try tool.copyPhoto(to: "b.png", "p/a.PNG", "p/a.PNG.png")
    try writeBad("a.png")
    let line = "detect \(names) --annotate drawn --json --failure-rows --output out"
    try tool.expectRuns("\(line) | 1  2 pictures: 1 searched, 1 face, 1 failed, ")
    let whole = try tool.text("out")
    #expect(whole.contains("\"error\":"))
    try tool.expectRuns("\(line) --resume | 1")
    #expect(try tool.text("out") == whole)
  }

  @Test func neverReplacesThePicturesItReads() throws {
    try tool.copyPhoto(to: "p/a.png", "p/b.png")
    try tool.expectRuns(
      "detect p --json --output out --resume --annotate p | 1 p/a.png: found an existing file")
    #expect(
      FileManager.default.contentsEqual(atPath: Tool.astronaut, andPath: tool.path("p/a.png")))
  }

  /// Faces that are written during the search are not searched themselves.
  @Test func skipsTheDirectoriesItWritesTo() throws {
    try tool.copyPhoto(to: "p/a.png", "p/b.png")
    for _ in 0..<2 {
      try tool.expectRuns("detect p --json --crop p/zcrops --output out --resume")
      #expect(try images(in: tool.text("out")) == ["p/a.png", "p/b.png"])
    }
    #expect(!tool.exists("p/zcrops/zcrops"))
  }

  /// The list is still open, and the rest of it is not taken for a picture on standard input.
  @Test func endsWhileAListIsOpen() throws {
    try writeBad("a.png")
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
    try tool.copyPhoto(to: "a.png")
    try tool.runShell("\"$tool\" detect a.png missing.png --json --output out 2>&- <&-").failed()
    #expect(try images(in: tool.text("out")) == ["a.png"])
  }

  @Test func drawsManyPicturesIntoADirectory() throws {
    try tool.copyPhoto(to: "p/a.png", "p/q/b.png")
    try tool.expectRuns("detect p --annotate drawn\ndetect p/a.png --annotate one.png")
    let one = try tool.data("one.png")
    #expect(try one == tool.data("drawn/a.png") && one == tool.data("drawn/q/b.png"))
  }

  @Test func numbersPicturesAsTheDataSetDoes() throws {
    try tool.copyPhoto(to: "p/a.png", "p/b.png")
    let images =
      #"{"images":[{"id":71,"file_name":"b.jpg","width":512,"height":512}],"annotations":"#
      + #"[{"image_id":71,"category_id":9,"bbox":[1,2,3,4]}]}"#
    try tool.write(images, to: "ids.json")
    let run = try tool.run(line: "detect p --format coco --image-ids ids.json").failed(
      saying:
        "p/a.png: found no image a in ids.json, expected a file_name of this path below the directory"
    )
    #expect(run.output.contains(#""category_id":9,"file_name":"p/b.png","image_id":71"#))
    // The files of a test set have no annotations.
    try tool.write(#"{"images":[{"id":71,"file_name":"b.png"}]}"#, to: "alone.json")
    let numbered = try tool.run(line: "detect p/b.png --format coco --image-ids alone.json")
    #expect(numbered.succeeded().output.contains(#""image_id":71"#))
  }

  @Test func theNameOfTheOutputGivesTheFormat() throws {
    // COCO's results are an array, too, but begin with a box.
    for (name, start) in [("o.json", "[\n{\"faces\":["), ("o.csv", "image,width_px,")] {
      try tool.run("detect", Tool.astronaut, "--output", name).succeeded()
      #expect(try tool.text(name).hasPrefix(start))
    }
  }

  @Test func escapesControlCharacters() throws {
    try writeBad("evil\u{1B}[31m.png")
    for line in ["evil\u{1B}[31m.png", "a.png --annotate evil\u{1B}[31m.jpg"] {
      let run = try tool.run(line: "detect \(line)")
      #expect(run.errors.contains("evil\\u{1B}[31m.") && !run.errors.contains("\u{1B}"))
    }
  }

  #if os(Linux)
    /// Names in Latin-1, as arguments, in a directory, of which one is hidden, in patterns and in lists; the outputs'
    /// names, too. Reports name them by stand-ins for their bytes.
    @Test func readsNamesThatAreNotUTF8() throws {
      try tool.copyPhoto(to: "photos/a.png")
      let run = try tool.runShell(
        #"""
        in="photos/M$(printf '\374')nchen"; mkdir "$in"; cp photos/a.png "$in/$(printf '\366').png"
        find "$in" -type f -print0 > list
        "$tool" detect photos "$in"/* 'photos/M?nchen/*' --files-from list --null --output "$(printf '\377').jsonl"
        "$tool" anonymise "$in" -o hidden
        cat "$(printf '\377').jsonl"; ls hidden | od -c | grep -c 366
        """#)
      let name = #"photos/M\udbff\udefcnchen/\udbff\udef6.png"#
      let lines = run.output.split(separator: "\n")
      #expect(
        run.status == 0 && lines.count(where: { $0.contains("\"image\":\"\(name)\"") }) == 4,
        "\(run)")
      #expect(lines.last == "1")
    }
  #endif

  @Test func refusesWrongUsage() {
    tool.expectUsage(
      of: "detect a.png",
      table: """
        --format xml | The value 'xml' is invalid for '--format
        --format yolo --output o / @/lab.txt/
        --format yolo --output @/lab.txt | --output @/lab.txt: --format yolo writes a file for each picture, to a
        --format xmp --output @/a.xmp | --output @/a.xmp: --format xmp writes a file for each picture, to a
        --full-sidecar-names | --full-sidecar-names is for sidecars: give --format xmp.
        --failure-rows --output o.JSON / o.jsonl
        --format yolo / wider | writes a file for each picture: give a directory with --output.
        --resume / --resume --output o | --resume continues a report: give --output, and a format other than text.
        --output o.csv --format text --resume | --resume continues a report
        --failure-rows / --format csv --failure-rows | --failure-rows writes JSON: give --format json or jsonl.
        --output o.csv --failure-rows | --failure-rows writes JSON
        --json --format csv | --json means --format jsonl: give one of the two.
        --jobs 256
        --jobs 0 / 257 | give a number from 1 to 256.
        --null | --null describes a list: give --files-from too.
        --image-ids x | --image-ids is for COCO's results: give --format coco.
        --format coco --mirror | --format coco uses the pixels of the picture turned upright
        --format yolo --output o --coordinates vision | --format yolo uses the pixels of the picture turned
        --format xmp --mirror | --format xmp uses the pixels of the stored picture
        --format xmp --output o -
        --format xmp - | --format xmp writes beside each picture: give a directory with --output
        - - | Standard input can be read only once: give one - at most.
        - --files-from - | Standard input can be read only once: give one - at most.
        """)
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
    try tool.expectRuns(
      "detect crowd.png | 0 1 picture has many faces near the smallest size that is found; --long-side 1280"
    )
    #expect(try tool.run("detect", "crowd.png", "--quiet").errors.isEmpty)
  }
}

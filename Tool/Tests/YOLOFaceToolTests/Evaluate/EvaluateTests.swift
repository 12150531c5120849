// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster
import YOLOFaceReport

/// Evaluation on two pictures: the astronaut, for which the ground truth has the real face and one
/// that is not there, and a blank picture.
struct EvaluateTests {
  private let tool: Tool

  init() throws {
    tool = Tool()
    try tool.copyPhoto(to: "photos/event/astronaut.png")
    try PNG.write(RGBImage(width: 64, height: 32, fill: .white), to: tool.path("photos/blank.png"))
    try tool.write(labels, to: "labels.json")
  }

  /// Where the detector finds the face; see the README.
  private let box = [175, 54, 100, 126]
  /// A face that is not in the picture.
  private let missed = [400, 400, 40, 50]

  private var labels: String {
    """
    {"event/astronaut.jpg": {"width": 512, "height": 512,
      "boxes": [[175, 54, 275, 180], [400, 400, 440, 450]]},
     "blank.jpg": {"width": 64, "height": 32, "boxes": []}}
    """
  }

  private struct Report: Decodable {
    struct Precision: Decodable, Equatable {
      var name: String
      var faces: Int
      var voc, coco, averagePrecision: Double?
    }
    struct Conditions: Decodable { var weights: String? }
    struct Landmarks: Decodable {
      var faces, found: Int
      var mean, nose: Double
    }
    var conditions: Conditions
    var pictures, leftOut, detections, ignoredFaces: Int
    var averagePrecision, wider: [Precision]
    var landmarkError: Landmarks?
  }

  /// Of the pictures and labels that every test begins with.
  private static let baseline = Result { try EvaluateTests().report("labels.json") }

  private func evaluate(_ truth: String, _ flags: [String] = []) throws -> Tool.Run {
    try tool.runAll(["evaluate", "photos", "--truth", truth] + flags)
  }

  private func report(_ truth: String, _ flags: String...) throws -> Report {
    try evaluate(truth, ["--json"] + flags).succeeded().output.decoded()
  }

  /// One of two faces is found, by the best detection: a precision of 1 up to a recall of a half,
  /// which is 51 of COCO's 101 recalls.
  @Test func measures() throws {
    let report = try Self.baseline.get()
    #expect(report.conditions.weights == "yoloface-n-0.5, embedded")
    #expect(report.pictures == 2 && report.leftOut == 0 && report.ignoredFaces == 0)
    #expect(
      report.averagePrecision.map(\.name)
        == ["all", "under 16 px", "16-32 px", "32-96 px", "over 96 px"])
    #expect(report.averagePrecision.map(\.faces) == [2, 0, 0, 1, 1])
    #expect(report.averagePrecision.map(\.voc) == [0.5, nil, nil, 0, 1])
    #expect(report.averagePrecision[0].coco == 0.50495)
    #expect(report.wider.map(\.name) == ["all"] && report.wider[0].averagePrecision == 0.5)
    #expect(report.landmarkError == nil)
    let int8 = try self.report("labels.json", "--precision", "int8")
    #expect(int8.conditions.weights == "yoloface-n-0.5-int8, embedded")
    let files = try self.report(
      "labels.json", "--param", Tool.model("param"), "--bin", Tool.model("bin"))
    #expect(files.conditions.weights == "\(Tool.model("param")), \(Tool.model("bin"))")
    #expect(files.averagePrecision == report.averagePrecision)
  }

  /// `DataSetFilesTests` reads directories of labels.
  @Test func readsEveryFormatOfFiles() throws {
    let files = [
      "wider.txt": """
      event/astronaut.jpg
      2
      175 54 100 126 0 0 0 0 0 0 \n\
      400 400 40 50 0 0 0 0 0 0 \n\
      blank.jpg
      0
      0 0 0 0 0 0 0 0 0 0 \n
      """,
      "coco.json": """
      {"images": [{"id": 30, "file_name": "event/astronaut.jpg", "width": 512, "height": 512},
                  {"id": 20, "file_name": "blank.jpg"}],
       "annotations": [{"image_id": 30, "bbox": \(box)}, {"image_id": 30, "bbox": \(missed)}]}
      """,
      "label.txt": "# event/astronaut.jpg\n175 54 100 126\n400 400 40 50\n# blank.jpg\n",
    ]
    for (name, text) in files {
      try tool.write(text, to: name)
      let found = try report(name).averagePrecision
      #expect(try found == Self.baseline.get().averagePrecision, "\(name)")
    }
  }

  @Test func printsATable() throws {
    let run = try evaluate("labels.json", ["--long-side", "512"])
    #expect(run.succeeded().errors == "", "no progress where standard error is a file")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "weights yoloface-n-0.5, embedded")
    #expect(lines[1] == "long side 512, scores from 0.02, suppression over IoU 0.45")
    #expect(lines[2].hasPrefix("2 pictures, 2 faces, 0 ignored, "))
    #expect(lines.contains("  all                  2    0.5000    0.5050"))
    #expect(lines.contains("  under 16 px          0         -         -"))
    #expect(lines.contains("by the protocol of WIDER FACE"))
  }

  @Test func doesNotDependOnTheNumberOfThreads() throws {
    let outputs = try ["1", "2", "5"].map {
      try evaluate("labels.json", ["--json", "--threads", $0]).succeeded().output
    }
    #expect(Set(outputs).count == 1)
  }

  @Test func evaluatesWIDERFACESubsets() throws {
    try tool.write("event/astronaut.jpg\n1\n", to: "easy.txt")
    try tool.write("event/astronaut.jpg\n2\nblank.jpg\n\n", to: "hard.txt")
    let report = try report("labels.json", "--subset", "easy.txt", "--subset", "hard.txt")
    #expect(report.wider.map(\.name) == ["all", "easy", "hard"])
    #expect(report.wider.map(\.faces) == [2, 1, 1])
    #expect(report.wider.map(\.averagePrecision) == [0.5, 1, 0])
    try tool.write("event/astronaut.jpg\n3\n", to: "easy.txt")
    try evaluate("labels.json", ["--subset", "easy.txt"]).failed(
      saying: "easy.txt:2: found the face 3 of event/astronaut")
  }

  @Test func turnsSidewaysPictures() throws {
    let upright = try Picture.read(path: Tool.astronaut)
    try PNG.write(upright.upright(from: .left), to: tool.path("photos/event/astronaut.png"))
    // The other picture, if turned, would not have the size stated by its ground truth.
    try tool.write(
      labels.replacing("\"width\": 64, \"height\": 32, ", with: ""), to: "labels.json")
    let turned = try report("labels.json", "--orientation", "right")
    #expect(try turned.averagePrecision == Self.baseline.get().averagePrecision)
    #expect(try report("labels.json").averagePrecision[0].voc != 0.5)
  }

  @Test func measuresLandmarks() throws {
    let detected = try Tool.astronautJSON.get().decoded(as: DetectionReport.self)
    var points = try #require(detected.faces.first?.landmarks).points.map { [$0.x, $0.y] }
    let eyes = hypot(points[0][0] - points[1][0], points[0][1] - points[1][1])
    points[2][0] += eyes / 2
    let row: [Double] = [1, 175, 54, 275, 180] + points.joined()
    try tool.write(#"{"event/astronaut.png": {"faces": [\#(row)]}}"#, to: "points.json")
    let fractions = ([225, 117, 100, 126] + points.joined()).map { "\($0 / 512)" }
    try tool.write("0 \(fractions.joined(separator: " "))\n", to: "points/event/astronaut.txt")
    for truth in ["points.json", "points"] {
      let error = try #require(try report(truth).landmarkError)
      #expect(error.faces == 1 && error.found == 1)
      // The printed points are rounded to a thousandth of a pixel.
      #expect(abs(error.nose - 0.5) < 1e-4 && abs(error.mean - 0.1) < 1e-4, "\(truth)")
    }
  }

  /// What `detect` saves gives the same figures as its detections themselves.
  @Test func readsWhatDetectSaves() throws {
    try tool.run("detect", "photos", "--score-threshold", "0.02", "--output", "saved.json")
      .succeeded()
    let stored = try report("labels.json", "--detections", "saved.json")
    let direct = try Self.baseline.get()
    #expect(stored.averagePrecision == direct.averagePrecision && stored.wider == direct.wider)
    #expect(stored.detections == direct.detections && stored.conditions.weights == nil)
  }

  @Test func writesDetections() throws {
    let report = try report(
      "labels.json", "--write-wider", "results", "--write-coco", "results.json",
      "--curve", "curve.svg")
    let lines = try tool.text("results/event/astronaut.txt").split(separator: "\n")
    #expect(lines[0] == "astronaut" && Int(lines[1]) == lines.count - 2)
    let numbers = lines[2].split(separator: " ").compactMap { Double($0) }
    #expect(numbers.count == 5)
    #expect(zip(numbers, box).allSatisfy { abs($0 - Double($1)) < 10 })
    #expect((0.9...1).contains(numbers[4]))
    #expect(try tool.text("results/blank.txt").hasPrefix("blank\n"))

    struct Result: Decodable {
      var image_id, category_id: Int
      var bbox: [Double]
      var score: Double
    }
    let results: [Result] = try tool.text("results.json").decoded()
    #expect(results.count == report.detections)
    let best = try #require(results.max { $0.score < $1.score })
    // blank.jpg comes first by name.
    #expect(best.image_id == 2 && best.category_id == 1)
    #expect(zip(best.bbox, numbers).allSatisfy { abs($0 - $1) < 0.006 })

    #expect(try tool.text("curve.svg").contains("0.5000: all, 2 faces"))

    // WIDER FACE's evaluation in Python looks a picture up by the first line without `.jpg`.
    try tool.run(
      "detect", "photos", "--format", "wider", "--output", "detected", "--score-threshold", "0.02"
    ).succeeded()
    for name in ["event/astronaut.txt", "blank.txt"] {
      #expect(try tool.data("results/\(name)") == tool.data("detected/\(name)"), "\(name)")
    }
    // At 0.02 a picture of one colour may have faint finds.
    try tool.run("detect", "photos/blank.png", "--format", "wider", "--output", "sure").succeeded()
    #expect(try tool.text("sure/blank.txt") == "blank\n0\n")
  }

  /// Pictures that are missing or damaged do not count; when only part of a data set is there, the others are not
  /// each listed.
  @Test func leavesOutUnreadablePictures() throws {
    try tool.write("no picture", to: "photos/bad.png")
    let names = (["bad"] + (1001...1293).map { "event/\($0)" }).map {
      ", \"\($0).jpg\": {\"boxes\": [[1, 2, 30, 40]]}"
    }
    try tool.write(labels.dropLast() + names.joined() + "}", to: "labels.json")
    let run = try evaluate("labels.json").failed(saying: "photos/bad.png")
    #expect(run.output.contains("2 pictures, 294 more left out, 2 faces"))
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(
      run.errors.hasPrefix(
        "yoloface: photos: found no file for 293 of the ground truth's 296 pictures "
          + "(event/1001, event/1002, event/1003 and 290 more), expected NAME.png"))
    #expect(!run.errors.contains("the directory from which"))
  }

  @Test(arguments: [
    (
      "truth.txt", "event/astronaut.jpg\n1\n1 2 3\n",
      "yoloface: truth.txt:3: found 3 numbers, expected 10: x y w h blur expression illumination invalid "
        + "occlusion pose\n"
    ),
    ("truth.json", #"{"none.jpg": {"boxes": []}}"#, "the directory from which these names go"),
    (
      "truth.json",
      #"{"event/astronaut.jpg": {"width": 1024, "height": 1024, "boxes": [[1, 2, 30, 40]]}}"#,
      "found a picture of 512 × 512 pixels, expected 1024 × 1024"
    ),
  ])
  func locatesErrorsInTheGroundTruth(name: String, text: String, message: String) throws {
    try tool.write(text, to: name)
    let run = try evaluate(name).failed(saying: message)
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  /// A name must not lead to a file outside the output directory.
  @Test func staysInItsDirectory() throws {
    try tool.write("../photos/blank.jpg\n0\n", to: "truth.txt")
    try evaluate("truth.txt", ["--write-wider", "results"]).succeeded()
    #expect(!tool.exists("photos/blank.txt") && tool.exists("results/blank.txt"))
  }

  /// A missing picture must not go unnoticed, and may be one that seems to have no label. What is corrected is said.
  @Test func aLabelWithoutAPictureIsLeftOut() throws {
    let row = "0 0.44 0.229 0.195 0.246\n"
    try tool.write(row, to: "yolo/event/none.txt")
    try tool.write(row + row + "0 nan nan nan nan", to: "yolo/event/astronaut.txt")
    let run = try evaluate("yolo", ["--json"]).failed(
      saying: "of the ground truth's 2 pictures (event/none), expected")
    let report = try run.output.decoded(as: Report.self)
    #expect(report.pictures == 1 && report.leftOut == 1 && report.averagePrecision[0].voc == 1)
    for message in [
      "1 picture without labels left out (blank), since labels are left over (event/none)",
      "yolo: 1 repeated face left out, 1 entry left out; --strict refuses it instead\n",
      "yolo/event/astronaut.txt:3: found \"nan\"",
    ] {
      #expect(run.errors.contains(message), "\(message)")
    }
  }

  /// COCO's tools look only at the ground truth's category.
  @Test(arguments: [("3", 3), ("null", 1)])
  func writesTheCategoryOfTheGroundTruth(stated: String, written: Int) throws {
    try tool.write(
      """
      {"images": [{"id": 30, "file_name": "event/astronaut.jpg"}],
       "annotations": [{"image_id": 30, "category_id": \(stated), "bbox": \(box)}]}
      """, to: "coco.json")
    _ = try report("coco.json", "--write-coco", "results/found.json")
    struct Result: Decodable { var category_id: Int }
    let results: [Result] = try tool.text("results/found.json").decoded()
    #expect(!results.isEmpty && results.allSatisfy { $0.category_id == written })
  }

  @Test func refusesWrongUsage() throws {
    let mistakes = tool.falseUsage(
      of: "evaluate",
      table: """
        @/photos --truth labels.json
        | Missing expected argument '<directory>'
        @/photos | Missing expected argument '--truth
        @/none --truth labels.json | @/none: give the path of a directory.
        @/labels.json --truth labels.json | @/labels.json: give the path of a directory.
        @/photos --truth labels.json --long-side 100 | --long-side 100: give a
        """)
    #expect(mistakes == [])
    try evaluate("none.txt").failed()
    // Which labels there are is known once the directory is read.
    let run = try evaluate("photos")
    run.failedUsage(saying: "photos: found neither .xml nor .txt files")
    #expect(run.output == "")
  }
}

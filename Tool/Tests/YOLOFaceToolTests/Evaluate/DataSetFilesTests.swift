// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
@_spi(Tool) import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceReport
import YOLOFaceUntrusted

@testable import YOLOFaceTool

struct DataSetFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  private func readTruth(
    _ path: String, pictures: String, noting faults: GroundTruthFaults = GroundTruthFaults()
  ) throws -> [GroundTruthPicture] {
    try TruthReader(pictures: pictures, faults: faults).read(path)
  }

  private func write(_ files: [String: String]) throws {
    for (name, text) in files { try writeText(text, to: folder.url.appending(path: name)) }
  }

  /// A name in the ground truth, the files, and the one that is the picture's.
  @Test(
    arguments: [
      ("b", ["b.png"], "b.png"), ("b", ["b.Png"], "b.Png"), ("IMG", ["img.png"], "img.png"),
      ("s/\u{E9}", ["s/e\u{301}.png"], "s/e\u{301}.png"),
      ("e\u{301}", ["\u{E9}.PNG"], "\u{E9}.PNG"),
      ("a", ["b.png"], nil), ("Img", ["iMg.png", "imG.png"], nil),
      ("Img", ["Img.png", "img.png"], "Img.png"),
      // As COCO's and VOC's data sets name pictures.
      ("images/a", ["a.png"], "a.png"), ("JPEGImages/b", ["JPEGImages/b.png"], "JPEGImages/b.png"),
      ("Annotations/b", ["JPEGImages/b.png"], "JPEGImages/b.png"),
      // As labelling tools name pictures that they were given.
      ("d%C3%A9 1", ["d\u{E9} 1.png"], "d\u{E9} 1.png"),
      ("d\u{E9} 1", ["d%C3%A9%201.png"], "d%C3%A9%201.png"),
      ("100%", ["100%.png"], "100%.png"), ("a%2Fb", ["a/b.png"], nil), ("a%00", ["a.png"], nil),
      ("data/set/a", ["set/a.png", "a.png"], "set/a.png"), ("3f0a1b2c-a", ["a.png"], "a.png"),
      ("3f0a1b2-a", ["a.png"], nil),
    ] as [(String, [String], String?)])
  func findsPictures(name: String, files: [String], found: String?) throws {
    try write(Dictionary(uniqueKeysWithValues: files.map { ("images/\($0)", "") }))
    let located = locate([GroundTruthPicture(name: name, faces: [])], in: path("images"))
    let expected = found.map { path("images/\($0)") }
    #expect(located[0].path.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  /// A `String` sorts the marks behind a letter, in the square of their number, when it is hashed or compared.
  @Test func namesOfMarksTakeNoTime() throws {
    try write(["a.png": ""])
    let names = (0..<20).map { "\($0)" + String(repeating: "\u{301}\u{323}", count: 50_000) }
    let pictures = names.map { GroundTruthPicture(name: $0, identifier: "1", faces: []) }
    let time = try processorTime {
      #expect(locate(pictures, in: folder.url.path).allSatisfy { $0.path == nil })
      let numbers = try imageNumbers(pictures, source: "t")
      #expect(numbers.count == names.count)
    }
    #expect(time < generousProcessorTime)
  }

  /// No file is the picture of two names.
  @Test func takesAPictureOnce() throws {
    try write(["ab.png": ""])
    let names = ["AB", "ab", "aB"].map { GroundTruthPicture(name: $0, faces: []) }
    let located = locate(names, in: folder.url.path)
    #expect(located.map { $0.path != nil } == [false, true, false])
  }

  /// A picture that several names mean may be of either, or of none.
  @Test func takesNoPictureOfSeveralNames() throws {
    try write(["a.png": "", "b.png": ""])
    let names = ["train/a", "val/a", "val/b"].map { GroundTruthPicture(name: $0, faces: []) }
    #expect(locate(names, in: folder.url.path).map { $0.path != nil } == [false, false, true])
  }

  /// In subdirectories, and whatever the case of suffixes; names of classes are no labels.
  @Test func findsLabels() throws {
    let none = "<annotation/>"
    let box = "<xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax>"
    try write([
      "p/b.png": "", "p/e/a.PNG": "", "p/e/d/c.png": "",
      "yolo/e/a.TXT": "0 0.4 0.2 0.2 0.2", "yolo/e/d/c.txt": "0 0.4 0.2 0.2 0.2",
      "yolo/classes.txt": "face", "yolo/e/classes.txt": "face",
      "voc/b.XML": "<annotation><object><bndbox>\(box)</bndbox></object></annotation>",
      "voc/e/a.xml": none, "voc/e/d/c.xml": none,
    ])
    for (labels, faces) in [("yolo", [0, 1, 1]), ("voc", [1, 0, 0])] {
      let truth = try readTruth(path(labels), pictures: path("p"))
      #expect(truth.map(\.name) == ["b", "e/a", "e/d/c"] && truth.map(\.faces.count) == faces)
      #expect(locate(truth, in: path("p")).allSatisfy { $0.path != nil })
    }
  }

  #if os(Linux)
    /// On other systems, both names may be the same file.
    @Test func refusesASecondFileForAPicture() throws {
      try write(["p/b.png": "", "v/b.xml": "<annotation/>", "v/b.XML": "<annotation/>"])
      let error = #expect(throws: GroundTruthError.self) {
        try readTruth(path("v"), pictures: path("p"))
      }
      #expect(error?.found == "a second ground truth of b")
    }
  #endif

  @Test func labelsBelongToPicturesOfTheirNames() throws {
    let row = "0 0.5 0.5 0.5 0.5"
    try write([
      "p/e\u{301}.png": "", "p/IMG.png": "", "p/none.png": "", "l/\u{E9}.txt": row,
      "l/img.txt": "\(row)\r1 0.5 0.5 0.5 0.5", "l/classes.txt": "hat\rface",
    ])
    let truth = try readTruth(path("l"), pictures: path("p"))
    #expect(truth.map(\.name) == ["IMG", "e\u{301}", "none"])
    #expect(truth.map { $0.faces.compactMap(\.category?.name) } == [["hat", "face"], ["hat"], []])
    try write(["l/IMG.txt": row])
    let both = try readTruth(path("l"), pictures: path("p"))
    #expect(both.map(\.name) == ["IMG", "e\u{301}", "img"])
    // A text that is no label leaves pictures without labels what they are.
    try write(["n/IMG.txt": row, "n/notes.txt": "Read me\n"])
    let noted = try readTruth(path("n"), pictures: path("p"))
    #expect(noted.map(\.name) == ["IMG", "e\u{301}", "none", "notes"])
    let strict = try readTruth(
      path("l"), pictures: path("p"), noting: GroundTruthFaults(isStrict: true))
    #expect(strict.map(\.name) == ["IMG", "e\u{301}", "img", "none"])
  }

  /// As Roboflow and Ultralytics lay out a whole data set: labels beside pictures, other texts above them, and the
  /// names of classes in a file.
  @Test(arguments: [("train/labels", "train/images"), ("labels/train", "images/train")])
  func readsWholeDataSets(labels: String, images: String) throws {
    try write([
      "d/data.yaml": "names: [hat, face]", "d/README.txt": "# Read me", "d/\(images)/a.png": "",
      "d/\(images)/b.png": "", "d/\(labels)/a.txt": "1 0.5 0.5 0.5 0.5",
    ])
    let directory = path("d")
    for (truth, pictures) in [("", ""), ("/\(labels)", "/\(images)")] {
      let found = try readTruth(directory + truth, pictures: directory + pictures)
      #expect(found.map { $0.faces.compactMap(\.category?.name) } == [["face"], []])
      #expect(locate(found, in: directory + pictures).allSatisfy { $0.path != nil })
    }
    let error = #expect(throws: (any Error).self) {
      try readTruth("\(directory)/data.yaml", pictures: directory)
    }
    #expect(error.map { "\($0)" }?.contains("data.yaml: give the directory of") == true)
  }

  /// As CVAT writes a data set, whose list is no label, and as it lies beside Ultralytics' labels.
  @Test(arguments: ["", "/train.txt"]) func readsLists(truth: String) throws {
    let row = "0 0.5 0.5 0.5 0.5"
    try write([
      "c/obj.names": "hat",
      "c/train.txt": "data/obj_train_data/a.png\ndata\\obj_train_data\\b.png\n",
      "c/obj_train_data/a.png": "", "c/obj_train_data/a.txt": row, "c/obj_train_data/b.png": "",
      "c/obj_train_data/b.txt": row, "u/images/train/a.png": "", "u/labels/train/a.txt": row,
      "u/train.txt": "./images/train/a.png",
    ])
    for (set, count) in [("c", 2), ("u", 1)] {
      let found = try readTruth(path(set) + truth, pictures: path(set))
      #expect(found.map(\.faces.count) == Array(repeating: 1, count: count), "\(set)")
      #expect(locate(found, in: path(set)).allSatisfy { $0.path != nil })
    }
    try write(["c/val.txt": "obj_train_data/b.png\nnone.png"])
    let found = try readTruth(path("c/val.txt"), pictures: path("c/obj_train_data"))
    #expect(found.map(\.name) == ["b", "none"] && found.map(\.faces.count) == [1, 0])
  }

  /// Formats that `evaluate` does not read.
  private static let unread: [ReportFormat] = [.text]

  /// What `detect` writes is ground truth, and results, with the faces that it found.
  @Test(arguments: ReportFormat.allCases.filter { !unread.contains($0) })
  func readsOwnResults(format: ReportFormat) throws {
    try write(["p/e/a.png": "", "p/b.png": ""])
    let box = Box(x: 10.25, y: 20.5, width: 30, height: 40.75)
    let faces = [0.9, 0.4].map { Face(score: $0, box: box) }
    var texts: [String] = []
    for (name, faces) in [("b", []), ("e/a", faces)] {
      let result = PictureResult(
        report: DetectionReport(
          image: path("p/\(name).png"), width: 200, height: 100, faces: faces), faces: faces,
        name: name, identifier: 7, category: 1)
      let entries = try result.entries(in: format)
      texts += entries
      guard let suffix = format.fileSuffix else { continue }
      let text =
        format == .xmp
        ? String(decoding: try result.sidecar().bytes, as: UTF8.self)
        : format.text(of: entries, areFirst: true)
      try write(["r/\(name)\(suffix)": text])
    }
    let suffix = format == .coco ? "json" : "\(format)"
    if !format.hasFilePerPicture {
      let text =
        format.opening(in: ReportSpace()) + format.text(of: texts, areFirst: true) + format.closing
      try write(["r.\(suffix)": text])
    }
    let source = path(format.hasFilePerPicture ? "r" : "r.\(suffix)")
    let located = locate(try readTruth(source, pictures: path("p")), in: path("p"))
    #expect(located.last?.path == path("p/e/a.png") && located.last?.truth.name == "e/a")
    #expect(located.count == (format == .coco ? 1 : 2))
    let size = Size2D(width: 200, height: 100)
    let found = try #require(located.last).truth.faces(inPictureOf: size)
    #expect(found.count == 2)
    for face in found {
      let corners = [face.box.minX - box.minX, face.box.maxX - box.maxX, face.box.maxY - box.maxY]
      #expect(corners.allSatisfy { abs($0) < 0.01 })
    }
    #expect(found[1].standing == (format == .xmp ? .counted : .ignored))
    let truth = locate(
      ["b", "e/a"].map { GroundTruthPicture(name: $0, size: size, faces: []) }, in: path("p"))
    if format == .xmp { return }
    let stored = try StoredDetections(
      source, of: truth, in: path("p"), noting: GroundTruthFaults(isStrict: true))
    let finding = try stored.finding(of: truth[1], from: 0.5) { _ in
      throw Failure("no file is read")
    }
    #expect(finding.detections.map(\.score) == [0.9] && finding.size == size)
    #expect((stored.missingMessage(truth) == nil) == (format != .coco))
  }

  /// COCO's results number the pictures of COCO's ground truth, or those of another by their place.
  @Test(arguments: [nil, "5"]) func findsResultsByNumber(identifier: String?) throws {
    let rows = [1, 2].map { (number: Int) -> String in
      let id = identifier ?? "1"
      return
        "{\"image_id\":\(id),\"category_id\":\(number),\"bbox\":[1,2,3,\(2 * number)],\"score\":0.5}"
    }
    try write(["p/a.png": "", "r.json": "[\(rows.joined(separator: ","))]"])
    let size = Size2D(width: 9, height: 9)
    let truth = locate(
      [
        GroundTruthPicture(
          name: "a", identifier: identifier, category: GroundTruthCategory(name: "face", number: 2),
          size: size, faces: [])
      ], in: path("p"))
    let stored = try StoredDetections(
      path("r.json"), of: truth, in: path("p"), noting: GroundTruthFaults())
    let finding = try stored.finding(of: truth[0], from: 0) { _ in throw Failure("none") }
    // The other row is of another category.
    #expect(
      finding.detections == [Face(score: 0.5, box: Box(x: 1, y: 2, width: 3, height: 4))])
  }

  /// A directory of pictures that this build does not read is told from a wrong one.
  @Test func saysWhyPicturesAreMissing() throws {
    try write(["a/s/x.gif": "", "a/b.gif": "", "a/notes.txt": "text", "b/c.png": ""])
    func message(_ directory: String) -> String? {
      let located = locate([GroundTruthPicture(name: "b", faces: [])], in: path(directory))
      return missingMessage(located, in: path(directory))
    }
    #expect(message("a")?.hasSuffix("for each; 2 files left out: 2 GIF") == true)
    #expect(message("b")?.hasSuffix("; give the directory from which these names go") == true)
  }

  @Test func saysWhatCounts() {
    func message(_ faces: [String: Int], _ leftOut: [String: Int]) -> String? {
      categoriesMessage(faces: faces, leftOut: leftOut, in: "a")
    }
    #expect(message([:], [:]) == nil && message(["0": 2], [:]) == nil)
    #expect(
      message(["face": 3], ["hat": 1, "person": 20, "0": 1])
        == "a: 22 objects of other categories left out: person (20), 0 (1), hat (1); --category names those "
        + "that count")
    #expect(
      message(["mask": 3, "none": 1], [:])
        == "a: the objects of each category count as faces: mask (3), none (1); --category names those that do"
    )
    let many = Dictionary(uniqueKeysWithValues: (1...9).map { ("\($0)", 1) })
    #expect(message([:], many)?.contains("5 (1) and 4 more categories") == true)
  }

  /// Results have numbers alone.
  @Test func numbersPictures() throws {
    func picture(_ name: String, _ identifier: String?) -> GroundTruthPicture {
      GroundTruthPicture(name: name, identifier: identifier, faces: [])
    }
    #expect(
      try imageNumbers([picture("a", "7"), picture("b", nil)], source: "t")
        == [UntrustedText("a"): 7, UntrustedText("b"): 2])
    let error = #expect(throws: GroundTruthError.self) {
      try imageNumbers([picture("a", "x")], source: "t")
    }
    #expect(error?.found == "the text \"x\"")
  }
}

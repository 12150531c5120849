import ArgumentParser
import FaceEvaluation
import FaceReport
import FileSystem
import Files
import Formatting
import Untrusted
import YOLOFace

/// Reads a data set's ground truth. The path determines the format: a `.json` file is COCO's or an
/// object that maps pictures to faces; any other file is RetinaFace's text, which begins with `#`, or WIDER
/// FACE's; in a directory, `.xml` files are PASCAL VOC's and `.txt` files YOLO's.
///
/// In YOLO's format, the data set consists of the pictures in their directory and those that have a `.txt` file;
/// a picture without such a file has no face.
func readTruth(_ path: String, pictures: String) throws -> [GroundTruthPicture] {
  let truth =
    if isDirectory(path) {
      try readTruthDirectory(path, pictures: pictures)
    } else if suffix(of: path, among: [".json"]) != nil {
      try JSONGroundTruth.read(try readFile(path, limit: GroundTruthLimits.fileBytes), source: path)
    } else {
      try readTruthText(path)
    }
  guard !truth.isEmpty else {
    throw ValidationError("\(path): found no ground truth, expected some.")
  }
  return truth
}

private func readTruthText(_ path: String) throws -> [GroundTruthPicture] {
  guard suffix(of: path, among: [".xml", ".yaml", ".yml"]) == nil else {
    throw ValidationError(
      "\(path): give the directory of PASCAL VOC's .xml files or YOLO's .txt files, or a .json or .txt file."
    )
  }
  let bytes = try readFile(path, limit: GroundTruthLimits.fileBytes)
  return RetinaFaceGroundTruth.begins(bytes)
    ? try RetinaFaceGroundTruth.read(bytes, source: path)
    : try WIDERGroundTruth.read(bytes, source: path)
}

private func readTruthDirectory(_ directory: String, pictures: String) throws
  -> [GroundTruthPicture]
{
  let annotations = try truthFiles(of: ".xml", below: directory)
  let names = PictureNames(
    try files(of: Picture.fileSuffixes, below: pictures).map(\.name), in: pictures)
  let labels = try labelFiles(below: directory, of: names)
  guard annotations.isEmpty else {
    if !labels.isEmpty {
      printError(
        "\(directory): \(counted(labels.count, ".txt file")) left out: there are .xml files, too; "
          + "give a directory with one kind of them")
    }
    return try annotations.sorted { $0.key < $1.key }.map { name, file in
      try VOCGroundTruth.read(try pictureFile(file), source: file, name: name.description)
    }
  }
  guard !labels.isEmpty else {
    throw ValidationError(
      "\(directory): found neither .xml nor .txt files, expected some, or the path of a .json file."
    )
  }
  let classes = try classesFile(of: directory).map {
    try YOLOClasses.read(try pictureFile($0), source: $0)
  }
  return try names.names.union(labels.keys).sorted().map { name in
    guard let file = labels[name], names.names.contains(name) else {
      return GroundTruthPicture(name: name.description, faces: [])
    }
    return try YOLOGroundTruth.read(
      try pictureFile(file), source: file, name: name.description, classes: classes ?? [:])
  }
}

private func pictureFile(_ path: String) throws -> [UInt8] {
  try readFile(path, limit: GroundTruthLimits.pictureFileBytes)
}

/// The files of labels, each by its picture's name, or where no picture has one like its own, by that.
private func labelFiles(
  below directory: String, of names: PictureNames
) throws -> [UntrustedText: String] {
  // Labelling tools write the names of the classes to a file next to the labels.
  var files = try truthFiles(of: ".txt", below: directory).filter { name, _ in
    !(name == "classes" || name.ends(with: "/classes")) || names.name(like: name) != nil
  }
  // Other texts of a whole data set lie beside its directories of labels.
  let labels = files.filter { name, _ in
    Array(name.parts(between: UInt8(ascii: "/"))).dropLast().contains { $0 == "labels" }
  }
  if !labels.isEmpty { files = labels }
  // Of several labels for a picture, the first in order counts.
  let named = files.sorted { $0.key < $1.key }.map { name, file in
    (names.name(like: name).flatMap { files[$0] == nil ? $0 : nil } ?? name, file)
  }
  return Dictionary(named) { first, _ in first }
}

private func classesFile(of directory: String) -> String? {
  ["", "../", "../../"].lazy.flatMap { place in YOLOClasses.files.map { place + $0 } }
    .map { path(of: $0, in: directory) }.first(where: fileExists)
}

/// Names of pictures, found whatever their case, however their accents are composed, and from the names of their
/// labels.
private struct PictureNames {
  let names: Set<UntrustedText>
  /// However accents are composed, as they are written, and in lower case where only one name is then the same.
  private let spellings: [String: UntrustedText]
  private let directory: String

  init(_ names: [UntrustedText], in directory: String) {
    self.names = Set(names)
    self.directory = fileName(of: directory)
    let folded = Dictionary(grouping: names) { $0.description.lowercased() }
    spellings = folded.compactMapValues { $0.count == 1 ? $0[0] : nil }
      .merging(names.map { ($0.description, $0) }) { $1 }
  }

  /// The same name, else one with the same letters, else the only one that differs in case alone. A name may begin
  /// with that of the pictures' directory, and the labels of a whole data set lie in directories of their own.
  func name(like name: UntrustedText) -> UntrustedText? {
    let name = name.description
    guard isFilePath(name) else { return nil }
    let parts = pathNames(name)
    let directories = ["labels": "images", "Annotations": "JPEGImages"]
    let names = [
      name, parts.dropFirst(parts.first == directory ? 1 : 0).joined(separator: "/"),
      parts.map { directories[$0] ?? $0 }.joined(separator: "/"),
    ]
    return names.lazy.compactMap { name in
      let exact = UntrustedText(name)
      if self.names.contains(exact) { return exact }
      return spellings[name] ?? spellings[name.lowercased()]
    }.first
  }
}

func truthFiles(_ path: String) throws -> [String] {
  guard isDirectory(path) else { return [path] }
  return try [".xml", ".txt"].flatMap { try truthFiles(of: $0, below: path).values }
    + [classesFile(of: path)].compactMap { $0 }
}

/// The files that each hold the ground truth of one picture, by its name, which must be the only one.
private func truthFiles(
  of suffix: String, below directory: String
) throws -> [UntrustedText: String] {
  var result: [UntrustedText: String] = [:]
  for found in try files(of: [suffix], below: directory) {
    let file = path(of: found.path, in: directory)
    guard result.updateValue(file, forKey: found.name) == nil else {
      throw GroundTruthError(
        file: file, position: .file, found: "a second ground truth of \(found.name)",
        expected: "each picture once")
    }
  }
  return result
}

struct LocatedPicture: Sendable {
  var truth: GroundTruthPicture
  /// Nil if the picture has no file.
  var path: String?
}

/// The files of the pictures of the ground truth, with any suffix of a picture. A name without a file is that of the
/// file whose name differs in case, or in how accents are composed, alone.
func locate(_ truth: [GroundTruthPicture], in directory: String) -> [LocatedPicture] {
  let suffixes = Picture.fileSuffixes + Picture.fileSuffixes.map { $0.uppercased() }
  var located = truth.map { picture in
    let paths = suffixes.lazy.map { path(of: picture.name + $0, in: directory) }
    return LocatedPicture(truth: picture, path: paths.first(where: fileExists))
  }
  guard located.contains(where: { $0.path == nil }) else { return located }
  var taken = Set(located.compactMap { $0.path.map { UntrustedText($0) } })
  let others = ((try? files(of: Picture.fileSuffixes, below: directory)) ?? [])
    .map { (name: $0.name, path: path(of: $0.path, in: directory)) }
    .filter { !taken.contains(UntrustedText($0.path)) }
  let paths = Dictionary(others) { first, _ in first }
  let names = PictureNames(Array(paths.keys), in: directory)
  for place in located.indices where located[place].path == nil {
    let found = names.name(like: UntrustedText(located[place].truth.name)).flatMap { paths[$0] }
    if let found, taken.insert(UntrustedText(found)).inserted { located[place].path = found }
  }
  return located
}

/// What is said of the numbers of objects of several categories; nil where there is one.
func categoriesMessage(faces: [String: Int], leftOut: [String: Int], in source: String) -> String? {
  let counts = leftOut.isEmpty ? faces : leftOut
  guard !leftOut.isEmpty || faces.count > 1 else { return nil }
  let categories = counts.sorted {
    ($1.value, UntrustedText($0.key)) < ($0.value, UntrustedText($1.key))
  }
  let shown = categories.prefix(5).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
  let rest = categories.count > 5 ? " and \(categories.count - 5) more categories" : ""
  let objects = counted(counts.values.reduce(0, +), "object")
  return leftOut.isEmpty
    ? "\(source): the objects of each category count as faces: \(shown)\(rest); --category names those that do"
    : "\(source): \(objects) of other categories left out: \(shown)\(rest); --category names those that count"
}

/// What is said of pictures of the ground truth that have no file, with some of their names, without suffixes, since
/// those of the ground truth may differ; nil if all have one.
func missingMessage(_ pictures: [LocatedPicture], in directory: String) -> String? {
  let names = pictures.filter { $0.path == nil }.map(\.truth.name)
  if names.isEmpty { return nil }
  let others = OtherFiles()
  for entry in Walk(directory) { _ = others.isRead(entry.path) }
  let shown = names.prefix(3).joined(separator: ", ")
  let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
  let files = Picture.fileSuffixes.map { "NAME\($0)" }.joined(separator: " or ")
  let isNonePresent = names.count == pictures.count
  let remedy =
    others.message ?? (isNonePresent ? "give the directory from which these names go" : nil)
  return
    "\(directory): found no file for \(names.count) of the ground truth's "
    + "\(counted(pictures.count, "picture")) (\(shown)\(rest)), expected \(files) for each"
    + (remedy.map { "; \($0)" } ?? "")
}

/// The files in a directory and its subdirectories, sorted by bytes: the path of each below the directory,
/// and its name, which is that path without the suffix.
private func files(
  of suffixes: [String], below directory: String
) throws -> [(path: String, name: UntrustedText)] {
  try Walk(directory).compactMap { entry in
    if let failure = entry.failure { throw failure }
    return suffix(of: entry.name, among: suffixes).map {
      (entry.name, UntrustedText(entry.name).dropLast($0.utf8.count))
    }
  }
}

func writeWIDERDetections(
  _ pictures: [ExaminedPicture], to directory: String, by outputs: Outputs
) throws {
  for picture in pictures {
    let text = widerText(picture.detections, name: fileName(of: picture.name)) + "\n"
    try outputs.write(
      Array(text.utf8), to: path(of: picture.name + ".txt", in: directory), in: directory)
  }
}

/// The numbers of pictures by their names; a picture without an identifier is numbered by its position, from 1. An
/// identifier that is no number is an error: results have numbers alone.
func imageNumbers(
  _ pictures: [GroundTruthPicture], source: String
) throws(GroundTruthError) -> [UntrustedText: Int] {
  var numbers: [UntrustedText: Int] = [:]
  for (index, picture) in pictures.enumerated() {
    guard let number = Int(picture.identifier ?? "\(index + 1)") else {
      throw GroundTruthError(
        file: source, position: .element("images[\(index)].id"),
        found: "the text \"\(picture.identifier ?? "")\"",
        expected: "a number, as in COCO's results")
    }
    numbers[UntrustedText(picture.name)] = number
  }
  return numbers
}

func writeCOCODetections(
  _ pictures: [ExaminedPicture], numbers: [UntrustedText: Int], category: Int, to path: String,
  by outputs: Outputs
) throws {
  let detections = pictures.flatMap { picture in
    let number = numbers[UntrustedText(picture.name)] ?? 0
    return picture.detections.map { COCODetection($0, image: number, category: category) }
  }
  try outputs.write(Array(try detections.json().utf8), to: path)
}

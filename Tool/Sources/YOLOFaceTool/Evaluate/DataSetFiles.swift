import ArgumentParser
import FaceEvaluation
import FaceReport
import Files
import Formatting
import YOLOFace

/// Reads a data set's ground truth. The path determines the format: a `.json` file is COCO's or an
/// object that maps pictures to faces; any other file is RetinaFace's text, which begins with `#`, or WIDER
/// FACE's; in a directory, `.xml` files are PASCAL VOC's and `.txt` files YOLO's.
///
/// In YOLO's format, the data set consists of the pictures in their directory and those that have a `.txt` file;
/// a picture without such a file has no face.
///
/// - Throws: `GroundTruthError`, `FileError`, or `ValidationError` if there is no picture.
func readTruth(_ path: String, pictures: String) throws -> [GroundTruthPicture] {
  let truth =
    if isDirectory(path) {
      try readTruthDirectory(path, pictures: pictures)
    } else if path.lowercased().hasSuffix(".json") {
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
  let bytes = try readFile(path, limit: GroundTruthLimits.fileBytes)
  return RetinaFaceGroundTruth.begins(bytes)
    ? try RetinaFaceGroundTruth.read(bytes, source: path)
    : try WIDERGroundTruth.read(bytes, source: path)
}

private func readTruthDirectory(_ directory: String, pictures: String) throws
  -> [GroundTruthPicture]
{
  let annotations = try truthFiles(of: ".xml", below: directory)
  if !annotations.isEmpty {
    return try annotations.sorted { $0.key < $1.key }.map { name, file in
      try VOCGroundTruth.read(
        try readFile(file, limit: GroundTruthLimits.pictureFileBytes), source: file, name: name)
    }
  }
  var labels = try truthFiles(of: ".txt", below: directory)
  guard !labels.isEmpty else {
    throw ValidationError("\(directory): found neither .xml nor .txt files, expected some.")
  }
  let names = Set(try files(of: Picture.fileSuffixes, below: pictures).map(\.name))
  // Labelling tools write the names of the classes to a file next to the labels.
  labels = labels.filter { names.contains($0.key) || fileName(of: $0.key) != "classes" }
  return try names.union(labels.keys).sorted().map { name in
    guard names.contains(name), let file = labels[name] else {
      return GroundTruthPicture(name: name, faces: [])
    }
    return try YOLOGroundTruth.read(
      try readFile(file, limit: GroundTruthLimits.pictureFileBytes), source: file, name: name)
  }
}

/// The files of a data set's ground truth.
///
/// - Throws: `FileError` or `GroundTruthError`.
func truthFiles(_ path: String) throws -> [String] {
  guard isDirectory(path) else { return [path] }
  return try [".xml", ".txt"].flatMap { try truthFiles(of: $0, below: path).values }
}

/// The files that each hold the ground truth of one picture, by the picture's name.
///
/// - Throws: `FileError`, or `GroundTruthError` if a picture has two.
private func truthFiles(of suffix: String, below directory: String) throws -> [String: String] {
  var result: [String: String] = [:]
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

/// A picture of the ground truth, and its file.
struct LocatedPicture: Sendable {
  var truth: GroundTruthPicture
  /// Nil if the picture has no file.
  var path: String?
}

/// The file of a picture of the ground truth, with any suffix of a picture; nil if there is none.
func pathOfPicture(named name: String, in directory: String) -> String? {
  let suffixes = Picture.fileSuffixes + Picture.fileSuffixes.map { $0.uppercased() }
  return suffixes.lazy.map { path(of: name + $0, in: directory) }.first(where: fileExists)
}

/// Pictures of the ground truth that are missing from a directory.
struct MissingPictures: CustomStringConvertible {
  var directory: String
  var names: [String]
  /// The number of pictures in the ground truth.
  var total: Int

  /// The pictures without a file; nil if all have one.
  init?(of pictures: [LocatedPicture], in directory: String) {
    names = pictures.filter { $0.path == nil }.map(\.truth.name)
    if names.isEmpty { return nil }
    self.directory = directory
    total = pictures.count
  }

  /// The number of missing pictures and some of their names, without suffixes, since those of the
  /// ground truth may differ.
  var description: String {
    let shown = names.prefix(3).joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    let files = Picture.fileSuffixes.map { "NAME\($0)" }.joined(separator: " or ")
    return
      "\(directory): found no file for \(names.count) of the ground truth's "
      + "\(counted(total, "picture")) (\(shown)\(rest)), expected \(files) for each"
  }
}

/// The files in a directory and its subdirectories, sorted: the path of each below the directory,
/// and its name, which is that path without the suffix.
private func files(
  of suffixes: [String], below directory: String
) throws -> [(path: String, name: String)] {
  try Walk(directory).compactMap { entry in
    if let failure = entry.failure { throw failure }
    return suffix(of: entry.name, among: suffixes).map {
      (entry.name, String(entry.name.dropLast($0.count)))
    }
  }
}

/// Writes detections in WIDER FACE's results format, replacing older files. Each picture's file has its
/// name and subdirectory.
///
/// - Throws: `FileError`.
func writeWIDERDetections(
  _ pictures: [ExaminedPicture], to directory: String, by outputs: Outputs
) throws {
  for picture in pictures {
    let text = widerText(picture.detections, name: fileName(of: picture.name)) + "\n"
    try outputs.write(
      Array(text.utf8), to: path(of: picture.name + ".txt", in: directory), in: directory)
  }
}

/// Writes detections as a JSON array in COCO's results format. The ground truth gives the pictures' identifiers
/// and the faces' category; pictures without an identifier are numbered by their position in it, from 1.
func writeCOCODetections(
  _ pictures: [ExaminedPicture], of truth: [GroundTruthPicture], to path: String,
  by outputs: Outputs
) throws {
  let identifiers = Dictionary(
    truth.enumerated().map { ($1.name, $1.identifier ?? $0 + 1) },
    uniquingKeysWith: { first, _ in first })
  let category = truth.first?.category ?? 1
  let detections = pictures.flatMap { picture in
    picture.detections.map {
      COCODetection($0, image: identifiers[picture.name] ?? 0, category: category)
    }
  }
  try outputs.write(Array(try detections.json().utf8), to: path)
}

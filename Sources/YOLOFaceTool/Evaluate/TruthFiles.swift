import ArgumentParser
import FaceEvaluation
import Files
import Formatting
import YOLOFace

/// Reads a data set's truth, in the form that the path shows: a `.json` file is COCO's or an object
/// from picture to faces, another file WIDER FACE's text; of a directory, `.xml` files are PASCAL
/// VOC's and `.txt` files YOLO's.
///
/// - Parameters:
///   - path: the file's or the directory's.
///   - pictures: the directory with the pictures; those in the form of YOLO are all that are in it,
///     one without a `.txt` having no face, and all that have a `.txt`.
/// - Throws: `GroundTruthError`, `FileError`, or `ValidationError` where there is no picture.
func readTruth(_ path: String, pictures: String) throws -> [GroundTruthPicture] {
  let truth =
    if isDirectory(path) {
      try readTruthDirectory(path, pictures: pictures)
    } else if path.lowercased().hasSuffix(".json") {
      try JSONGroundTruth.read(try readFile(path, limit: fileLimit), source: path)
    } else {
      try WIDERGroundTruth.read(try readFile(path, limit: fileLimit), source: path)
    }
  guard !truth.isEmpty else {
    throw ValidationError("\(path): found no ground truth, expected some.")
  }
  return truth
}

private let fileLimit = 64 << 20
private let pictureFileLimit = 4 << 20

private func readTruthDirectory(_ directory: String, pictures: String) throws
  -> [GroundTruthPicture]
{
  let annotations = try truthFiles(of: ".xml", below: directory)
  if !annotations.isEmpty {
    return try annotations.sorted { $0.key < $1.key }.map { name, file in
      try VOCGroundTruth.read(try readFile(file, limit: pictureFileLimit), source: file, name: name)
    }
  }
  var labels = try truthFiles(of: ".txt", below: directory)
  guard !labels.isEmpty else {
    throw ValidationError("\(directory): found neither .xml nor .txt files, expected some.")
  }
  let names = Set(try files(of: Picture.fileSuffixes, below: pictures).map(\.name))
  // Labelling tools write the names of the classes beside the labels.
  labels = labels.filter { names.contains($0.key) || fileName(of: $0.key) != "classes" }
  return try names.union(labels.keys).sorted().map { name in
    guard names.contains(name), let file = labels[name] else {
      return GroundTruthPicture(name: name, faces: [])
    }
    return try YOLOGroundTruth.read(
      try readFile(file, limit: pictureFileLimit), source: file, name: name)
  }
}

/// The files that a data set's truth lies in.
///
/// - Throws: `FileError` or `GroundTruthError`.
func truthFiles(_ path: String) throws -> [String] {
  guard isDirectory(path) else { return [path] }
  return try [".xml", ".txt"].flatMap { try truthFiles(of: $0, below: path).values }
}

/// The files with the truth of one picture each, by its name.
///
/// - Throws: `FileError`, or `GroundTruthError` where a picture has two.
private func truthFiles(of suffix: String, below directory: String) throws -> [String: String] {
  var result: [String: String] = [:]
  for found in try files(of: [suffix], below: directory) {
    let file = path(of: found.path, in: directory)
    guard result.updateValue(file, forKey: found.name) == nil else {
      throw GroundTruthError(
        file: file, position: .file, found: "the truth of \(found.name) a second time",
        expected: "each picture once")
    }
  }
  return result
}

/// A picture of the truth, and the file that holds it.
struct LocatedPicture: Sendable {
  var truth: GroundTruthPicture
  /// Nil where there is none.
  var path: String?
}

/// The file that holds a picture of the truth, whose suffix may be another; nil where there is none.
func pathOfPicture(named name: String, in directory: String) -> String? {
  let suffixes = Picture.fileSuffixes + Picture.fileSuffixes.map { $0.uppercased() }
  return suffixes.lazy.map { path(of: name + $0, in: directory) }.first(where: fileExists)
}

/// Pictures of the truth that a directory does not have.
struct MissingPictures: CustomStringConvertible {
  var directory: String
  var names: [String]
  /// How many the truth has.
  var total: Int

  /// The pictures of which there is no file, nil where there are none.
  init?(of pictures: [LocatedPicture], in directory: String) {
    names = pictures.filter { $0.path == nil }.map(\.truth.name)
    if names.isEmpty { return nil }
    self.directory = directory
    total = pictures.count
  }

  /// How many, and the names of some, without a suffix as the truth's may be another.
  var description: String {
    let shown = names.prefix(3).joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    let files = Picture.fileSuffixes.map { "NAME\($0)" }.joined(separator: " or ")
    return
      "\(directory): found no file of \(names.count) of the truth's \(counted(total, "picture")) "
      + "(\(shown)\(rest)), expected \(files) of each"
  }
}

/// The files in a directory and in the directories in it, by their paths below it and by those without
/// suffix, sorted.
private func files(
  of suffixes: [String], below directory: String
) throws -> [(path: String, name: String)] {
  let paths = try visibleNames(in: directory).flatMap { name in
    let subdirectory = path(of: name, in: directory)
    guard isDirectory(subdirectory) else { return [name] }
    return try visibleNames(in: subdirectory).map { "\(name)/\($0)" }
  }
  return paths.compactMap { path in
    suffix(of: path, among: suffixes).map { (path, String(path.dropLast($0.count))) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceFormatting
import YOLOFaceReport
import YOLOFaceUntrusted

/// Reads a data set's ground truth, or a detector's results. The path determines the format: a `.json` file is COCO's,
/// an object that maps pictures to faces, or results, as are `.jsonl` and `.csv` files; any other file is RetinaFace's
/// text, which begins with `#`, a list of a data set's pictures in YOLO's format, or WIDER FACE's text; in a directory,
/// `.xml` files are PASCAL VOC's, `.txt` files YOLO's or WIDER FACE's results, and `.xmp` files sidecars with regions.
///
/// In YOLO's format, the data set consists of the pictures in their directory and those that have a `.txt` file;
/// a picture without such a file has no face, unless labels are left over: then it is left out.
struct TruthReader {
  let pictures: String
  let faults: GroundTruthFaults
  /// Results need not have a file for each picture.
  var isOfResults = false

  func read(_ path: String) throws -> [GroundTruthPicture] {
    let truth = isDirectory(path) ? try readDirectory(path) : try readFile(path)
    guard !truth.isEmpty || isOfResults && faults.leftOut.isEmpty else {
      if let error = faults.leftOut.first { throw error }
      throw ValidationError(
        "\(path): found no \(isOfResults ? "results" : "ground truth"), expected some.")
    }
    return truth
  }

  private func readFile(_ path: String) throws -> [GroundTruthPicture] {
    guard suffix(of: path, among: [".xml", ".yaml", ".yml", ".xmp", ".data"]) == nil else {
      throw ValidationError(
        "\(path): give the directory of PASCAL VOC's .xml files, YOLO's .txt files or .xmp sidecars, or a .json, "
          + ".csv or .txt file."
      )
    }
    let bytes = try YOLOFaceFiles.readFile(path, limit: GroundTruthLimits.fileBytes)
    switch suffix(of: path, among: [".json", ".jsonl", ".ndjson", ".csv"]) {
    case ".json" where !JSONGroundTruth.hasLines(bytes):
      return named(try JSONGroundTruth.read(bytes, source: path, noting: faults))
    case ".csv": return named(try CSVGroundTruth.read(bytes, source: path, noting: faults))
    case .some: return named(try JSONGroundTruth.readLines(bytes, source: path, noting: faults))
    case nil: break
    }
    if RetinaFaceGroundTruth.begins(bytes) {
      return try RetinaFaceGroundTruth.read(bytes, source: path, noting: faults)
    }
    if let list = listedPictures(bytes) { return try readList(Set(list).sorted(), at: path) }
    return try WIDERGroundTruth.read(bytes, source: path, noting: faults)
  }

  /// Pictures by their names below the directory: results name them by their paths, all of which begin with it.
  private func named(_ truth: [GroundTruthPicture]) -> [GroundTruthPicture] {
    let names = pathNames(pictures).filter { $0 != "." && $0 != ".." }
    let directory = UntrustedText(names.joined(separator: "/") + "/").bytes
    guard truth.allSatisfy({ $0.identifier == nil && $0.name.utf8.starts(with: directory) }),
      locate(truth, in: pictures, searching: false).contains(where: { $0.path == nil })
    else { return truth }
    return truth.map { picture in
      var picture = picture
      picture.name = String(decoding: picture.name.utf8.dropFirst(directory.count), as: UTF8.self)
      return picture
    }
  }

  /// The pictures of a list, with labels beside it or beside the pictures.
  private func readList(_ list: [UntrustedText], at path: String) throws -> [GroundTruthPicture] {
    let place = lastSlash(in: path).map { String(path[...$0]) } ?? "."
    let files = PictureNames(try pictureNames(), in: pictures)
    let labeled = try [place, pictures].first {
      try !files.pictures(called: Array(labelFiles(below: $0).keys)).isEmpty
    }
    let truth = try readDirectory(labeled ?? place)
    let names = PictureNames(truth.map { UntrustedText($0.name) }, in: pictures)
    let listed = names.pictures(called: list)
    let found = Set(listed.values)
    return truth.filter { found.contains(UntrustedText($0.name)) }
      + list.filter { listed[$0] == nil }.map {
        GroundTruthPicture(name: $0.description, faces: [])
      }
  }

  private func readDirectory(_ directory: String) throws -> [GroundTruthPicture] {
    let annotations = try truthFiles(of: ".xml", below: directory)
    let labels = try labelFiles(below: directory)
    if annotations.isEmpty { return try readLabels(labels, below: directory) }
    if !labels.isEmpty {
      printError(
        "\(directory): \(counted(labels.count, ".txt file")) left out: there are .xml files, too; "
          + "give a directory with one kind of them")
    }
    return try annotations.sorted { $0.key < $1.key }.compactMap { name, file in
      let bytes = try pictureFile(file)
      return try faults.reading { () throws(GroundTruthError) in
        try VOCGroundTruth.read(bytes, source: file, name: name.description, noting: faults)
      }
    }
  }

  private func readLabels(
    _ found: [UntrustedText: String], below directory: String
  ) throws -> [GroundTruthPicture] {
    let pictures = try pictureNames()
    let matches = PictureNames(pictures, in: self.pictures).pictures(called: Array(found.keys))
    var labels = Dictionary(uniqueKeysWithValues: found.map { (matches[$0] ?? $0, $1) })
    var leftOver: Set<UntrustedText> = []
    for (name, file) in found where matches[name] == nil {
      let start = try readStart(of: file, limit: 1 << 16)
      if listedPictures(start) != nil {
        labels[name] = nil
      } else if isLabel(start) {
        leftOver.insert(name)
      }
    }
    let hasSidecars = matches.isEmpty && leftOver.isEmpty
    guard !labels.isEmpty, try !hasSidecars || truthFiles(of: ".xmp", below: directory).isEmpty
    else { return try readSidecars(below: directory) }
    let classes = try classesFile(of: directory).map {
      try YOLOClasses.read(try pictureFile($0), source: $0)
    }
    var names = Set(pictures)
    let unlabeled = names.subtracting(labels.keys)
    if isOfResults || !unlabeled.isEmpty && !leftOver.isEmpty && !faults.isStrict {
      names.subtract(unlabeled)
      if !isOfResults {
        printError(
          "\(directory): \(counted(unlabeled.count, "picture")) without labels left out "
            + "(\(examples(of: unlabeled))), since labels are left over (\(examples(of: leftOver))): they may "
            + "belong together"
        )
      }
    }
    return try names.union(labels.keys).sorted().compactMap { name in
      guard let file = labels[name], names.contains(name) || isOfResults else {
        return GroundTruthPicture(name: name.description, faces: [])
      }
      let bytes = try pictureFile(file)
      return try faults.reading { () throws(GroundTruthError) in
        guard WIDERGroundTruth.begins(bytes) else {
          return try YOLOGroundTruth.read(
            bytes, source: file, name: name.description, classes: classes ?? [:], noting: faults)
        }
        var picture = try WIDERGroundTruth.read(bytes, source: file, noting: faults)[0]
        picture.name = name.description
        return picture
      }
    }
  }

  private func readSidecars(below directory: String) throws -> [GroundTruthPicture] {
    let files = try truthFiles(of: ".xmp", below: directory).sorted { $0.key < $1.key }
    guard !files.isEmpty else {
      throw ValidationError(
        "\(directory): found neither .xml nor .txt files, expected some, or the path of a .json file."
      )
    }
    // Of the sidecars a.xmp and a.png.xmp the first counts.
    var names: Set<String> = []
    return try files.compactMap { name, file in
      let bytes = try pictureFile(file)
      let boxes: [Box]?
      do { boxes = try XMPSidecar.faces(in: bytes, source: file) } catch let error as FileError {
        try faults.leaveOut(
          GroundTruthError(
            file: error.path, position: .file, found: error.found, expected: error.expected))
        return nil
      }
      guard let boxes, names.insert(withoutPictureSuffix(name.description)).inserted else {
        return nil
      }
      var picture = GroundTruthPicture(
        name: withoutPictureSuffix(name.description), isNormalized: true,
        faces: boxes.map { GroundTruthFace(box: $0) })
      picture.isOfStoredPicture = true
      return picture
    }
  }

  private func pictureFile(_ path: String) throws -> [UInt8] {
    try YOLOFaceFiles.readFile(path, limit: GroundTruthLimits.pictureFileBytes)
  }

  private func pictureNames() throws -> [UntrustedText] {
    try files(of: Picture.fileSuffixes, below: pictures).map(\.name)
  }

  /// The files that may be labels, each by its name.
  private func labelFiles(below directory: String) throws -> [UntrustedText: String] {
    // Labelling tools write the names of the classes to a file next to the labels.
    let files = try truthFiles(of: ".txt", below: directory).filter { name, _ in
      !(name == "classes" || name.ends(with: "/classes"))
        || Picture.fileSuffixes.contains {
          fileExists(path(of: name.description + $0, in: pictures))
        }
    }
    // Other texts of a whole data set lie beside its directories of labels.
    let labels = files.filter { name, _ in
      Array(name.parts(between: UInt8(ascii: "/"))).dropLast().contains { $0 == "labels" }
    }
    return labels.isEmpty ? files : labels
  }
}

private func examples(of names: Set<UntrustedText>) -> String {
  examples(names.sorted().map(\.description))
}

/// Whether the beginning of a text is that of a label, which may be empty.
private func isLabel(_ start: [UInt8]) -> Bool {
  let row = try? YOLOGroundTruth.read(start, source: "", name: "", noting: GroundTruthFaults())
  return start.isEmpty || row?.faces.isEmpty == false || WIDERGroundTruth.begins(start)
}

/// The names on the lines of a list of pictures, such as YOLO's `train.txt`; nil if a text is none.
private func listedPictures(_ bytes: [UInt8]) -> [UntrustedText]? {
  let lines = UntrustedText(utf8Text(bytes)).lines.map(\.text)
  guard !lines.isEmpty, lines.prefix(2).allSatisfy({ isMediaName($0.description) }) else {
    return nil
  }
  return lines.compactMap { pictureName($0, keepsDirectories: true) }.map { UntrustedText($0) }
}

private func classesFile(of directory: String) -> String? {
  ["", "../", "../../"].lazy.flatMap { place in YOLOClasses.files.map { place + $0 } }
    .map { path(of: $0, in: directory) }.first(where: fileExists)
}

func truthFiles(_ path: String) throws -> [String] {
  guard isDirectory(path) else { return [path] }
  return try [".xml", ".txt", ".xmp"].flatMap { try truthFiles(of: $0, below: path).values }
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

/// The files in a directory and its subdirectories, sorted by bytes: the path of each below the directory,
/// and its name, which is that path without the suffix.
func files(
  of suffixes: [String], below directory: String
) throws -> [(path: String, name: UntrustedText)] {
  try Walk(directory).compactMap { entry in
    if let failure = entry.failure { throw failure }
    return suffix(of: entry.name, among: suffixes).map {
      (entry.name, UntrustedText(entry.name).dropLast($0.utf8.count))
    }
  }
}

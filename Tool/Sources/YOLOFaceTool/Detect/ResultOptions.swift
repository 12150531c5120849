// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFaceEvaluation
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceReport
import YOLOFaceUntrusted

struct ResultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      text for people; json, one array; jsonl, a line for each picture; csv, a row for each face, \
      and a row without a face number for each picture without faces; coco, COCO's results; wider, \
      yolo and voc, a file for each picture in the directory --output; xmp, face regions in NAME.xmp beside \
      each picture or in that directory, leaving everything else in an existing file as it is. By \
      default, what the name of --output ends with, .json, .jsonl or .csv, and otherwise text.
      """, valueName: "format"))
  var format: ReportFormat?

  @Flag(help: "Print a JSON object for each picture, one per line: the same as --format jsonl.")
  var json = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      """
      Write the results to a file instead of standard output. It is called PATH.partial until it is \
      complete, and then replaces any older file. With --format wider, yolo, voc or xmp: the directory \
      for the pictures' files.
      """, valueName: "path"), completion: .file())
  var output: String?

  @Flag(
    help: ArgumentHelp(
      """
      With --format xmp: name the file of photo.png photo.png.xmp, as digiKam and darktable do, and not \
      photo.xmp. Where only the one of the other name exists, that one is changed.
      """, visibility: .hidden))
  var fullSidecarNames = false

  @Option(
    help: ArgumentHelp(
      """
      With --format xmp: the name of each region, such as Unknown, since some programs pass over regions without \
      one. Regions of this name are replaced, those of other names never.
      """, valueName: "name", visibility: .hidden))
  var regionName: String?

  @Flag(
    help: ArgumentHelp(
      """
      With --output or --format xmp: continue an earlier run with the same options, skipping the pictures that \
      are already done.
      """, visibility: .hidden))
  var resume = false

  @Flag(
    help: ArgumentHelp(
      "Begin anew: replace what an earlier run has written to the same places, whole or not.",
      visibility: .hidden))
  var restart = false

  @Flag(
    help: ArgumentHelp(
      "With --format json or jsonl: also write an object for each picture that cannot be read.",
      visibility: .hidden))
  var failureRows = false

  @Option(
    help: ArgumentHelp(
      """
      With --format coco: a COCO file that numbers the pictures, in its "images"; without it, pictures are \
      numbered from 1 in their order. A "file_name", without its suffix, is a picture's path below the \
      directory that was given, or the name of a file that was given.
      """, valueName: "json", visibility: .hidden), completion: .file(extensions: ["json"]))
  var imageIds: String?

  var chosen: ReportFormat { format ?? (json ? .jsonl : formatOfOutput ?? .text) }

  /// Whether a picture's file has its name without its suffix.
  var namesStems: Bool { chosen != .xmp || !fullSidecarNames }

  private var formatOfOutput: ReportFormat? {
    output.flatMap { suffix(of: $0, among: [".json", ".jsonl", ".csv"]) }
      .flatMap { ReportFormat(rawValue: String($0.dropFirst())) }
  }

  var earlier: EarlierOutput { EarlierOutput(isResuming: resume, isRestarting: restart) }

  var file: String? { chosen.hasFilePerPicture ? nil : output }

  var directory: String? { chosen.hasFilePerPicture ? output : nil }

  var isBesidePictures: Bool { chosen == .xmp && output == nil }

  func validate() throws {
    guard !json || format == nil || format == .jsonl else {
      throw ValidationError("--json means --format jsonl: give one of the two.")
    }
    guard !chosen.hasFilePerPicture || output != nil || isBesidePictures else {
      throw ValidationError(
        "--format \(chosen) writes a file for each picture: give a directory with --output.")
    }
    if chosen.hasFilePerPicture {
      try requireDirectoryName(
        output, option: "--output", content: "--format \(chosen) writes a file for each picture")
    }
    guard !fullSidecarNames || chosen == .xmp else {
      throw ValidationError("--full-sidecar-names is for sidecars: give --format xmp.")
    }
    guard !resume || !restart else {
      throw ValidationError("--resume keeps what --restart replaces: give one of the two.")
    }
    guard regionName == nil || chosen == .xmp else {
      throw ValidationError("--region-name is for sidecars: give --format xmp.")
    }
    if let regionName, regionName.isEmpty || regionName.utf8.contains(where: { $0 < 0x20 }) {
      throw ValidationError("--region-name: give a name of one line.")
    }
    guard !resume || isBesidePictures || (output != nil && chosen.namesPictures) else {
      throw ValidationError(
        "--resume continues a report: give --output, and a format other than text.")
    }
    guard !failureRows || chosen.holdsFailures else {
      throw ValidationError("--failure-rows writes JSON: give --format json or jsonl.")
    }
    guard imageIds == nil || chosen == .coco else {
      throw ValidationError("--image-ids is for COCO's results: give --format coco.")
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}

/// The numbers that a COCO file gives to its pictures and to the category of faces.
struct ImageNumbers: Sendable {
  private let source: String
  private let numbers: [UntrustedText: Int]
  /// By names that files can have, however their accents are composed.
  private let spellings: [String: Int]
  /// Nil if the file has no faces, or no category for them.
  let category: Int?

  init(_ path: String) throws {
    source = path
    let pictures = try JSONGroundTruth.read(
      try readFile(path, limit: GroundTruthLimits.fileBytes), source: path, requiresFaces: false)
    numbers = try imageNumbers(pictures.filter { $0.identifier != nil }, source: path)
    spellings = Dictionary(
      numbers.map { ($0.key.description, $0.value) }.filter { isFilePath($0.0) }
    ) { min($0, $1) }
    category = pictures.first?.category?.number
  }

  func number(of input: PictureInput) throws -> Int {
    let number =
      numbers[UntrustedText(input.stem)] ?? (isFilePath(input.stem) ? spellings[input.stem] : nil)
    guard let number else {
      throw Failure(
        "\(input.path): found no image \(input.stem) in \(source), expected a file_name of this path below the "
          + "directory that was given, whatever its suffix")
    }
    return number
  }
}

import ArgumentParser
import FaceReport
import Files
import YOLOFace

/// The options that say how results are written, and where.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      text for people; json, one array; jsonl, a line for each picture; csv, a row for each face, \
      or one without a face number for a picture that has none; coco, COCO's results; wider and \
      yolo, a file for each picture in the directory --output.
      """, valueName: "format"))
  var format: ReportFormat?

  @Flag(help: "Print a JSON object per picture, one on each line: the same as --format jsonl.")
  var json = false

  @Option(
    help: ArgumentHelp(
      """
      Write the results to a file instead of standard output; until it is complete, it is called \
      PATH.partial, then it replaces an older one. With --format wider or yolo: the directory of \
      the pictures' files.
      """, valueName: "path"))
  var output: String?

  @Flag(
    help: "With --output: continue an earlier run, skipping the pictures that it has done.")
  var resume = false

  @Flag(
    help: "With --format json or jsonl: also write an object for each picture that cannot be read.")
  var failureRows = false

  @Option(
    help: ArgumentHelp(
      "With --format coco: a COCO file whose \"images\" have the numbers of the pictures, which are "
        + "otherwise numbered from 1 as they are taken.", valueName: "json"))
  var imageIds: String?

  /// The chosen format.
  var chosen: ReportFormat { format ?? (json ? .jsonl : .text) }

  /// The file that results go to.
  var file: String? { chosen.hasFilePerPicture ? nil : output }

  /// The directory of the pictures' files.
  var directory: String? { chosen.hasFilePerPicture ? output : nil }

  func validate() throws {
    guard !json || format == nil || format == .jsonl else {
      throw ValidationError("--json stands for --format jsonl: give one of both.")
    }
    guard output != "", imageIds != "" else {
      throw ValidationError("--output and --image-ids: give a path.")
    }
    guard !chosen.hasFilePerPicture || output != nil else {
      throw ValidationError(
        "--format \(chosen) writes a file for each picture: give a directory by --output.")
    }
    guard !resume || (output != nil && chosen.namesPictures) else {
      throw ValidationError(
        "--resume continues a file: give --output, and a format other than text.")
    }
    guard !failureRows || chosen.holdsFailures else {
      throw ValidationError("--failure-rows are JSON: give --format json or jsonl.")
    }
    guard imageIds == nil || chosen == .coco else {
      throw ValidationError("--image-ids are COCO's: give --format coco.")
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}

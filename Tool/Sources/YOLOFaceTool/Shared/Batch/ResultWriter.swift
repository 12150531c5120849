// SPDX-License-Identifier: Apache-2.0
import Synchronization
import YOLOFace
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceReport
import YOLOFaceUntrusted

/// Writes the results of a batch: to standard output, to a growing file, or to a file for each picture.
final class ResultWriter: Sendable {
  private enum Place: Sendable {
    case standardOutput
    case file(PartialFile)
    case directory(String)
    case besidePictures
  }

  let format: ReportFormat
  let outputs: Outputs
  /// How often an earlier run's results hold each picture, by the bytes of its path.
  let held: [[UInt8]: Int]
  private let failed: Set<[UInt8]>
  private let place: Place
  private let earlier: EarlierOutput
  /// What is resumed and says nothing of its run.
  private let unknown: String?
  private let writesFailures: Bool
  private let hasFullSidecarNames: Bool
  private let regionName: String?
  private let hasEntries: Mutex<Bool>
  /// The sidecars that pictures have beside those that are written.
  private let otherSidecars = Mutex<[String]>([])

  /// Results go to a file or directory, or without a path to standard output or beside the pictures.
  init(
    _ format: ReportFormat, to path: String?, earlier: EarlierOutput, record: RunRecord,
    writesFailures: Bool = false, hasFullSidecarNames: Bool = false, regionName: String? = nil,
    in space: ReportSpace = ReportSpace(), by outputs: Outputs
  ) throws {
    (self.format, self.outputs, self.earlier) = (format, outputs, earlier)
    (self.writesFailures, self.hasFullSidecarNames) = (writesFailures, hasFullSidecarNames)
    self.regionName = regionName
    var held: [[UInt8]: Int] = [:]
    var failed: Set<[UInt8]> = []
    var unknown: String?
    if format.hasFilePerPicture {
      place = path.map { .directory($0) } ?? .besidePictures
      if let path {
        if try !record.keep(in: path, earlier, by: outputs) { unknown = path }
      } else if earlier == .resumed {
        unknown = "beside the pictures"
      }
    } else if let path {
      let file = try outputs.partialFile(path, earlier: earlier)
      let recordPath = RunRecord.recordPath(of: file.partialPath)
      if earlier == .resumed {
        let isSame = try record.requireSame(at: recordPath, of: file.openedPath)
        (held, failed) = try Self.takeUp(file, format, space)
        if !isSame, !held.isEmpty { unknown = file.openedPath }
      }
      try record.write(to: recordPath, by: outputs)
      place = .file(file)
    } else {
      place = .standardOutput
    }
    self.unknown = unknown
    (self.held, self.failed) = (held, failed)
    hasEntries = Mutex(!held.isEmpty)
    if held.isEmpty { try put(format.opening(in: space)) }
  }

  /// Reads what an earlier run wrote and truncates it to the part that is sound.
  private static func takeUp(
    _ file: PartialFile, _ format: ReportFormat, _ space: ReportSpace
  ) throws -> (held: [[UInt8]: Int], failed: Set<[UInt8]>) {
    var earlier = EarlierReport(format, in: space, source: file.openedPath)
    try file.read { try earlier.read($0) }
    try earlier.end(isWhole: file.wasWhole)
    try file.keep(earlier.soundBytes)
    return (earlier.held, earlier.failed)
  }

  /// The file with the results of an incomplete run.
  var partialPath: String? {
    if case .file(let file) = place { file.partialPath } else { nil }
  }

  func holdsFailure(of input: PictureInput) -> Bool { failed.contains(Array(input.path.utf8)) }

  /// Whether an earlier run, which this one resumes, has written a picture's own file; throws if a sidecar is in the
  /// way.
  func hasFile(for input: PictureInput) throws -> Bool {
    guard let file = try files(for: input)?.own, fileExists(file) else { return false }
    guard format == .xmp else { return earlier == .resumed }
    let bytes = try readFile(file, limit: Sidecars.largest)
    if earlier == .resumed { return try XMPSidecar.hasRegions(bytes, source: file) }
    try XMPSidecar.requireMergeable(bytes, named: regionName, source: file)
    return false
  }

  /// Writes a picture's own file, if the format has one, or returns the entries to append to the common report, in the
  /// order of the pictures. Regions of faces are added to an existing sidecar. Any thread may call this.
  func write(_ result: PictureResult, for input: PictureInput) throws -> [String] {
    let entries = try result.entries(in: format)
    guard let (file, sidecars) = try files(for: input) else { return entries }
    if format == .xmp {
      let sidecar = try result.sidecar()
      let earlier = fileExists(file) ? try readFile(file, limit: Sidecars.largest) : nil
      let bytes = try earlier.map { try sidecar.merged(into: $0, source: file) } ?? sidecar.bytes
      try outputs.write(bytes, to: file, in: directory ?? "the pictures' directories")
      otherSidecars.withLock {
        $0 += sidecars.filter { FileIdentity($0) != FileIdentity(file) }
      }
    } else {
      if earlier != .replaced { try requireNew(file) }
      let text = format.text(of: entries, areFirst: true)
      try outputs.write(
        Array(text.utf8), to: file, in: directory, mayReplace: earlier == .replaced)
    }
    return []
  }

  func append(_ entries: [String]) throws {
    try put(
      hasEntries.withLock { hasEntries in
        defer { hasEntries = hasEntries || !entries.isEmpty }
        return format.text(of: entries, areFirst: !hasEntries)
      })
  }

  func appendFailure(_ error: any Error, of input: PictureInput) throws {
    guard writesFailures else { return }
    try append([try FailureReport(image: input.path, error: error).json()])
  }

  /// Ends the report. If it is not whole, its file stays partial.
  func end(isWhole: Bool) throws {
    guard isWhole || partialPath == nil else { return }
    try put(format.closing)
    if case .file(let file) = place {
      try outputs.finish(file)
      removeFile(RunRecord.recordPath(of: file.partialPath))
    }
  }

  /// What is said at the end, where so many pictures had results before.
  func messages(held: Int) -> [String] {
    [held > 0 ? unknown.map(RunRecord.unknownRun) : nil, messageOfSidecars].compactMap(\.self)
  }

  /// That pictures have other sidecars, which say what they said; nil for none.
  private var messageOfSidecars: String? {
    let others = otherSidecars.withLock { $0.map { UntrustedText($0) } }
    guard let first = others.min() else { return nil }
    return
      "\(first)\(others.count == 1 ? "" : " and \(others.count - 1) more"): found a second sidecar of a "
      + "picture, which stays as it is; programs may read either"
  }

  /// A picture's own file, and the sidecars that it has; nil if all pictures share a report.
  ///
  /// Of a sidecar's possible names, one that exists is taken rather than one that does not: programs would go on
  /// to read it. That without the picture's suffix is no choice where it may be another picture's. A sidecar that is a
  /// link is an error: in a stranger's directory, it may lead to any file.
  private func files(
    for input: PictureInput
  ) throws(FileError) -> (own: String, sidecars: [String])? {
    guard let suffix = format.fileSuffix else { return nil }
    let whole = directory.map { path(of: input.place, in: $0) } ?? input.path
    let stem = withoutPictureSuffix(whole)
    guard format == .xmp else { return (stem + suffix, []) }
    let names =
      isStemShared(of: input.path) ? [whole] : hasFullSidecarNames ? [whole, stem] : [stem, whole]
    let sidecars = names.flatMap(Sidecars.names).filter(fileExists)
    let own = sidecars.first ?? names[0] + ".xmp"
    guard !isLink(own) else {
      throw FileError(
        path: own, found: "a symbolic link",
        expected:
          "a sidecar that is a file; remove the link, or give another directory with --output")
    }
    return (own, sidecars)
  }

  private var directory: String? {
    if case .directory(let directory) = place { directory } else { nil }
  }

  private func put(_ text: String) throws(FileError) {
    switch place {
    case .standardOutput:
      try printText(text)
      try flushOutput()
    case .file(let file): try file.append(text)
    case .directory, .besidePictures: return
    }
  }
}

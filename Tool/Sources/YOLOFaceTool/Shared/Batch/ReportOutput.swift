import FaceReport
import Files
import Synchronization
import YOLOFace

/// The destination of results: standard output, a growing file, or a directory with a file for each
/// picture.
final class ReportOutput: Sendable {
  private enum Place: Sendable {
    case standardOutput
    case file(PartialFile)
    case directory(String)
    case besidePictures
  }

  let format: ReportFormat
  /// Whether failed pictures have entries too.
  let writesFailures: Bool
  private let place: Place
  private let stream: Mutex<ReportStream>
  /// How often an earlier run has done each picture, by the bytes of its path.
  private let held: Mutex<[[UInt8]: Int]>
  /// The held pictures that failed.
  private let failed: Set<[UInt8]>
  /// Whether an existing file in the directory is kept as an earlier run's.
  private let skipsWritten: Bool
  private let outputs: Outputs

  /// - Parameters:
  ///   - format: the results'.
  ///   - path: the file or directory for the results; nil for standard output.
  ///   - isResuming: whether an earlier run's results are continued.
  ///   - writesFailures: whether failed pictures have entries.
  ///   - coordinates: those of the results.
  ///   - outputs: writes the results.
  /// - Throws: `FileError` or `EarlierReportError` if the output cannot be written or continued.
  init(
    _ format: ReportFormat, to path: String?, isResuming: Bool, writesFailures: Bool = false,
    coordinates: CoordinateSystem = .pixels, by outputs: Outputs
  ) throws {
    self.outputs = outputs
    self.format = format
    self.writesFailures = writesFailures
    var held: [[UInt8]: Int] = [:]
    var failed: Set<[UInt8]> = []
    if format == .xmp, path == nil {
      place = .besidePictures
    } else if let path, format.hasFilePerPicture {
      place = .directory(path)
    } else if let path {
      let file = try outputs.partialFile(path, isResuming: isResuming)
      if isResuming { (held, failed) = try Self.takeUp(file, format, coordinates) }
      place = .file(file)
    } else {
      place = .standardOutput
    }
    self.held = Mutex(held)
    self.failed = failed
    let stream = ReportStream(format, coordinates: coordinates, isResumed: !held.isEmpty)
    self.stream = Mutex(stream)
    skipsWritten = isResuming
    if held.isEmpty { try put(stream.opening) }
  }

  /// The file with the results of an incomplete run.
  var partialPath: String? {
    if case .file(let file) = place { file.partialPath } else { nil }
  }

  /// Reads what an earlier run wrote and truncates it to the part that is sound.
  private static func takeUp(
    _ file: PartialFile, _ format: ReportFormat, _ coordinates: CoordinateSystem
  ) throws -> (held: [[UInt8]: Int], failed: Set<[UInt8]>) {
    var earlier = EarlierReport(format, coordinates: coordinates, source: file.openedPath)
    try file.read { try earlier.read($0) }
    try earlier.end(isWhole: file.wasWhole)
    try file.keep(earlier.soundBytes)
    return (earlier.held, earlier.failed)
  }

  /// Whether a held picture failed in the earlier run.
  func holdsFailure(of input: PictureInput) -> Bool { failed.contains(Array(input.path.utf8)) }

  /// Whether an earlier run has written a file of its own for a picture.
  ///
  /// - Throws: `FileError`, `XMPError` where a sidecar is in the way.
  func hasFile(for input: PictureInput) throws -> Bool {
    if format == .xmp { return try hasRegions(input) }
    guard case .directory(let directory) = place else { return false }
    return skipsWritten && fileExists(detectionFile(of: input.stem, in: directory))
  }

  /// Whether the growing file holds a picture of an earlier run. Each call takes one off that picture's
  /// count, so call it once for each input, in their order.
  func takeHeld(_ input: PictureInput) -> Bool {
    held.withLock { held in
      let count = held[Array(input.path.utf8), default: 0]
      if count > 0 { held[Array(input.path.utf8)] = count - 1 }
      return count > 0
    }
  }

  /// Writes a picture's entries. With a file for each picture, any thread may call this.
  ///
  /// - Throws: `FileError`.
  func write(_ entries: [String], for input: PictureInput) throws {
    guard case .directory(let directory) = place else {
      return try put(stream.withLock { $0.text(of: entries) })
    }
    let file = detectionFile(of: input.stem, in: directory)
    try requireNew(file)
    try outputs.write(detectionText(entries), to: file, in: directory, mayReplace: false)
  }

  /// Writes the regions of a picture's faces to the file beside it, or adds them to what this says. Any
  /// thread may call this.
  ///
  /// - Throws: `FileError`, `XMPError`.
  func write(_ sidecar: XMPSidecar, for input: PictureInput) throws {
    let file = sidecarFile(of: input)
    let earlier = fileExists(file) ? try readFile(file, limit: Self.largestSidecar) : nil
    let bytes = try earlier.map { try sidecar.merged(into: $0, source: file) } ?? sidecar.bytes
    try outputs.write(bytes, to: file, in: directory ?? "the pictures' directories")
  }

  /// The most bytes of a sidecar: some programs keep a history of edits there.
  private static let largestSidecar = 16 << 20

  /// Whether an earlier run has written the regions of faces to the file beside a picture.
  private func hasRegions(_ input: PictureInput) throws -> Bool {
    let file = sidecarFile(of: input)
    guard fileExists(file) else { return false }
    let bytes = try readFile(file, limit: Self.largestSidecar)
    if skipsWritten { return try XMPSidecar.hasRegions(bytes, source: file) }
    try XMPSidecar.requireMergeable(bytes, source: file)
    return false
  }

  private func sidecarFile(of input: PictureInput) -> String {
    directory.map { path(of: input.stem + ".xmp", in: $0) }
      ?? withoutPictureSuffix(input.path) + ".xmp"
  }

  private var directory: String? {
    if case .directory(let directory) = place { directory } else { nil }
  }

  /// Ends the report. If it is not whole, its file stays partial.
  ///
  /// - Throws: `FileError`.
  func end(isWhole: Bool) throws {
    switch place {
    case .directory, .besidePictures: return
    case .standardOutput: try put(stream.withLock { $0.closing })
    case .file(let file):
      guard isWhole else { return }
      try put(stream.withLock { $0.closing })
      try outputs.finish(file)
    }
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

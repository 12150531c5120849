import Files
import Inference
import LibC
import Synchronization
import YOLOFace

/// Where a run writes. Each subcommand makes one before its work begins, and writes by it alone.
///
/// So it is found out in time what cannot be written, and nothing is made or changed where an output is
/// a file that the run reads, or the place of another output: by whatever path, links, or what the
/// shell opened as standard input, output or error.
final class Outputs: Sendable {
  /// The name of each output that is a file already, in which there may be something to lose.
  private let replaced: [FileIdentity: String]
  private let files: Set<String>
  private let directories: [String]
  private let written = WrittenFiles()

  /// Checks the outputs, then makes directories that are missing.
  ///
  /// - Parameters:
  ///   - files: paths of files, which may replace older ones; nil for what was not asked for, here and
  ///     below.
  ///   - growing: of one that grows as a `PartialFile`.
  ///   - directories: of directories in which files are made.
  ///   - labelDirectory: of one in which files are made whose names are unlike those in all others.
  ///   - makingDirectories: whether directories above the files are made.
  ///   - inputs: paths of files that are read.
  ///   - pictures: what is read besides; pictures of lists are left for `requireApart`.
  ///   - readsStandardInput: whether that is read for anything but a picture.
  /// - Throws: `FileError` or `OutputConflict`.
  init(
    files: [String?] = [], growing: String? = nil, directories: [String?] = [],
    labelDirectory: String? = nil, makingDirectories: Bool = false, inputs: [String?],
    pictures: PictureSource? = nil, readsStandardInput: Bool = false
  ) throws {
    let partial = try growing.map(PartialFile.partialPath)
    let files = (files + [growing, partial]).compactMap(\.self)
    let directories = directories.compactMap(\.self)
    let streams = Self.redirectedStreams
    try Self.requireApart(
      files, directories, labelDirectory, streams, makingDirectories: makingDirectories)
    self.files = Set(files)
    self.directories = directories + [labelDirectory].compactMap(\.self)
    // What the shell has emptied is lost already.
    let lasting = streams.filter { !$0.isEmpty }.map { ($0.file, $0.name) }
    let older = files.compactMap { path in FileIdentity(path).map { ($0, path) } }
    replaced = Dictionary(lasting + older) { first, _ in first }
    for path in inputs { try requireApart(from: path.flatMap(FileIdentity.init)) }
    if readsStandardInput { try requireApart(from: FileIdentity(descriptor: STDIN_FILENO)) }
    if let pictures, !replaced.isEmpty {
      for input in pictures.withoutLists { try requireApart(from: input.identity) }
    }
    for path in self.directories { try prepareDirectory(path) }
  }

  /// What the shell has opened a file for.
  private struct Stream {
    var file: FileIdentity
    var name: String
    var isEmpty: Bool
  }

  private static var redirectedStreams: [Stream] {
    [(STDOUT_FILENO, "standard output"), (STDERR_FILENO, "standard error")].compactMap {
      var status = stat()
      guard let file = FileIdentity(descriptor: $0), fstat($0, &status) == 0 else { return nil }
      return Stream(file: file, name: $1, isEmpty: status.st_size == 0)
    }
  }

  /// Sees to it that all can be written, each in a place of its own.
  private static func requireApart(
    _ files: [String], _ directories: [String], _ labelDirectory: String?, _ streams: [Stream],
    makingDirectories: Bool
  ) throws {
    var places: Set<WritablePlace> = []
    func take(_ place: WritablePlace, _ path: String) throws(OutputConflict) {
      guard places.insert(place).inserted else { throw OutputConflict(path: path, kind: .output) }
    }
    for path in directories { try take(WritablePlace(ofDirectory: path), path) }
    if let labelDirectory { places.insert(try WritablePlace(ofDirectory: labelDirectory)) }
    let made = Array(places)
    for path in files {
      try take(
        WritablePlace(ofFile: path, besides: made, makingDirectories: makingDirectories), path)
      guard !streams.contains(where: { $0.file == FileIdentity(path) }) else {
        throw OutputConflict(path: path, kind: .output)
      }
    }
  }

  /// Sees to it that a file which is read is no output.
  ///
  /// - Parameter input: nil for what is no file.
  /// - Throws: `OutputConflict`.
  func requireApart(from input: FileIdentity?) throws(OutputConflict) {
    guard let path = input.flatMap({ replaced[$0] }) else { return }
    throw OutputConflict(path: path, kind: .input)
  }

  /// Writes a file, in a directory that is made where it is missing.
  ///
  /// - Parameters:
  ///   - path: one of the files, or one in a directory.
  ///   - directory: what the message is to name, should there be several files in it.
  /// - Throws: `FileError`; `OutputConflict` where this run has written the file before.
  func write(_ bytes: [UInt8], to path: String, in directory: String? = nil) throws {
    assertPlanned(path)
    try requireUnwritten(path)
    try prepareDirectory(ofFile: path)
    try writeFile(bytes, to: path)
    written.note(path, in: directory ?? path)
  }

  /// Writes a picture as PNG, as `write` does.
  ///
  /// - Throws: `FileError` or `PNGError`.
  func write(_ picture: RGBImage, to path: String, in directory: String? = nil) throws {
    try write(try PNG.encode(picture), to: path, in: directory)
  }

  /// Writes a picture to a path that no file has.
  ///
  /// - Parameter isResuming: whether a file that is there is the work of an earlier run, and stays.
  /// - Throws: `ExistingFile` where there is another, and as `write`.
  func writeNew(
    _ picture: RGBImage, to path: String, in directory: String, isResuming: Bool = false
  ) throws {
    if fileExists(path) {
      if isResuming { return }
      throw ExistingFile(path: path)
    }
    try write(picture, to: path, in: directory)
  }

  /// The file that grows.
  ///
  /// - Parameter isResuming: whether to go on with what an earlier run left.
  /// - Throws: `FileError`.
  func partialFile(_ path: String, isResuming: Bool) throws(FileError) -> PartialFile {
    assertPlanned(path)
    return isResuming ? try PartialFile(resuming: path) : try PartialFile(path)
  }

  /// Gives the file that grew its name.
  ///
  /// - Throws: as `write`; the partial file stays.
  func finish(_ file: PartialFile) throws {
    try requireUnwritten(file.path)
    try file.finish()
    written.note(file.path, in: file.path)
  }

  private func requireUnwritten(_ path: String) throws(OutputConflict) {
    guard !written.contains(path) else { throw OutputConflict(path: path, kind: .output) }
  }

  /// A message for each output that was written.
  var messages: [String] { written.messages }

  private func assertPlanned(_ path: String) {
    assert(
      files.contains(path)
        || directories.contains { path.utf8.starts(with: $0.utf8) }, "\(path) is not planned")
  }
}

/// An output in the place of something else that the run needs.
struct OutputConflict: Error, CustomStringConvertible {
  enum Kind {
    case input, output
  }

  var path: String
  var kind: Kind

  var description: String {
    switch kind {
    case .input: "\(path): found a file that this run reads, expected a different output file"
    case .output: "\(path): found another output of this run, expected a place of its own"
    }
  }
}

/// A file that would be replaced.
struct ExistingFile: Error, CustomStringConvertible {
  var path: String

  var description: String {
    "\(path): found a file of this name, expected none; remove it or give another directory"
  }
}

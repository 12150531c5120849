// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Synchronization
import YOLOFace
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceFilms
import YOLOFaceLibC
import YOLOFaceUntrusted

/// The outputs of a run. Each subcommand makes one instance before its work begins, and writes only through it.
///
/// Nothing is created or changed if an output cannot be written, is a file that the run reads, or coincides with
/// another output, whatever path leads there: through links, or what the shell opened as a standard stream.
final class Outputs: Sendable {
  /// The name of each output that already exists and whose contents could be lost.
  private let replaced: [FileIdentity: String]
  private let files: Set<UntrustedText>
  private let directories: [String]
  let isBesidePictures: Bool
  /// Pictures that are read, where outputs may replace files of any name.
  private let inputs: Set<FileIdentity>
  private let written = Mutex(Written())

  private struct Written: Sendable {
    var identities: Set<FileIdentity> = []
    /// As the work begins.
    var directories: [(path: String, identity: FileIdentity?)] = []
    /// By the path that messages name: the first file, and the number of files.
    var places: [UntrustedText: (first: String, count: Int)] = [:]
  }

  /// Checks the outputs; nothing is created yet. A path is nil if it was not requested.
  ///
  /// Files may replace older ones; documents hold no picture; `growing` is a `PartialFile`. The names in a directory of
  /// labels differ from those in the others, so that it may coincide with one. Pictures of a list are left for
  /// `requireApart`. Standard input counts where it is read for anything but a picture. Where an earlier run is begun
  /// anew, no output replaces one of the pictures.
  init(
    files: [String?] = [], documents: [String?] = [], growing: String? = nil,
    directories: [String?] = [], labelDirectory: String? = nil, isBesidePictures: Bool = false,
    makingDirectories: Bool = false, inputs: [String?], pictures: PictureQueue? = nil,
    readsStandardInput: Bool = false, isRestarting: Bool = false
  ) throws {
    self.isBesidePictures = isBesidePictures
    self.inputs = Set((isRestarting ? pictures : nil)?.rest().compactMap(\.identity) ?? [])
    let partial = try growing.map(PartialFile.partialPath)
    let documents = (documents + [growing]).compactMap(\.self)
    let ofRun = [partial, partial.map(RunRecord.recordPath(of:))]
    let files = (files + documents + ofRun).compactMap(\.self)
    let directories = directories.compactMap(\.self)
    guard !(files + directories + [labelDirectory]).contains("-") else {
      throw ValidationError(
        "-: outputs go to files; give a path, such as ./- for a file of this name.")
    }
    if let address = (files + directories).first(where: isAddress) {
      throw ValidationError(
        "\(address): found an address, expected a path; frames of --raw leave on standard output, for ffmpeg to send."
      )
    }
    let streams = Self.redirectedStreams
    try Self.requireApart(
      files, directories, labelDirectory, streams: Set(streams.map(\.file)),
      makingDirectories: makingDirectories)
    self.files = Set(files.map { UntrustedText($0) })
    self.directories = directories + [labelDirectory].compactMap(\.self)
    // A file that the shell has truncated is lost already.
    let lasting = streams.filter { !$0.isEmpty }.map { ($0.file, $0.name) }
    let older = files.compactMap { path in FileIdentity(path).map { ($0, path) } }
    replaced = Dictionary(lasting + older) { first, _ in first }
    for path in inputs { try requireApart(from: path.flatMap(FileIdentity.init)) }
    if readsStandardInput { try requireApart(from: FileIdentity(descriptor: STDIN_FILENO)) }
    if let pictures, !replaced.isEmpty {
      for input in pictures.rest() { try requireApart(from: input.identity) }
    }
    if let document = documents.first(where: isMediaName) {
      throw ValidationError(
        "\(document): found the name of a picture or a film for results that are neither; give another, or "
          + "see --annotate for a picture with its faces.")
    }
  }

  func makeDirectories() throws(FileError) {
    for path in directories { try prepareDirectory(path) }
    let made = directories.map { ($0, FileIdentity($0)) }
    written.withLock { $0.directories = made }
  }

  /// Checks that the directory of an output is still that which the run has found or made: where a disk is gone, the
  /// directory that it was mounted on may be left.
  private func requireSameDirectory(of file: String) throws(FileError) {
    let made = written.withLock { $0.directories }
    for (directory, identity) in made
    where isBelow(directory, file) && FileIdentity(directory) != identity {
      throw FileError(
        path: directory, found: "no longer the directory that it was as the run began",
        expected: "the same until its end", isOfPlace: true)
    }
  }

  private static var redirectedStreams: [(file: FileIdentity, name: String, isEmpty: Bool)] {
    [(STDOUT_FILENO, "standard output"), (STDERR_FILENO, "standard error")].compactMap {
      var status = stat()
      guard let file = FileIdentity(descriptor: $0), fstat($0, &status) == 0 else { return nil }
      return (file, $1, status.st_size == 0)
    }
  }

  /// Checks that all outputs can be written, each to a place of its own.
  private static func requireApart(
    _ files: [String], _ directories: [String], _ labelDirectory: String?,
    streams: Set<FileIdentity>, makingDirectories: Bool
  ) throws {
    var made: Set<WritablePlace> = []
    for path in directories {
      guard made.insert(try WritablePlace(ofDirectory: path)).inserted else {
        throw OutputConflict.output(path)
      }
    }
    if let labelDirectory { made.insert(try WritablePlace(ofDirectory: labelDirectory)) }
    // A file can be neither another file nor a directory, too.
    var taken: Set<WritablePlace> = []
    var above = Set(made.flatMap(\.directoriesAbove))
    let others = Array(made)
    for path in files {
      let place = try WritablePlace(
        ofFile: path, besides: others, makingDirectories: makingDirectories)
      let directories = place.directoriesAbove
      guard !made.contains(place), !above.contains(place), taken.isDisjoint(with: directories),
        taken.insert(place).inserted, FileIdentity(path).map(streams.contains) != true
      else { throw OutputConflict.output(path) }
      above.formUnion(directories)
    }
  }

  /// Checks that an input, if it is a file, is not an output.
  func requireApart(from input: FileIdentity?) throws(OutputConflict) {
    if let path = input.flatMap({ replaced[$0] }) { throw .input(path) }
  }

  /// Writes one of the files, or a file in one of the directories, which is created if it is missing, and which the
  /// message names if several files are written to it. A file that this run has already written is an error.
  func write(
    _ bytes: [UInt8], to path: String, in directory: String? = nil, mayReplace: Bool = true
  ) throws {
    try prepare(path)
    try writeFile(bytes, to: path, mayReplace: mayReplace)
    note(path, in: directory)
  }

  /// Writes what only another run reads, and no message names.
  func leave(_ bytes: [UInt8], at path: String) throws {
    precondition(isPlanned(path), "\(path) is not planned")
    try writeFile(bytes, to: path)
  }

  /// Writes files that belong together: none appears before all are complete.
  func write(_ contents: [(bytes: [UInt8], path: String)]) throws {
    for (_, path) in contents { try prepare(path) }
    try writeFiles(contents)
    for (_, path) in contents { note(path) }
  }

  private func prepare(_ path: String) throws {
    precondition(isPlanned(path), "\(path) is not planned")
    if let file = FileIdentity(path), inputs.contains(file) { throw OutputConflict.input(path) }
    try requireUnwritten(path)
    try requireSameDirectory(of: path)
    try prepareDirectory(ofFile: path)
  }

  /// Writes a picture as PNG, with which colours its samples stand for.
  func write(
    _ picture: RGBImage, color: ColorDescription = ColorDescription(), to path: String
  ) throws {
    try write(try PNG.encode(picture, color: color), to: path)
  }

  /// Writes a picture to a file of an earlier run's name; a resumed run keeps one with the same bytes, and takes
  /// another for an error.
  func write(
    _ picture: RGBImage, color: ColorDescription, to path: String, in directory: String,
    earlier: EarlierOutput = .refused
  ) throws {
    let bytes = try PNG.encode(picture, color: color)
    if earlier == .resumed, (try? readFile(path, limit: bytes.count)) == bytes { return }
    if earlier != .replaced { try requireNew(path) }
    try write(bytes, to: path, in: directory, mayReplace: earlier == .replaced)
  }

  func partialFile(_ path: String, earlier: EarlierOutput) throws(FileError) -> PartialFile {
    precondition(isPlanned(path), "\(path) is not planned")
    return try PartialFile(path, earlier: earlier)
  }

  /// Begins a film of pictures like the first, which is not added, with the rate and colour of frames, and what is
  /// wanted of the film that they come from.
  func film(
    _ path: String, of first: RGBImage, like frames: FrameSequence, quality: Int?,
    keeping: KeptParts
  ) throws -> FilmWriter {
    precondition(isPlanned(path), "\(path) is not planned")
    let source = frames.reader
    return try FilmWriter(
      path, width: first.width, height: first.height, interval: frames.interval,
      clock: source?.clock, start: keeping.sound ? source?.start : nil,
      pixelAspect: source?.pixelAspect ?? (1, 1), color: source?.color ?? .bt709,
      quality: quality, soundOf: keeping.sound ? source?.path : nil,
      metadataOf: keeping.metadata ? source?.path : nil,
      while: { Interruption.isGoingOn })
  }

  /// Gives the complete film its name; where that fails, the film is removed.
  func finish(_ film: FilmWriter) throws {
    try film.finish()
    note(film.path)
  }

  /// Gives the complete growing file its name; where that fails, the partial file remains.
  func finish(_ file: PartialFile) throws {
    try requireUnwritten(file.path)
    try file.finish()
    note(file.path)
  }

  private func requireUnwritten(_ path: String) throws(OutputConflict) {
    if let identity = FileIdentity(path), written.withLock({ $0.identities.contains(identity) }) {
      throw .output(path)
    }
  }

  private func note(_ path: String, in directory: String? = nil) {
    written.withLock { written in
      written.places[UntrustedText(directory ?? path), default: (path, 0)].count += 1
      if let identity = FileIdentity(path) { written.identities.insert(identity) }
    }
  }

  var messages: [String] {
    written.withLock { written in
      written.places.sorted { $0.key < $1.key }.map { name, place in
        place.count == 1 ? "wrote \(place.first)" : "wrote \(place.count) files to \(name)"
      }
    }
  }

  /// Whether a path is that of one of the files, or in one of the directories.
  func isPlanned(_ file: String) -> Bool {
    isBesidePictures || files.contains(UntrustedText(file))
      || directories.contains { isBelow($0, file) }
  }

  private func isBelow(_ directory: String, _ file: String) -> Bool {
    file.utf8.starts(with: path(of: "", in: directory).utf8)
  }
}

/// The names in a directory and those below it as a run finds them, byte for byte: some file systems take names
/// that differ in case or composition for one.
final class EarlierNames: Sendable {
  private let directory: String
  private let names = Mutex<[[UInt8]: Set<[UInt8]>]>([:])

  init(in directory: String) { self.directory = directory }

  /// Whether there was something at a path, which begins with the directory's, before the run wrote any of it.
  func contains(_ file: String) -> Bool {
    names.withLock { names in
      var parent = directory
      for name in pathNames(file, below: directory) {
        let key = Array(parent.utf8)
        let known =
          names[key] ?? Set((try? directoryEntries(in: parent))?.map { Array($0.name.utf8) } ?? [])
        names[key] = known
        guard known.contains(Array(name.utf8)) else { return false }
        parent = path(of: name, in: parent)
      }
      return true
    }
  }
}

enum OutputConflict: Error, CustomStringConvertible {
  case input(String), output(String)

  var description: String {
    switch self {
    case .input(let path):
      "\(path): found a file that this run reads, expected a different output file"
    case .output(let path):
      "\(path): found another output of this run, expected a path of its own"
    }
  }
}

func requireNew(_ path: String) throws {
  guard fileExists(path) else { return }
  let found = isDirectory(path) ? "a directory" : "an existing file"
  throw Failure("\(path): found \(found), expected none; remove it or give another directory")
}

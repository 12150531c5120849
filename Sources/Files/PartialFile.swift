import LibC

/// A file that is written piece by piece as `PATH.partial` and takes its final name when complete.
///
/// What was written stays there if the process ends early, so that a later one can resume it. Only
/// one process at a time may write it.
public struct PartialFile: Sendable {
  /// Where the pieces go.
  public let partialPath: String
  /// What was opened: the partial file, or the complete one.
  public let openedPath: String
  /// The file's final path, as it was given.
  public var path: String { target.name }
  /// Whether an earlier run completed the file.
  public let wasWhole: Bool
  private let target: WritableTarget
  private let descriptor: Int32

  /// Where the pieces of a file go.
  ///
  /// - Throws: `FileError` where no file can have this path.
  public static func partialPath(of path: String) throws(FileError) -> String {
    partialPath(of: try WritableTarget(path))
  }

  private static func partialPath(of target: WritableTarget) -> String { target.path + ".partial" }

  /// Begins a file.
  ///
  /// - Throws: `FileError` where there is a partial file of an earlier run.
  public init(_ path: String) throws(FileError) {
    try self.init(try WritableTarget(path), isResuming: false)
  }

  /// Resumes the partial file of an earlier run, or a complete file; begins one where there is
  /// neither. Nothing changes before `keep(_:)`.
  ///
  /// - Throws: `FileError`.
  public init(resuming path: String) throws(FileError) {
    try self.init(try WritableTarget(path), isResuming: true)
  }

  private init(_ target: WritableTarget, isResuming: Bool) throws(FileError) {
    self.target = target
    partialPath = Self.partialPath(of: target)
    wasWhole = isResuming && !fileExists(partialPath) && fileExists(target.path)
    openedPath = wasWhole ? target.path : partialPath
    let opened = openedPath
    func failure(_ found: String, expected: String) -> FileError {
      FileError(path: opened, found: found, expected: expected)
    }
    descriptor = open(
      opened,
      O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (isResuming ? 0 : O_EXCL),
      0o666)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw failure(
          "the output of an earlier run, or of one that is at work",
          expected: "none: wait, resume that run, or remove the file")
      }
      throw failure(systemMessage(errno), expected: "a file that can be written")
    }
    var status = stat()
    var named = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = close(descriptor)
      throw failure("a pipe or device", expected: "a regular file")
    }
    // Another process may have given the file its name between the two calls.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, lstat(opened, &named) == 0,
      named.st_ino == status.st_ino
    else {
      _ = close(descriptor)
      throw failure(
        "a file that another process writes", expected: "one that this process writes alone")
    }
  }

  /// Reads what an earlier run left, a block at a time.
  ///
  /// - Throws: `FileError`, and what `take` throws.
  public func read(_ take: (ArraySlice<UInt8>) throws -> Void) throws {
    var offset = 0
    while true {
      let block = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        guard got >= 0 else { throw target.failure(systemMessage(errno)) }
        count = got
      }
      if block.isEmpty { return }
      offset += block.count
      try take(block[...])
    }
  }

  /// Drops everything beyond the first bytes, as many as given; a complete file becomes partial
  /// again.
  ///
  /// - Throws: `FileError`.
  public func keep(_ count: Int) throws(FileError) {
    guard !wasWhole || rename(target.path, partialPath) == 0,
      ftruncate(descriptor, off_t(count)) == 0
    else { throw target.failure(systemMessage(errno)) }
  }

  /// Adds a piece.
  ///
  /// - Throws: `FileError`, such as where the disk is full; the piece may then be there in part.
  public func append(_ text: String) throws(FileError) {
    let error = writeAll(Array(text.utf8), to: descriptor)
    guard error == 0 else { throw target.failure(systemMessage(error)) }
  }

  /// Gives the file its final name, replacing an older file. The last call.
  ///
  /// - Throws: `FileError`; the partial file stays.
  public func finish() throws(FileError) {
    var error = target.replace(by: partialPath, descriptor)
    if close(descriptor) != 0 && error == 0 { error = errno }
    guard error == 0 else { throw target.failure(systemMessage(error)) }
  }
}

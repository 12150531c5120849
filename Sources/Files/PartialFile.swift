#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is written piece by piece as `PATH.partial` and takes its own name when it is whole.
///
/// What was written stays there if the process ends before, so that a later one can go on with it.
/// One process at a time may write it.
public struct PartialFile: Sendable {
  /// Where the pieces go.
  public let partialPath: String
  private let target: WritableTarget
  private let descriptor: Int32

  /// Begins a file.
  ///
  /// - Throws: `FileError` where there is a partial file of an earlier run.
  public init(_ path: String) throws(FileError) {
    try self.init(path, flags: O_EXCL)
  }

  /// Goes on with the partial file of an earlier run, or with a whole file, which becomes partial
  /// again; where there is neither, begins one.
  public init(resuming path: String) throws(FileError) {
    let target = try WritableTarget(path)
    if !fileExists(target.path + ".partial"), fileExists(target.path),
      rename(target.path, target.path + ".partial") != 0
    {
      throw target.failure(systemMessage(errno))
    }
    try self.init(path, flags: 0)
  }

  private init(_ path: String, flags: Int32) throws(FileError) {
    target = try WritableTarget(path)
    partialPath = target.path + ".partial"
    func failure(_ found: String, expected: String) -> FileError {
      FileError(path: path + ".partial", found: found, expected: expected)
    }
    descriptor = open(
      partialPath, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o666)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw failure(
          "the unfinished output of an earlier run",
          expected: "none: resume that run, or remove the file")
      }
      throw failure(systemMessage(errno), expected: "a file that can be written")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = close(descriptor)
      throw failure("a pipe or device", expected: "a regular file")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let found = systemMessage(errno)
      _ = close(descriptor)
      throw failure(found, expected: "a file that no other process writes")
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

  /// Drops what lies beyond so many bytes.
  ///
  /// - Throws: `FileError`.
  public func truncate(to count: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(count)) == 0 else {
      throw target.failure(systemMessage(errno))
    }
  }

  /// Adds a piece.
  ///
  /// - Throws: `FileError`, such as where the disk is full; the piece may then be there in part.
  public func append(_ text: String) throws(FileError) {
    let error = writeAll(Array(text.utf8), to: descriptor)
    guard error == 0 else { throw target.failure(systemMessage(error)) }
  }

  /// Gives the file its name, replacing an older one. The last call.
  ///
  /// - Throws: `FileError`; the partial file stays.
  public func finish() throws(FileError) {
    var error = target.replace(by: partialPath, descriptor)
    if close(descriptor) != 0 && error == 0 { error = errno }
    guard error == 0 else { throw target.failure(systemMessage(error)) }
  }
}

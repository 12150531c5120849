// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// Why a file could not be read or written.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path as the caller gave it.
  public let path: String
  /// What was found.
  public let found: String
  /// What was expected instead.
  public let expected: String
  /// Whether the file is larger than the limit that the caller set.
  public let exceedsLimit: Bool
  /// Whether its place is at fault, such as a full disk, so that no other file can be written there either.
  public let isOfPlace: Bool

  /// An error from its parts.
  public init(
    path: String, found: String, expected: String, exceedsLimit: Bool = false,
    isOfPlace: Bool = false
  ) {
    (self.path, self.found, self.expected) = (path, found, expected)
    (self.exceedsLimit, self.isOfPlace) = (exceedsLimit, isOfPlace)
  }

  /// An error of the system's, by its number, about a file that is written.
  public init(path: String, writing error: Int32, expected: String = "a file that can be written") {
    self.init(
      path: path, found: systemMessage(error), expected: expected,
      isOfPlace: faultsOfPlaces.contains(error))
  }

  /// One sentence: `path: found …, expected …`.
  public var description: String { "\(path): found \(found), expected \(expected)" }
}

/// Of what is wrong with a disk, a mount or a connection to one.
private let faultsOfPlaces = [
  ENOSPC, EDQUOT, EROFS, EIO, ENODEV, ENXIO, ESTALE, ENOTCONN, ETIMEDOUT,
]

/// Reads a whole regular file that is at most `limit` bytes long.
///
/// - Throws: `FileError` where the file is missing, cannot be read, is larger than the limit, or is
///   a directory, a pipe or a device, so that reading cannot hang; also for what `requireContents` refuses.
@_spi(Tool) public func readFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
  let bytes = try readFile(path) { (size) throws(FileError) in
    guard size <= limit else {
      throw FileError(
        path: path, found: "\(size) bytes", expected: "at most \(limit)", exceedsLimit: true)
    }
    return size
  }
  try requireContents(bytes, path: path)
  return bytes
}

/// Reads the first bytes of a regular file, at most `limit`; below 1 none.
///
/// - Throws: as `readFile(_:limit:)`, however large the file is.
@_spi(Tool) public func readStart(of path: String, limit: Int) throws(FileError) -> [UInt8] {
  try readFile(path) { min($0, limit) }
}

/// - Parameter count: how many bytes to read of a file of a size.
private func readFile(
  _ path: String, count: (Int) throws(FileError) -> Int
) throws(FileError) -> [UInt8] {
  try requireWholePath(path)
  func failure(_ found: String) -> FileError {
    FileError(path: path, found: found, expected: "a regular file that can be read")
  }
  // Without O_NONBLOCK, opening a pipe that nobody writes to never returns.
  let descriptor = open(systemPath(path), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  guard descriptor >= 0 else { throw failure(systemMessage(errno)) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw failure(systemMessage(errno)) }
  guard status.st_mode & S_IFMT == S_IFREG else { throw failure("a directory, pipe or device") }
  return try readBytes(descriptor, atMost: try count(Int(status.st_size)), failure: failure)
}

/// Refuses a path with a zero byte: the system ends the path there, so it would name another file.
///
/// - Throws: `FileError` for one.
@_spi(Tool) public func requireWholePath(_ path: String) throws(FileError) {
  guard !path.utf8.contains(0) else {
    throw FileError(path: path, found: "a zero byte in the path", expected: "a path without one")
  }
}

/// Reads a file that reports no size, such as those under `/proc`, up to 1 MiB.
///
/// - Throws: `FileError` where it cannot be read.
@_spi(Tool) public func readPseudoFile(_ path: String) throws(FileError) -> String {
  try requireWholePath(path)
  func failure(_ found: String) -> FileError {
    FileError(path: path, found: found, expected: "a file that can be read")
  }
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw failure(systemMessage(errno)) }
  defer { close(descriptor) }
  let bytes = try readBytes(descriptor, atMost: 1 << 20, failure: failure)
  return String(decoding: bytes, as: UTF8.self)
}

/// The system's message for an error number, which begins as within a sentence.
@_spi(Tool) public func systemMessage(_ error: Int32) -> String {
  let message = String(cString: strerror(error))
  return message.prefix(1).lowercased() + message.dropFirst()
}

/// Calls a function of the system again as long as a signal interrupts it, as glibc's `TEMP_FAILURE_RETRY` does.
@_spi(Tool) public func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Reads bytes from a descriptor until there are enough, or it ends.
///
/// - Parameters:
///   - descriptor: that of a file, a pipe or a terminal.
///   - limit: the most bytes, for which memory is reserved; below 1 none.
///   - failure: makes an error of the system's message.
func readBytes<Failure: Error>(
  _ descriptor: Int32, atMost limit: Int, failure: (String) -> Failure
) throws(Failure) -> [UInt8] {
  var error: Int32 = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: max(0, limit)) { buffer, count in
    while count < limit {
      let got = uninterrupted {
        read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
      }
      if got < 0 { error = errno }
      if got <= 0 { break }
      count += got
    }
  }
  guard error == 0 else { throw failure(systemMessage(error)) }
  return bytes
}

import LibC

/// Reads a whole regular file that is at most `limit` bytes long.
///
/// - Throws: `FileError` where the file is missing, cannot be read, is larger than the limit, or is
///   a directory, a pipe or a device, so that reading cannot hang.
public func readFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
  try requireWholePath(path)
  func failure(_ found: String) -> FileError {
    FileError(path: path, found: found, expected: "a regular file that can be read")
  }
  // Without O_NONBLOCK, opening a pipe that nobody writes to never returns.
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  guard descriptor >= 0 else { throw failure(systemMessage(errno)) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw failure(systemMessage(errno)) }
  guard status.st_mode & S_IFMT == S_IFREG else { throw failure("a directory, pipe or device") }
  let size = Int(status.st_size)
  guard size <= limit else {
    throw FileError(
      path: path, found: "\(size) bytes", expected: "at most \(limit)", exceedsLimit: true)
  }
  return try readBytes(descriptor, atMost: size, failure: failure)
}

/// Refuses a path with a zero byte: the system ends the path there, so it would name another file.
func requireWholePath(_ path: String) throws(FileError) {
  guard !path.utf8.contains(0) else {
    throw FileError(path: path, found: "a zero byte in the path", expected: "a path without one")
  }
}

/// Reads a file that reports no size, such as those under `/proc`, up to 1 MiB.
///
/// - Throws: `FileError` where it cannot be read.
public func readPseudoFile(_ path: String) throws(FileError) -> String {
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

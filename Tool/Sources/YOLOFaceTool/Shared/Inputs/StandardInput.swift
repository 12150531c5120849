import Files
import LibC

/// Waits until a pipe, a terminal or a file has bytes to read or ends, as long as they are wanted.
///
/// - Parameters:
///   - descriptor: that of the pipe, terminal or file.
///   - isWanted: called at least five times a second.
/// - Returns: whether it can be read; false where no more is wanted.
func waitToRead(_ descriptor: Int32, while isWanted: () -> Bool) -> Bool {
  while isWanted() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Not forever: the signal may arrive on another thread.
    if poll(&request, 1, 200) > 0 { return true }
  }
  return false
}

/// Waits for the next bytes of a pipe, a terminal or a file, as long as they are wanted.
///
/// - Parameters:
///   - descriptor: that of the pipe, terminal or file.
///   - path: its name, for the error.
///   - expected: what should have been readable, for the error.
///   - isWanted: called at least five times a second while waiting.
/// - Returns: up to 256 KiB; empty at the end, nil where no more is wanted.
/// - Throws: `FileError` where it cannot be read.
func readBlock(
  _ descriptor: Int32, path: String, expected: String, while isWanted: () -> Bool
) throws(FileError) -> [UInt8]? {
  while waitToRead(descriptor, while: isWanted) {
    var error: Int32 = 0
    let block = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
      let got = read(descriptor, buffer.baseAddress, buffer.count)
      if got < 0 { error = errno }
      count = max(0, got)
    }
    if error == EINTR || error == EAGAIN { continue }
    guard error == 0 else {
      throw FileError(path: path, found: systemMessage(error), expected: expected)
    }
    return block
  }
  return nil
}

/// Reads standard input to its end, at most `limit` bytes, as long as it is wanted.
///
/// - Throws: `FileError` where it cannot be read, is longer, or is no longer wanted.
func readStandardInput(
  limit: Int, while isWanted: () -> Bool
) throws(FileError) -> [UInt8] {
  let path = "standard input"
  var bytes: [UInt8] = []
  while let block = try readBlock(
    STDIN_FILENO, path: path, expected: "an input that can be read", while: isWanted)
  {
    if block.isEmpty { return bytes }
    bytes += block
    guard bytes.count <= limit else {
      throw FileError(
        path: path, found: "more than \(limit) bytes", expected: "at most \(limit)",
        exceedsLimit: true)
    }
  }
  throw FileError(path: path, found: "an interruption", expected: "the whole input")
}

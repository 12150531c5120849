// SPDX-License-Identifier: Apache-2.0
import Synchronization
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceFormatting
import YOLOFaceLibC

/// Waits until a pipe, a terminal or a file has bytes to read or ends; false once the process is interrupted.
func waitToRead(_ descriptor: Int32) -> Bool {
  while Interruption.isGoingOn {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Not forever: the signal may arrive on another thread.
    if poll(&request, 1, 200) > 0 { return true }
  }
  return false
}

/// The next bytes of a pipe, a terminal or a file, up to 256 KiB: empty at the end, nil after an interruption.
private func readBlock(
  _ descriptor: Int32, path: String, expected: String
) throws(FileError) -> [UInt8]? {
  while waitToRead(descriptor) {
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

/// Reads standard input to its end, at most `limit` bytes.
func readStandardInput(limit: Int) throws(FileError) -> [UInt8] {
  let path = "standard input"
  var bytes: [UInt8] = []
  while let block = try readBlock(STDIN_FILENO, path: path, expected: "an input that can be read") {
    if block.isEmpty {
      try requireContents(bytes, path: path)
      return bytes
    }
    bytes += block
    guard bytes.count <= limit else {
      throw FileError(
        path: path, found: "more than \(limit) bytes", expected: "at most \(limit)",
        exceedsLimit: true)
    }
  }
  throw FileError(path: path, found: "an interruption", expected: "the whole input")
}

/// Names in a file or a pipe, read as they arrive, in UTF-8 or UTF-16. Lines end as on any system.
final class NameList: Sendable {
  private struct State {
    /// In UTF-8.
    var bytes: ArraySlice<UInt8> = []
    var hasBegun = false
    var isAtEnd = false
    var conversion: TextConversion
  }

  private let path: String
  private let descriptor: Int32
  private let separator: UInt8
  private let state: Mutex<State>

  /// Longer than any path that a system allows.
  private static let longestName = 1 << 16

  /// Opens a list; `-` is standard input.
  init(path: String, separator: UInt8) throws(FileError) {
    self.path = path == "-" ? "standard input" : path
    self.separator = separator
    // A zero byte behind the first letter may end a name.
    state = Mutex(State(conversion: TextConversion(guesses: separator != 0)))
    // Without O_NONBLOCK, opening a pipe without a writer never returns.
    descriptor =
      path == "-"
      ? STDIN_FILENO : open(systemPath(path), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(systemMessage(errno)) }
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// The next non-empty name; nil at the end, after a failure, or once the process is interrupted.
  func next() -> Result<String, FileError>? {
    state.withLock { state in
      do throws(FileError) {
        // A device such as /dev/zero has no end.
        for _ in 0...Self.longestName {
          guard let name = try nextLine(&state) else { return nil }
          if !name.isEmpty { return Result<String, FileError>.success(name) }
        }
        throw failure("more than \(Self.longestName) empty names")
      } catch {
        state = State(isAtEnd: true, conversion: TextConversion())
        return .failure(error)
      }
    }
  }

  private func nextLine(_ state: inout State) throws(FileError) -> String? {
    while true {
      if let end = state.bytes.firstIndex(where: endsName) {
        defer { state.bytes = state.bytes[(end + 1)...] }
        return try name(state.bytes[..<end])
      }
      guard state.bytes.count <= Self.longestName else {
        throw failure("a name of more than \(Self.longestName) bytes")
      }
      guard !state.isAtEnd else {
        guard state.conversion.isWhole else { throw failure("half a character at its end") }
        defer { state.bytes = [] }
        return state.bytes.isEmpty ? nil : try name(state.bytes)
      }
      guard let more = try readBlock(descriptor, path: path, expected: "a list of names") else {
        return nil
      }
      if !state.hasBegun { try requireContents(more, path: path) }
      state.hasBegun = true
      state.isAtEnd = more.isEmpty
      state.bytes += state.conversion.utf8(more)
    }
  }

  /// Carriage returns end lines, too, so names that hold one need `--null`.
  private func endsName(_ byte: UInt8) -> Bool {
    byte == separator || byte == UInt8(ascii: "\r") && separator == UInt8(ascii: "\n")
  }

  private func name(_ bytes: ArraySlice<UInt8>) throws(FileError) -> String {
    guard !bytes.contains(0) else {
      throw FileError(
        path: path, found: "a zero byte in a name",
        expected: "a name on each line, in UTF-8 or UTF-16; --null says that zero bytes end them")
    }
    return pathText(bytes)
  }

  private func failure(_ found: String) -> FileError {
    FileError(path: path, found: found, expected: "a list of names")
  }
}

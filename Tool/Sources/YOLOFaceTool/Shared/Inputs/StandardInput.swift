import Files
import LibC
import Synchronization

/// Waits until a pipe, a terminal or a file has bytes to read or ends; false once it is no longer wanted, which
/// is asked at least five times a second.
func waitToRead(_ descriptor: Int32, while isWanted: () -> Bool) -> Bool {
  while isWanted() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Not forever: the signal may arrive on another thread.
    if poll(&request, 1, 200) > 0 { return true }
  }
  return false
}

/// The next bytes of a pipe, a terminal or a file, up to 256 KiB: empty at the end, nil once they are no longer
/// wanted.
///
/// - Throws: `FileError` with this path where it cannot be read.
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

/// Names in a file or a pipe, read as they arrive. Lines may begin with the byte order mark of UTF-8 or of
/// UTF-16, as programs on Windows write them.
final class NameList: Sendable {
  private struct State {
    /// In UTF-8.
    var bytes: ArraySlice<UInt8> = []
    var isAtEnd = false
    var hasBegun: Bool
    var conversion: UTF16Conversion?

    mutating func append(_ more: [UInt8]) {
      isAtEnd = more.isEmpty
      bytes += conversion?.utf8(more) ?? more
    }

    /// Skips a byte order mark; false as long as one may have arrived in part.
    mutating func begin() -> Bool {
      if hasBegun { return true }
      guard bytes.count >= 3 || isAtEnd || bytes.first.map({ $0 < 0xEF }) == true else {
        return false
      }
      hasBegun = true
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        bytes = bytes.dropFirst(3)
      } else if var conversion = UTF16Conversion(byteOrderMark: bytes.prefix(2)) {
        bytes = conversion.utf8(Array(bytes.dropFirst(2)))[...]
        self.conversion = conversion
      }
      return true
    }
  }

  private let path: String
  private let descriptor: Int32
  private let separator: UInt8
  private let state: Mutex<State>

  /// Longer than any path that a system allows.
  private static let longestName = 1 << 16

  /// Opens a list; `-` is standard input.
  ///
  /// - Throws: `FileError` if it cannot be opened.
  init(path: String, separator: UInt8) throws(FileError) {
    self.path = path == "-" ? "standard input" : path
    self.separator = separator
    // Programs that end names with a zero byte write no mark, which then is part of a name.
    state = Mutex(State(hasBegun: separator == 0))
    // Without O_NONBLOCK, opening a pipe without a writer never returns.
    descriptor =
      path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(systemMessage(errno)) }
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

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
        state.isAtEnd = true
        state.bytes = []
        state.conversion = nil
        return .failure(error)
      }
    }
  }

  private func nextLine(_ state: inout State) throws(FileError) -> String? {
    while true {
      if state.begin(), let end = state.bytes.firstIndex(of: separator) {
        defer { state.bytes = state.bytes[(end + 1)...] }
        return try name(state.bytes[..<end])
      }
      guard state.bytes.count <= Self.longestName else {
        throw failure("a name of more than \(Self.longestName) bytes")
      }
      guard !state.isAtEnd else {
        guard state.conversion?.isWhole != false else {
          throw failure("half a character at its end")
        }
        defer { state.bytes = [] }
        return state.bytes.isEmpty ? nil : try name(state.bytes)
      }
      guard
        let more = try readBlock(
          descriptor, path: path, expected: "a list of names",
          while: { Interruption.isGoingOn })
      else { return nil }
      state.append(more)
    }
  }

  /// Decodes a name. A line may have a Windows ending, so names that end with a carriage return
  /// need `--null`.
  private func name(_ bytes: ArraySlice<UInt8>) throws(FileError) -> String {
    var bytes = bytes
    if separator == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.contains(0) else {
      throw FileError(
        path: path, found: "a zero byte in a name",
        expected:
          "a name on each line, in UTF-8 or behind UTF-16's byte order mark; --null says that zero bytes "
          + "end them")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func failure(_ found: String) -> FileError {
    FileError(path: path, found: found, expected: "a list of names")
  }
}

/// Converts UTF-16 to UTF-8 as it arrives.
private struct UTF16Conversion {
  private let isBigEndian: Bool
  /// The first bytes of a character that has arrived in part.
  private var rest: [UInt8] = []

  var isWhole: Bool { rest.isEmpty }

  init?(byteOrderMark: ArraySlice<UInt8>) {
    isBigEndian = byteOrderMark.first == 0xFE
    guard byteOrderMark.elementsEqual(isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]) else { return nil }
  }

  mutating func utf8(_ bytes: [UInt8]) -> [UInt8] {
    rest += bytes
    var units = stride(from: 0, to: rest.count - 1, by: 2).map { offset in
      let pair = (UInt16(rest[offset]), UInt16(rest[offset + 1]))
      return isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    rest.removeFirst(2 * units.count)
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// Writes a file completely or not at all: the bytes go to a new file beside it, which then takes its name.
///
/// A symbolic link is followed, and an older file's permission bits are kept. What is not a regular file, such as a
/// directory or a device, is left alone, and so is what a path in `/dev` or `/proc` leads to, such as the file behind
/// standard output.
///
/// - Throws: `FileError`; the new file is then removed, and an older one unchanged.
package func writeFile(_ bytes: [UInt8], to path: String) throws(FileError) {
  try requireWholePath(path)
  func failure(_ found: String) -> FileError {
    FileError(path: path, found: found, expected: "a file that can be written")
  }
  guard let parent = whereItLeads(directory(of: path)) else { throw failure(systemMessage(errno)) }
  guard !["/dev/", "/proc/"].contains(where: { "\(parent)/".utf8.starts(with: $0.utf8) }) else {
    throw failure("a path of the system")
  }
  var older = stat()
  let replaces = lstat(systemPath(path), &older) == 0
  guard let target = replaces ? whereItLeads(path) : path,
    !replaces || stat(systemPath(target), &older) == 0
  else { throw failure("a symbolic link that leads nowhere") }
  guard !replaces || older.st_mode & S_IFMT == S_IFREG else {
    throw failure("a directory, pipe or device")
  }
  let name = String(UInt64.random(in: 0 ... .max), radix: 36)
  let temporary = "\(directory(of: target)).\(name).tmp"
  let descriptor = open(systemPath(temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else { throw failure(systemMessage(errno)) }
  var error = writeAll(bytes, to: descriptor)
  if error == 0, replaces, fchmod(descriptor, older.st_mode & 0o777) != 0 { error = errno }
  if close(descriptor) != 0, error == 0 { error = errno }
  if error == 0, rename(systemPath(temporary), systemPath(target)) != 0 { error = errno }
  guard error == 0 else {
    unlink(systemPath(temporary))
    throw failure(systemMessage(error))
  }
}

/// A path up to its last slash, by bytes: a combining mark behind it makes another character of it.
private func directory(of path: String) -> String {
  let bytes = path.utf8
  return bytes.lastIndex(of: UInt8(ascii: "/")).map {
    String(decoding: bytes[...$0], as: UTF8.self)
  } ?? "./"
}

/// The path without symbolic links; nil for a link that leads nowhere.
private func whereItLeads(_ path: String) -> String? {
  guard let real = realpath(systemPath(path), nil) else { return nil }
  defer { free(real) }
  return pathText(cString: real)
}

/// Writes all bytes to a descriptor; returns 0 or the error number.
@_spi(Tool) public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = uninterrupted { write(descriptor, piece.baseAddress, piece.count) }
      guard count >= 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

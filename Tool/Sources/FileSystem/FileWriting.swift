// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// Writes a file completely or not at all: the bytes go to a temporary file in the same directory, which is then
/// renamed. After an error, it is gone and an older file unchanged.
///
/// A symbolic link is followed. An older file's permission bits are kept; its other hard links keep the old bytes.
/// Anything at the path that is not a regular file, such as a directory or a device, is left alone, and a path that
/// leads through `/dev` or `/proc`, even by a link, is refused: see `followingLinks`.
///
/// - Parameter mayReplace: whether the file may replace one that another process wrote in the meantime.
package func writeFile(
  _ bytes: [UInt8], to path: String, mayReplace: Bool = true
) throws(FileError) {
  try writeFiles([(bytes, path)], mayReplace: mayReplace)
}

/// Writes files that belong together, each as `writeFile` does: none takes its name before all are complete.
package func writeFiles(
  _ contents: [(bytes: [UInt8], path: String)], mayReplace: Bool = true
) throws(FileError) {
  let files = try contents.map { content throws(FileError) in
    let file = try NewFile(content.path)
    try file.append(content.bytes)
    return file
  }
  for file in files { try file.finish(mayReplace: mayReplace) }
}

/// A number that tells bytes from others, unless somebody has made those for it: FNV-1a.
package func checksum(_ bytes: [UInt8], after earlier: UInt64 = 0) -> UInt64 {
  bytes.reduce(earlier ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

/// A path at which a regular file may be written, with links followed.
struct WritableTarget: Sendable {
  /// The path as the caller gave it.
  let name: String
  let path: String
  private let older: (mode: mode_t, owner: uid_t, group: gid_t)?

  init(_ name: String) throws(FileError) {
    func failure(_ found: String) -> FileError { Self.failure(name, found) }
    self.name = name
    path = try followingLinks(name, expected: failure("").expected)
    guard name.utf8.last != UInt8(ascii: "/") else { throw failure("a directory's path") }
    var status = stat()
    guard lstat(systemPath(path), &status) == 0 else {
      guard errno == ENOENT else { throw FileError(path: name, writing: errno) }
      older = nil
      return
    }
    older = (status.st_mode & 0o777, status.st_uid, status.st_gid)
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("a directory, pipe or device") }
  }

  /// Moves a finished file to the path, with the older file's permissions and, where this user may give files away,
  /// its owner; returns 0 or the error number.
  func replace(by temporary: TemporaryFile) -> Int32 {
    replace(by: temporary.path, temporary.descriptor, newMode: temporary.mode)
  }

  /// Moves a finished file to the path, where there must be none; returns 0 or the error number.
  func create(by temporary: TemporaryFile) -> Int32 {
    guard fchmod(temporary.descriptor, temporary.mode) == 0 else { return errno }
    if link(systemPath(temporary.path), systemPath(path)) == 0 {
      removeFile(temporary.path)
      return 0
    }
    // Some file systems have no links.
    return errno == EEXIST ? EEXIST : replace(by: temporary)
  }

  /// - Parameter newMode: the permissions where there is no older file; nil leaves them.
  func replace(by temporary: String, _ descriptor: Int32, newMode: mode_t? = nil) -> Int32 {
    if let older { _ = fchown(descriptor, older.owner, older.group) }
    if let mode = older?.mode ?? newMode, fchmod(descriptor, mode) != 0 { return errno }
    return rename(systemPath(temporary), systemPath(path)) == 0 ? 0 : errno
  }

  func failure(_ found: String) -> FileError { Self.failure(name, found) }

  func failure(_ error: Int32) -> FileError { FileError(path: name, writing: error) }

  private static func failure(_ name: String, _ found: String) -> FileError {
    FileError(path: name, found: found, expected: "a file that can be written")
  }
}

// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// Makes sure that files can be created in a directory. A missing directory is created with its
/// parents, but nothing where the path leads through `/dev` or `/proc`.
package func prepareDirectory(_ path: String) throws(FileError) {
  func failure(_ found: String) -> FileError { directoryFailure(path, found) }
  _ = try followingLinks(path, expected: failure("").expected)
  var end = path.startIndex
  while end < path.endIndex {
    end = path.utf8[end...].dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
    let prefix = String(path[..<end])
    if access(systemPath(prefix), F_OK) != 0, mkdir(systemPath(prefix), 0o777) != 0, errno != EEXIST
    {
      throw directoryFailure(path, errno)
    }
  }
  var status = stat()
  guard stat(systemPath(path), &status) == 0 else { throw directoryFailure(path, errno) }
  guard status.st_mode & S_IFMT == S_IFDIR else { throw failure("a file") }
  guard access(systemPath(path), W_OK | X_OK) == 0 else { throw directoryFailure(path, errno) }
}

private let writableDirectory = "a directory that can be written to"

func directoryFailure(_ path: String, _ found: String) -> FileError {
  FileError(path: path, found: found, expected: writableDirectory)
}

private func directoryFailure(_ path: String, _ error: Int32) -> FileError {
  FileError(path: path, writing: error, expected: writableDirectory)
}

package func prepareDirectory(ofFile path: String) throws(FileError) {
  guard let end = lastSlash(in: path), end > path.startIndex else { return }
  try prepareDirectory(String(path[..<end]))
}

/// Removes a file, if there is one.
package func removeFile(_ path: String) { _ = unlink(systemPath(path)) }

package func isDirectory(_ path: String) -> Bool {
  status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
}

/// Whether anything exists at a path, even a link that leads nowhere.
package func fileExists(_ path: String) -> Bool {
  status(of: path, followingLinks: false) != nil
}

package func isLink(_ path: String) -> Bool {
  status(of: path, followingLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
}

/// Whether a path leads to a regular file that is not empty.
package func isFileWithBytes(_ path: String) -> Bool {
  status(of: path).map { $0.st_mode & S_IFMT == S_IFREG && $0.st_size > 0 } ?? false
}

private func status(of path: String, followingLinks: Bool = true) -> stat? {
  var status = stat()
  guard !path.utf8.contains(0),
    (followingLinks ? stat(systemPath(path), &status) : lstat(systemPath(path), &status)) == 0
  else { return nil }
  return status
}

package struct DirectoryEntry: Hashable, Sendable {
  package let name: String
  /// Whether it is a directory itself, not a link to one.
  package let isDirectory: Bool
  package var isHidden: Bool { name.utf8.first == UInt8(ascii: ".") }
}

/// A directory's entries, sorted by the bytes of their names, so that two names that Unicode takes for one have
/// an order too.
package func directoryEntries(in directory: String) throws(FileError) -> [DirectoryEntry] {
  func failure(_ error: Int32) -> FileError {
    FileError(
      path: directory, found: systemMessage(error), expected: "a directory that can be read")
  }
  try requireWholePath(directory)
  guard let stream = opendir(systemPath(directory)) else { throw failure(errno) }
  defer { closedir(stream) }
  var entries: [DirectoryEntry] = []
  errno = 0
  while let entry = readdir(stream) {
    let next = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 1) { name in
        let type = Int32(entry.pointee.d_type)
        var status = stat()
        // Not every file system says what an entry is.
        let isDirectory =
          type == Int32(DT_UNKNOWN)
          ? fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFDIR
          : type == Int32(DT_DIR)
        return DirectoryEntry(name: pathText(cString: name), isDirectory: isDirectory)
      }
    }
    if ![".", ".."].contains(next.name) { entries.append(next) }
    errno = 0
  }
  guard errno == 0 else { throw failure(errno) }
  return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
}

/// Identifies a file or directory, whatever the path to it.
package struct FileIdentity: Hashable, Sendable {
  private let device, number: UInt64

  /// The identity of what a path leads to; nil where it leads nowhere.
  package init?(_ path: String) {
    guard let status = status(of: path) else { return nil }
    self.init(status)
  }

  /// The identity of the regular file that a descriptor leads to, such as one that a shell opened with `<`.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }
}

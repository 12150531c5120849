// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// A place where a file or a directory can be written, determined without writing. Two are equal where both paths lead
/// to the same place, whether or not anything exists there yet.
package struct WritablePlace: Hashable, Sendable {
  private let directory: FileIdentity
  /// The rest of the path, below it: as bytes, since a hostile name is a `String` that takes long to compare.
  private let names: [[UInt8]]

  /// A file's place. Its path's links are followed.
  ///
  /// - Parameters:
  ///   - others: places of directories that will be created before the file is written.
  ///   - makingDirectories: whether the directories above the file will be created, too.
  package init(
    ofFile path: String, besides others: [WritablePlace] = [], makingDirectories: Bool = false
  ) throws(FileError) {
    let target = try WritableTarget(path)
    let names = pathNames(target.path)
    try self.init(target.path, names, above: names.count - 1, target.failure)
    let above = self.names.dropLast()
    guard
      above.isEmpty || makingDirectories
        || others.contains(where: { $0.directory == directory && $0.names.starts(with: above) })
    else { throw target.failure(systemMessage(ENOENT)) }
  }

  /// A directory's place, where a file can be written.
  package init(ofDirectory path: String) throws(FileError) {
    func failure(_ found: String) -> FileError { directoryFailure(path, found) }
    let followed = try followingLinks(path, expected: failure("").expected)
    let names = pathNames(followed)
    try self.init(followed, names, above: names.count, failure)
  }

  package var directoriesAbove: [WritablePlace] {
    names.indices.dropFirst().map {
      WritablePlace(directory: directory, names: Array(names[..<$0]))
    }
  }

  private init(directory: FileIdentity, names: [[UInt8]]) {
    (self.directory, self.names) = (directory, names)
  }

  /// - Parameter last: how many of the names, of a path without links, may belong to the nearest existing directory.
  private init(
    _ path: String, _ names: [String], above last: Int, _ failure: (String) -> FileError
  ) throws(FileError) {
    let start = isAbsolute(path) ? "/" : "./"
    for count in stride(from: last, through: 0, by: -1) {
      let parent = start + names[..<count].joined(separator: "/")
      guard fileExists(parent) else { continue }
      guard isDirectory(parent) else {
        throw failure(count == names.count ? "a file" : systemMessage(ENOTDIR))
      }
      guard access(systemPath(parent), W_OK | X_OK) == 0, let identity = FileIdentity(parent) else {
        throw failure(systemMessage(errno))
      }
      directory = identity
      self.names = names[count...].map { Array($0.utf8) }
      return
    }
    throw failure(systemMessage(ENOENT))
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// The files below a directory in order of name, with the files of each subdirectory at the position of its name. Names
/// that begin with a dot are skipped, and links to directories are not followed; both can be noted. A directory that
/// cannot be read is an entry, too. An interruption of the process ends the walk.
struct Walk: Sequence, IteratorProtocol, Sendable {
  struct Entry: Sendable {
    var path: String
    /// The path below the directory where the walk begins.
    var name: String
    /// Whether it is a directory, which then cannot be read.
    var isDirectory = false
    var failure: FileError?
  }

  private struct Directory {
    var path: String
    /// The path below the first directory, with a slash at the end; empty for the first.
    var prefix: String
    var entries: ArraySlice<DirectoryEntry>
  }

  private let leftOut: [String]
  private let excluded: [PathPattern]
  private let enters: @Sendable (String) -> Bool
  private let takes: @Sendable (String) -> Bool
  private let others: OtherFiles?
  private var directories: [Directory] = []
  /// The next entry, if it has been looked up.
  private var ahead: Entry?

  /// The files below a directory, or without a path below the current one, that `takes` accepts by their paths;
  /// by default, those that are read, where it is noted what else may show faces, or all.
  /// Directories that are left out, whether or not they exist yet, or that `enters` refuses are not entered. What is
  /// excluded is passed by, and not noted.
  init(
    _ path: String, leavingOut leftOut: [String] = [], excluding excluded: [PathPattern] = [],
    enters: @escaping @Sendable (String) -> Bool = { _ in true },
    takes: (@Sendable (String) -> Bool)? = nil, noting others: OtherFiles? = nil
  ) {
    (self.leftOut, self.excluded) = (leftOut, excluded)
    (self.enters, self.others) = (enters, others)
    self.takes = takes ?? { others?.isRead($0) ?? true }
    ahead = open(path, prefix: "")
  }

  mutating func next() -> Entry? {
    defer { ahead = nil }
    return peek()
  }

  mutating func peek() -> Entry? {
    ahead = ahead ?? find()
    return ahead
  }

  private mutating func find() -> Entry? {
    while Interruption.isGoingOn {
      guard let directory = directories.last else { return nil }
      guard let next = directories[directories.count - 1].entries.popFirst() else {
        directories.removeLast()
        continue
      }
      let path = directory.path.isEmpty ? next.name : path(of: next.name, in: directory.path)
      var entry = Entry(path: path, name: directory.prefix + next.name)
      if next.isHidden && others == nil || excluded.contains(where: { $0.matches(path) }) {
        continue
      }
      guard isDirectory(path) else {
        if let failure = unreachable(path) {
          entry.failure = failure
          entry.isDirectory = next.isDirectory && enters(path)
        }
        if entry.isDirectory || takes(path) { return entry }
        continue
      }
      guard enters(path), !isLeftOut(path) else { continue }
      if next.isHidden || !next.isDirectory {
        others?.note(path, as: next.isHidden ? .hiddenDirectory : .link)
      } else if let unreadable = open(path, prefix: entry.name + "/") {
        return unreadable
      }
    }
    return nil
  }

  private func isLeftOut(_ directory: String) -> Bool {
    let identity = FileIdentity(directory)
    return leftOut.contains { FileIdentity($0) == identity }
  }

  /// Why nothing is found at a path; nil where something is, even a link that leads nowhere.
  private func unreachable(_ path: String) -> FileError? {
    var status = stat()
    guard lstat(systemPath(path), &status) != 0 else { return nil }
    return FileError(
      path: path, found: systemMessage(errno), expected: "a path that can be reached")
  }

  /// Begins with a directory's entries; returns the directory itself if it cannot be read.
  private mutating func open(_ path: String, prefix: String) -> Entry? {
    do {
      let entries = try directoryEntries(in: path.isEmpty ? "." : path)
      directories.append(Directory(path: path, prefix: prefix, entries: entries[...]))
      return nil
    } catch {
      return Entry(path: path, name: prefix, isDirectory: true, failure: error)
    }
  }
}

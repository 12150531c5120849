import Files
import LibC

/// The files below a directory in order of name, with the files of each subdirectory at the
/// position of its name. Names that begin with a dot are skipped, and links to directories are not
/// followed. A directory that cannot be read is an entry, too.
struct Walk: Sequence, IteratorProtocol, Sendable {
  struct Entry: Sendable {
    var path: String
    /// The path below the directory where the walk begins.
    var name: String
    /// Whether it is a directory, which then cannot be read.
    var isDirectory = false
    /// Why it cannot be read.
    var failure: FileError?
  }

  private struct Directory {
    var path: String
    /// The path below the first directory, with a slash at the end; empty for the first.
    var prefix: String
    var entries: ArraySlice<DirectoryEntry>
  }

  private let leftOut: [String]
  private let enters: @Sendable (String) -> Bool
  private let takes: @Sendable (String) -> Bool
  private var directories: [Directory] = []
  /// The next entry, if it has been looked up.
  private var ahead: Entry?

  /// - Parameters:
  ///   - path: the directory; empty for the current directory.
  ///   - leftOut: paths of directories that are not entered, whether or not they exist yet.
  ///   - enters: whether to enter a subdirectory, given its path.
  ///   - takes: whether a file is an entry, given its path.
  init(
    _ path: String, leavingOut leftOut: [String] = [],
    enters: @escaping @Sendable (String) -> Bool = { _ in true },
    takes: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.leftOut = leftOut
    self.enters = enters
    self.takes = takes
    ahead = open(path, prefix: "")
  }

  /// The next entry; nil after the last, or once the process is interrupted.
  mutating func next() -> Entry? {
    defer { ahead = nil }
    return peek()
  }

  /// The entry that `next` will return.
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
      guard isDirectory(path) else {
        if !fileExists(path) {
          entry.failure = unreachable(path, errno)
          entry.isDirectory = next.isDirectory && enters(path)
        }
        if entry.isDirectory || takes(path) { return entry }
        continue
      }
      if enters(path), !isSymbolicLink(path), !isLeftOut(path) {
        if let unreadable = open(path, prefix: entry.name + "/") { return unreadable }
      }
    }
    return nil
  }

  private func isLeftOut(_ directory: String) -> Bool {
    let identity = FileIdentity(directory)
    return leftOut.contains { FileIdentity($0) == identity }
  }

  private func unreachable(_ path: String, _ error: Int32) -> FileError {
    error == ENOENT
      ? FileError(
        path: path, found: "a name that leads nowhere", expected: "a name that is UTF-8")
      : FileError(path: path, found: systemMessage(error), expected: "a path that can be reached")
  }

  /// Begins with a directory's entries; returns the directory itself if it cannot be read.
  private mutating func open(_ path: String, prefix: String) -> Entry? {
    do {
      let entries = try visibleEntries(in: path.isEmpty ? "." : path)
      directories.append(Directory(path: path, prefix: prefix, entries: entries[...]))
      return nil
    } catch {
      return Entry(path: path, name: prefix, isDirectory: true, failure: error)
    }
  }
}

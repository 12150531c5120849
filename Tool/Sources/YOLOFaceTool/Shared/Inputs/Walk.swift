import Files
import LibC

/// The files below a directory in order of name, with the files of each subdirectory at the
/// position of its name. Names that begin with a dot are skipped, and links to directories are not
/// followed.
struct Walk: Sequence, IteratorProtocol, Sendable {
  struct Entry: Sendable {
    var path: String
    /// The path below the directory where the walk begins.
    var name: String
    /// Whether it is a directory; directories are entries only if they cannot be read.
    var isDirectory = false
    /// Why it cannot be read.
    var failure: FileError?

    /// Whether it has the name of a picture.
    var isPicture: Bool { isPictureName(name) }
  }

  private struct Directory {
    var path: String
    /// The path below the first directory, with a slash at the end; empty for the first.
    var prefix: String
    var entries: ArraySlice<DirectoryEntry>
  }

  /// Directories that are not entered.
  var leftOut: Set<FileIdentity> = []
  private let enters: @Sendable (String) -> Bool
  private var directories: [Directory] = []
  private var failure: Entry?

  /// - Parameters:
  ///   - path: the directory; empty for the current directory.
  ///   - enters: whether to enter a subdirectory, given its path.
  init(_ path: String, enters: @escaping @Sendable (String) -> Bool = { _ in true }) {
    self.enters = enters
    open(path, prefix: "")
  }

  /// The next entry; nil after the last, or once the process is interrupted.
  mutating func next() -> Entry? {
    while Interruption.isGoingOn {
      if let failure {
        self.failure = nil
        return failure
      }
      guard let directory = directories.last else { return nil }
      guard let next = directories[directories.count - 1].entries.popFirst() else {
        directories.removeLast()
        continue
      }
      let path = directory.path.isEmpty ? next.name : path(of: next.name, in: directory.path)
      var entry = Entry(path: path, name: directory.prefix + next.name)
      guard isDirectory(path) else {
        guard !fileExists(path) else { return entry }
        entry.failure = unreachable(path, errno)
        entry.isDirectory = next.isDirectory && enters(path)
        return entry
      }
      if enters(path), !isSymbolicLink(path),
        leftOut.isEmpty || FileIdentity(path).map({ !leftOut.contains($0) }) == true
      {
        open(path, prefix: entry.name + "/")
      }
    }
    return nil
  }

  private func unreachable(_ path: String, _ error: Int32) -> FileError {
    error == ENOENT
      ? FileError(
        path: path, found: "a name that leads nowhere", expected: "a name that is UTF-8")
      : FileError(path: path, found: systemMessage(error), expected: "a path that can be reached")
  }

  private mutating func open(_ path: String, prefix: String) {
    do {
      let entries = try visibleEntries(in: path.isEmpty ? "." : path)
      directories.append(Directory(path: path, prefix: prefix, entries: entries[...]))
    } catch {
      failure = Entry(path: path, name: prefix, isDirectory: true, failure: error)
    }
  }
}

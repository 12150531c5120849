#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A new file beside the one whose name it takes in the end.
///
/// Its name is made of that name, so that what a process leaves that is killed is cleared when the same
/// file is written again. Its lock tells that a process is still at work on it, on another machine
/// too: then, and where that name is someone else's, another one is made up.
struct TemporaryFile {
  let path: String
  /// Open for writing; closing it is the owner's task.
  let descriptor: Int32

  /// - Throws: `FileError` where the directory takes no file.
  init(besides target: WritableTarget) throws(FileError) {
    let start = lastSlash(in: target.path).map { target.path.utf8.index(after: $0) }
    let directory = start.map { target.path[..<$0] } ?? ""
    let name = target.path[(start ?? target.path.startIndex)...]
    let own = "\(directory).\(name).yoloface.tmp"
    if let descriptor = Self.create(own) ?? (Self.clear(own) ? Self.create(own) : nil) {
      self.init(path: own, descriptor: descriptor)
      return
    }
    let other = "\(directory).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    guard let descriptor = Self.create(other) else { throw target.failure(systemMessage(errno)) }
    self.init(path: other, descriptor: descriptor)
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Makes and locks a file; nil, and `errno`, where there is one.
  private static func create(_ path: String) -> Int32? {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return nil }
    // Where there are no locks, others cannot have one either, and clear nothing.
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, !isNamed(path, descriptor) {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Removes a file that a process of this user left when it ended; says whether it did.
  private static func clear(_ path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_nlink == 1 && status.st_uid == geteuid()
      && flock(descriptor, LOCK_EX | LOCK_NB) == 0 && isNamed(path, descriptor)
      && unlink(path) == 0
  }

  /// Whether a path still leads to an open file, which another process may have cleared or renamed.
  private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
    FileIdentity(descriptor: descriptor) == FileIdentity(path)
  }
}

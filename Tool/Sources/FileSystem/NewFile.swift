// SPDX-License-Identifier: Apache-2.0
import Synchronization
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// A file that another program writes, through a descriptor, and that takes its name when it is complete, by the rules
/// of `writeFile`. Unless it is finished, it is removed with the last reference to it.
package final class NewFile: Sendable {
  /// The path as the caller gave it.
  package var path: String { target.name }
  package var descriptor: Int32 { temporary.descriptor }
  private let target: WritableTarget
  private let temporary: TemporaryFile
  private let isOver = Atomic(false)

  package init(_ path: String) throws(FileError) {
    target = try WritableTarget(path)
    temporary = try TemporaryFile(besides: target)
  }

  /// Gives the file its name; after an error, it is removed, and an older file unchanged. No call may follow.
  package func finish(mayReplace: Bool = true) throws(FileError) {
    isOver.store(true, ordering: .relaxed)
    var error = mayReplace ? target.replace(by: temporary) : target.create(by: temporary)
    if error != 0 { removeFile(temporary.path) }
    if close(temporary.descriptor) != 0 && error == 0 { error = errno }
    guard error == 0 else { throw target.failure(error) }
  }

  deinit { discard() }

  /// Removes the file. No call may follow.
  package func discard() {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    removeFile(temporary.path)
    _ = close(temporary.descriptor)
  }

  /// Adds bytes at the end.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    lseek(temporary.descriptor, 0, SEEK_END)
    let error = writeAll(bytes, to: temporary.descriptor)
    guard error == 0 else { throw target.failure(error) }
  }
}

/// A new file in the directory of the one whose name it finally takes.
///
/// Its name is derived from that name, so that the next write of the same file removes what a killed process left
/// behind. Nobody may read it, which distinguishes it from a user's file; its lock shows that a process is still
/// writing it, even on another machine. If a file of either kind has the name, a random one is used.
struct TemporaryFile {
  let path: String
  /// Open for writing; the owner closes it.
  let descriptor: Int32
  /// The permission bits of a new file, for when it is complete.
  let mode: mode_t

  private static let unreadable: mode_t = 0o200

  init(besides target: WritableTarget) throws(FileError) {
    let start = lastSlash(in: target.path).map { target.path.utf8.index(after: $0) }
    let directory = start.map { target.path[..<$0] } ?? ""
    let name = target.path[(start ?? target.path.startIndex)...]
    let own = "\(directory).\(name).yoloface.tmp"
    if let file = Self(creating: own) ?? (Self.clear(own) ? Self(creating: own) : nil) {
      self = file
      return
    }
    let other = "\(directory).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    guard let file = Self(creating: other) else { throw target.failure(errno) }
    self = file
  }

  /// Creates and locks a file; nil, with `errno` set, where that fails or one exists.
  private init?(creating path: String) {
    let descriptor = open(systemPath(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return nil }
    // Others clear only unreadable files, so it is locked, if it can be, before it becomes one.
    var status = stat()
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    guard fstat(descriptor, &status) == 0, fchmod(descriptor, Self.unreadable) == 0 else {
      let error = errno
      removeFile(path)
      close(descriptor)
      errno = error
      return nil
    }
    self.path = path
    self.descriptor = descriptor
    mode = status.st_mode & 0o777
  }

  /// Removes a file that an ended process of this user left; returns whether it did.
  private static func clear(_ path: String) -> Bool {
    let descriptor = open(systemPath(path), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_nlink == 1 && status.st_uid == geteuid()
      && status.st_mode & 0o777 == unreadable
      && flock(descriptor, LOCK_EX | LOCK_NB) == 0
      // Another process may have cleared or renamed it since.
      && FileIdentity(descriptor: descriptor) == FileIdentity(path)
      && unlink(systemPath(path)) == 0
  }
}

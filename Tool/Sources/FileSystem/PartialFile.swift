// SPDX-License-Identifier: Apache-2.0
import Synchronization
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// What becomes of what an earlier run has written to the same place.
package enum EarlierOutput: Sendable {
  /// It is an error.
  case refused
  case resumed, replaced

  /// What two options ask for, of which at most one is given.
  package init(isResuming: Bool, isRestarting: Bool) {
    self = isResuming ? .resumed : isRestarting ? .replaced : .refused
  }
}

/// A file that is written piece by piece as `PATH.partial` and takes its final name when complete.
///
/// The pieces stay if the process ends early, so that a later one can resume the file. Only one process at a time may
/// write it. The file is closed with the last reference to it.
package final class PartialFile: Sendable {
  package let partialPath: String
  /// The path that was opened: the partial file's, or the complete one's.
  package let openedPath: String
  /// The file's final path, as the caller gave it.
  package var path: String { target.name }
  package let wasWhole: Bool
  private let target: WritableTarget
  private let descriptor: Int32
  private let isClosed = Atomic(false)

  package static func partialPath(of path: String) throws(FileError) -> String {
    try WritableTarget(path).path + ".partial"
  }

  /// Begins a file, or takes up an earlier run's, partial or complete, in which nothing changes before `keep(_:)`; of
  /// one that is replaced, nothing is kept.
  package init(_ path: String, earlier: EarlierOutput = .refused) throws(FileError) {
    target = try WritableTarget(path)
    partialPath = target.path + ".partial"
    wasWhole = earlier == .resumed && !fileExists(partialPath) && fileExists(target.path)
    openedPath = wasWhole ? target.path : partialPath
    let opened = openedPath
    func failure(_ found: String, expected: String) -> FileError {
      FileError(path: opened, found: found, expected: expected)
    }
    descriptor = open(
      systemPath(opened),
      O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        | (earlier == .refused ? O_EXCL : 0),
      0o666)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw failure(
          "the output of an earlier run, or of one still running",
          expected: "none: wait, resume that run, or remove the file")
      }
      throw FileError(path: opened, writing: errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("a pipe or device", expected: "a regular file")
    }
    guard status.st_nlink == 1 else {
      throw failure("a file that has other names, too", expected: "one of this name alone; copy it")
    }
    // Another process may have given the file its name between the two calls.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      FileIdentity(descriptor: descriptor) == FileIdentity(opened)
    else {
      throw failure(
        "a file that another process is writing", expected: "one that no other process is writing")
    }
    if earlier == .replaced { try keep(0) }
  }

  /// Reads what an earlier run wrote, a block at a time.
  package func read(_ take: (ArraySlice<UInt8>) throws -> Void) throws {
    var offset = 0
    while true {
      let block = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        let got = uninterrupted {
          pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        }
        guard got >= 0 else { throw target.failure(systemMessage(errno)) }
        count = got
      }
      if block.isEmpty { return }
      offset += block.count
      try take(block[...])
    }
  }

  /// Keeps the first `count` bytes and drops the rest; a complete file becomes partial again.
  package func keep(_ count: Int) throws(FileError) {
    guard !wasWhole || rename(systemPath(target.path), systemPath(partialPath)) == 0,
      ftruncate(descriptor, off_t(count)) == 0
    else { throw target.failure(errno) }
  }

  /// Adds a piece; after an error, part of it may be written.
  package func append(_ text: String) throws(FileError) {
    let error = writeAll(Array(text.utf8), to: descriptor)
    guard error == 0 else { throw target.failure(error) }
  }

  /// Removes what was written. No call may follow.
  package func discard() {
    removeFile(partialPath)
    _ = closeOnce()
  }

  /// Gives the file its final name, replacing an older file; after an error, the partial file stays. No call may
  /// follow.
  package func finish() throws(FileError) {
    var error = target.replace(by: partialPath, descriptor)
    let closing = closeOnce()
    if error == 0 { error = closing }
    guard error == 0 else { throw target.failure(error) }
  }

  deinit { _ = closeOnce() }

  /// Closes the descriptor unless that is done; returns 0 or the error number.
  private func closeOnce() -> Int32 {
    guard descriptor >= 0, !isClosed.exchange(true, ordering: .relaxed) else { return 0 }
    return close(descriptor) == 0 ? 0 : errno
  }
}

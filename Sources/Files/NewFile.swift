import LibC
import Synchronization

/// A file that another program writes, through a descriptor, and that takes its name when it is complete.
///
/// Until then it is a temporary file in the same directory, which `writeFile`'s rules hold for, too. It is
/// removed with the last reference to it, unless it is finished.
public final class NewFile: Sendable {
  /// The path as the caller gave it.
  public var path: String { target.name }
  /// Open for writing.
  public var descriptor: Int32 { temporary.descriptor }
  private let target: WritableTarget
  private let temporary: TemporaryFile
  private let isOver = Atomic(false)

  /// - Throws: `FileError` where the file cannot be written.
  public init(_ path: String) throws(FileError) {
    target = try WritableTarget(path)
    temporary = try TemporaryFile(besides: target)
  }

  /// Gives the file its name. No call may follow.
  ///
  /// - Parameter mayReplace: whether it may replace an older file.
  /// - Throws: `FileError`; the temporary file is then removed and an older file unchanged.
  public func finish(mayReplace: Bool = true) throws(FileError) {
    isOver.store(true, ordering: .relaxed)
    var error = mayReplace ? target.replace(by: temporary) : target.create(by: temporary)
    if error != 0 { unlink(temporary.path) }
    if close(temporary.descriptor) != 0 && error == 0 { error = errno }
    guard error == 0 else { throw target.failure(systemMessage(error)) }
  }

  deinit { discard() }

  /// Removes the file. No call may follow.
  public func discard() {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    unlink(temporary.path)
    _ = close(temporary.descriptor)
  }

  /// Adds bytes at the end.
  ///
  /// - Throws: `FileError`, for example where the disk is full.
  func append(_ bytes: [UInt8]) throws(FileError) {
    let error = writeAll(bytes, to: temporary.descriptor)
    guard error == 0 else { throw target.failure(systemMessage(error)) }
  }
}

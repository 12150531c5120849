// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Bounds how many pictures a detector decodes and searches at a time, whatever the number of threads or tasks.
final class PictureTurns: Sendable {
  /// One in the network, and one that is decoded meanwhile.
  static let most = 2
  private let free = DispatchSemaphore(value: most)
  /// Where tasks wait: on one thread together, since a thread for each would leave none to others.
  private let queue = DispatchQueue(label: "pictures that wait for their turn")

  func take<Output, Failure>(_ work: () throws(Failure) -> Output) throws(Failure) -> Output {
    free.wait()
    defer { free.signal() }
    return try work()
  }

  /// Does work on a thread that is none of the tasks' when its turn has come.
  func takeElsewhere<Output: Sendable>(
    _ work: @escaping @Sendable () throws -> Output
  ) async throws -> Output {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        free.wait()
        DispatchQueue.global().async { [self] in
          let result = Result(catching: work)
          free.signal()
          continuation.resume(with: result)
        }
      }
    }
  }
}

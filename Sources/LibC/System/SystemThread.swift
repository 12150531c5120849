// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A system thread, to be joined or detached once.
public struct SystemThread: @unchecked Sendable {
  private let handle: pthread_t

  /// Starts a thread that runs a function; nil where the system refuses one.
  public init?(_ function: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(ThreadBody(function))
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(
        &thread, nil,
        { pointer in
          Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().function()
          return nil
        }, body.toOpaque())
      guard status == 0, let thread else {
        body.release()
        return nil
      }
    #else
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { pointer in
          if let pointer {
            Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().function()
          }
          return nil
        }, body.toOpaque())
      guard status == 0 else {
        body.release()
        return nil
      }
    #endif
    handle = thread
  }

  /// Waits until it ends.
  public func join() { pthread_join(handle, nil) }

  /// Leaves it to itself: what it takes is freed when it ends.
  public func detach() { pthread_detach(handle) }
}

/// A function that is handed to a new thread.
private final class ThreadBody: Sendable {
  let function: @Sendable () -> Void

  init(_ function: @escaping @Sendable () -> Void) { self.function = function }
}

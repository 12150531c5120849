// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that one thread uses at a time.
///
/// Unlike Swift's `Mutex`, it says whether the calling thread holds it. And it works in a child of `fork()`: on Linux,
/// `Mutex` takes the thread there for the parent's, and stops the process where two threads meet.
public struct SystemMutex<Value>: ~Copyable, @unchecked Sendable {
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  /// The thread that holds it; 0 where none does.
  @usableFromInline let holder = Atomic<UInt>(0)

  /// A mutex that nobody holds.
  public init(_ value: sending Value) {
    pthread_mutex_init(mutex, nil)
    self.value.initialize(to: value)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Whether the calling thread holds it.
  @inlinable public var isHeldByThisThread: Bool {
    holder.load(ordering: .relaxed) == currentThread()
  }

  /// Waits until no other thread holds it, and calls a function with the value.
  ///
  /// - Precondition: the calling thread does not hold it.
  @inlinable public func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(!isHeldByThisThread, "the thread waits for itself")
    pthread_mutex_lock(mutex)
    holder.store(currentThread(), ordering: .relaxed)
    defer {
      holder.store(0, ordering: .relaxed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value.pointee)
  }
}

/// A number of the calling thread's: a `pthread_t` is a number or a pointer.
@usableFromInline func currentThread() -> UInt {
  withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
}

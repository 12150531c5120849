// SPDX-License-Identifier: Apache-2.0

/// A value of the one thread that there is; see `Sources/LibC/System/SystemMutex.swift`.
public struct SystemMutex<Value>: ~Copyable, @unchecked Sendable {
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  private let isHeld = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

  /// A mutex that nobody holds.
  public init(_ value: sending Value) {
    self.value.initialize(to: value)
    isHeld.initialize(to: false)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    isHeld.deallocate()
  }

  /// Whether a function is called with the value.
  public var isHeldByThisThread: Bool { isHeld.pointee }

  /// Calls a function with the value.
  ///
  /// - Precondition: this is not called within such a function.
  public func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(!isHeld.pointee, "the thread waits for itself")
    isHeld.pointee = true
    defer { isHeld.pointee = false }
    return try body(&value.pointee)
  }
}

// SPDX-License-Identifier: Apache-2.0
import NIOCore
import ServiceLifecycle
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time between the signal to shut down and the server's end, in which every pending request is
/// answered.
///
/// No new connections are accepted, and each answer is the last on its connection. Clients that
/// have just connected, or keep a connection open for another request, have `grace` to send one.
/// Then the server shuts down, which closes idle connections, and ends when the others are done.
final class Drain: Service {
  /// The time in which clients may send another request.
  static let grace = Duration.seconds(1)

  /// Whether the server is shutting down.
  var isDraining: Bool { draining.load(ordering: .relaxed) }

  /// The channel that accepts connections, once there is one.
  var listener: (any Channel)? {
    get { channel.withLock { $0 } }
    set { channel.withLock { $0 = newValue } }
  }

  private let draining = Atomic(false)
  private let channel = Mutex<(any Channel)?>(nil)

  func run() async throws {
    try await gracefulShutdown()
    draining.store(true, ordering: .relaxed)
    await refuseConnections()
    try await Task.sleep(for: Self.grace)
  }

  /// Lets the system drop requests for new connections.
  ///
  /// Closing a listening socket also closes connections that are established but not yet accepted,
  /// with their requests. So there must be none: a filter for the socket's packets keeps new ones
  /// out, and the server accepts those that exist. Clients that connect meanwhile get no reply, and
  /// are refused when they try again. On systems without such filters, these connections may be
  /// lost.
  private func refuseConnections() async {
    #if os(Linux)
      guard let socket = listener as? any SocketOptionProvider else { return }
      let code = UnsafeMutablePointer<FilterStep>.allocate(capacity: filter.count)
      code.initialize(from: filter, count: filter.count)
      defer { code.deallocate() }
      try? await socket.unsafeSetSocketOption(
        level: .socket, name: .init(rawValue: SO_ATTACH_FILTER),
        value: Filter(count: UInt16(filter.count), steps: code)
      ).get()
    #endif
  }
}

#if os(Linux)
  /// `sock_filter` (https://www.kernel.org/doc/html/latest/networking/filter.html).
  private struct FilterStep {
    var code: UInt16
    var skipIfTrue: UInt8 = 0
    var skipIfFalse: UInt8 = 0
    var operand: UInt32
  }

  /// `sock_fprog`.
  private struct Filter: @unchecked Sendable {
    var count: UInt16
    var steps: UnsafeMutablePointer<FilterStep>
  }

  /// Drops TCP packets with SYN and without ACK, which are the first of a connection.
  private let filter = [
    FilterStep(code: 0x30, operand: 13),  // load the byte of the flags
    FilterStep(code: 0x54, operand: 0x12),  // and ACK | SYN
    FilterStep(code: 0x15, skipIfFalse: 1, operand: 0x02),  // unless it is SYN, skip
    FilterStep(code: 0x06, operand: 0),  // drop
    FilterStep(code: 0x06, operand: .max),  // keep
  ]
#endif

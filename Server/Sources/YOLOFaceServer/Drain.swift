import NIOCore
import ServiceLifecycle
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time between the signal to shut down and the server's end, in which every request on its way
/// is answered.
///
/// No new connections come in; each answer is its connection's last; and whoever has just connected,
/// or keeps a connection for the next request, has `grace` to send it. Then the server shuts down,
/// which closes idle connections, and ends when the others are done.
final class Drain: Service {
  /// How long clients have for another request.
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

  /// Lets the system drop what asks for a new connection.
  ///
  /// A listening socket that is closed takes those connections with it that are established and not
  /// yet accepted, requests included. So first there must be none: the system gets a filter for the
  /// socket's packets, and the server accepts what is there. Clients that connect meanwhile get no reply,
  /// and on their next try are refused. Where there are no filters, such connections may
  /// be lost.
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

  /// Drops a TCP packet that has SYN and not ACK, as the first of a connection has.
  private let filter = [
    FilterStep(code: 0x30, operand: 13),  // load the byte of the flags
    FilterStep(code: 0x54, operand: 0x12),  // and ACK | SYN
    FilterStep(code: 0x15, skipIfFalse: 1, operand: 0x02),  // unless it is SYN, skip
    FilterStep(code: 0x06, operand: 0),  // drop
    FilterStep(code: 0x06, operand: .max),  // keep
  ]
#endif

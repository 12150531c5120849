import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Sees to it that the last answer of a connection arrives, and that none waits for ever.
///
/// An answer is the last where it says so (`Connection: close`), and where it goes out before its
/// request has come in whole, since what still comes is of no use. To close the connection at once
/// would not do: where bytes lie unread, the system resets it, and the client may never see the
/// answer (RFC 9112, 9.6). So the sending half is closed, what still comes is dropped, and the rest
/// follows a moment later.
final class AnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// How long a client has to read the last answer.
  static let lingering = TimeAmount.seconds(1)

  private enum State {
    case open
    /// The last answer is on its way out.
    case finishing
    /// The sending half is closed.
    case lingering
  }

  private let patience: TimeAmount
  private var state = State.open
  /// Requests that have come in whole, and requests that are answered.
  private var received = 0
  private var answered = 0
  private var isLast = false
  private var deadline: Scheduled<Void>?

  /// - Parameter patience: how long a client may leave its answers unread.
  init(patience: Duration) { self.patience = TimeAmount(patience) }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .end = unwrapInboundIn(data) { received += 1 }
    if state == .open { context.fireChannelRead(data) }
  }

  /// Reads on where nobody else asks for more.
  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if state == .lingering { context.read() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.status.kind != .informational:
      if received == answered { head.headerFields[.connection] = "close" }
      isLast = head.headerFields[.connection] == "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where isLast:
      state = .finishing
      close(context, in: patience)
      let sent = promise ?? context.eventLoop.makePromise()
      sent.futureResult.assumeIsolated().whenComplete { _ in self.linger(context) }
      context.writeAndFlush(data, promise: sent)
    case .end:
      answered += 1
      context.write(data, promise: promise)
    case .head, .body:
      context.write(data, promise: promise)
    }
  }

  private func linger(_ context: ChannelHandlerContext) {
    state = .lingering
    context.close(mode: .output, promise: nil)
    context.read()
    close(context, in: Self.lingering)
  }

  /// Once the last answer is on its way, nobody else closes the connection.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard state == .open else { return context.channel.closeFuture.cascade(to: promise) }
    context.close(mode: mode, promise: promise)
  }

  /// A client that does not take its answers must not hold its connection.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if state == .open {
      deadline?.cancel()
      if !context.channel.isWritable { close(context, in: patience) }
    }
    context.fireChannelWritabilityChanged()
  }

  private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      context.close(promise: nil)
    }
  }
}

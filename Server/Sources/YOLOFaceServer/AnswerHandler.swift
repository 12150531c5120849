// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Ensures that the last answer of a connection arrives, and that no answer waits for ever.
///
/// An answer is the last if it says so (`Connection: close`), if it is sent before its request has
/// arrived completely, since the rest of the request is useless, or if its request asks for another
/// protocol. Closing the connection at once would not do: with bytes unread, the system resets it,
/// and the client may never see the answer (RFC 9112, 9.6). So the sending half is closed, what
/// still arrives is dropped, and the receiving half is closed a moment later.
final class AnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// How long a client has to read the last answer.
  static let lingering = TimeAmount.seconds(1)

  private enum State {
    case open
    /// The last answer is being sent.
    case finishing
    /// The sending half is closed.
    case lingering
  }

  private let patience: TimeAmount
  private var state = State.open
  /// The number of complete requests, without one that asks for another protocol, and the number of
  /// answered requests.
  private var received = 0
  private var answered = 0
  /// The number of answers that the system has not completely taken.
  private var unsent = 0
  private var isLast = false
  /// Whether the request being received asks for another protocol.
  private var isUpgrade = false
  /// Whether such a request has arrived. The decoder then takes whatever follows for the other
  /// protocol and buffers it without limit, so nothing more may be read.
  private var isDeaf = false
  private var deadline: Scheduled<Void>?

  /// - Parameter patience: how long a client may leave its answers unread.
  init(patience: Duration) { self.patience = TimeAmount(patience) }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // The decoder also requires a `Connection` header, whose many spellings are not worth
      // parsing.
      isUpgrade = head.method == .connect || head.headerFields[.upgrade] != nil
    case .body: break
    case .end where isUpgrade: isDeaf = true
    case .end: received += 1
    }
    if state == .open { context.fireChannelRead(data) }
  }

  /// Reads more when no other handler requests it.
  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if state == .lingering { read(context: context) }
  }

  func read(context: ChannelHandlerContext) {
    if !isDeaf { context.read() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.status.kind != .informational:
      if received == answered { head.headerFields[.connection] = "close" }
      isLast = head.headerFields[.connection] == "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      answered += 1
      unsent += 1
      let sent = promise ?? context.eventLoop.makePromise()
      sent.futureResult.assumeIsolated().whenComplete { _ in
        self.unsent -= 1
        if self.unsent == 0, self.state == .finishing { self.linger(context) }
      }
      if isLast { finish(context) }
      context.write(data, promise: sent)
      if isLast { context.flush() }
    case .head, .body:
      context.write(data, promise: promise)
    }
  }

  private func finish(_ context: ChannelHandlerContext) {
    state = .finishing
    close(context, in: patience)
  }

  private func linger(_ context: ChannelHandlerContext) {
    state = .lingering
    context.close(mode: .output, promise: nil)
    read(context: context)
    close(context, in: Self.lingering)
  }

  /// An answer being sent becomes the last. After that, only the server, when its time to shut down
  /// has run out, closes the connection; it is the only one to close the input.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode == .input { return context.close(promise: promise) }
    if mode == .all, state == .open, unsent > 0 { finish(context) }
    guard state == .open else { return context.channel.closeFuture.cascade(to: promise) }
    context.close(mode: mode, promise: promise)
  }

  /// A client that does not read its answers must not keep its connection.
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

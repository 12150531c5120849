import NIOCore

/// A connection's other end, which takes what is written only when it is told to.
///
/// Used on its channel's event loop only.
final class Wire: ChannelOutboundHandler, @unchecked Sendable {
  typealias OutboundIn = Any

  private(set) var written: [Any] = []
  private(set) var reads = 0
  private(set) var closes: [CloseMode] = []
  private var promises: [EventLoopPromise<Void>] = []

  /// Takes all that was written.
  func take() {
    let taken = promises
    promises = []
    for promise in taken { promise.succeed() }
  }

  func read(context: ChannelHandlerContext) {
    reads += 1
    context.read()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    written.append(unwrapOutboundIn(data))
    if let promise { promises.append(promise) }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    closes.append(mode)
    // The channels of NIOEmbedded know no halves.
    if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
  }
}

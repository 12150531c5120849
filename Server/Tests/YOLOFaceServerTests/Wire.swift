// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The other end of a connection, which accepts what is written only when told to.
///
/// Use it only on its channel's event loop.
final class Wire: ChannelOutboundHandler, @unchecked Sendable {
  typealias OutboundIn = Any

  private(set) var reads = 0
  private(set) var closes: [CloseMode] = []
  private var promises: [EventLoopPromise<Void>] = []

  /// Accepts all that was written.
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
    if let promise { promises.append(promise) }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    closes.append(mode)
    // NIOEmbedded's channels cannot close one half.
    if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
  }
}

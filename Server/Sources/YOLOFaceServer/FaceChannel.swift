// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A connection that also accepts HTTP/1.0.
struct FaceChannel: ServerChildChannel {
  let http: HTTP1Channel

  /// Makes the channels of an application.
  ///
  /// - Parameter idleTime: how long a connection may be idle, or its answers unread.
  static func server(idleTime: Duration) -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      FaceChannel(
        http: HTTP1Channel(
          responder: responder,
          configuration: .init(
            additionalChannelHandlers: [AnswerHandler(patience: idleTime)],
            idleTimeout: .init(idleTime))))
    }
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
      try pipeline.addHandler(OldRequestHandler(), position: .before(codec))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await http.handle(value: value, logger: logger)
  }
}

/// Rewrites requests of an older version as HTTP/1.1, since later handlers do not know the version:
/// the connection ends with the answer, no Host is needed (RFC 9112, 3.2 and 9.3), and nothing is expected
/// (RFC 9110, 10.1.1).
final class OldRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data),
      (head.version.major, head.version.minor) < (1, 1)
    else { return context.fireChannelRead(data) }
    head.headers.replaceOrAdd(name: "Connection", value: "close")
    head.headers.remove(name: "Expect")
    if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: "") }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import YOLOFaceServer

/// The course of connections, and their end.
@Suite struct AnswerHandlerTests {
  @Test func pipelinedRequestsEachGetAnAnswer() throws {
    let connection = try Connection(try ServerProcess())
    let request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try connection.send(request + request + request)
    for _ in 0..<3 {
      let answer = try connection.answer()
      #expect(answer.status == 200 && answer.headers["connection"] != "close")
    }
  }

  @Test func refusesBytesThatAreNotARequest() throws {
    let connection = try Connection(try ServerProcess())
    try connection.send("\u{16}\u{3}\u{1} what is this\r\n\r\n")
    #expect(try connection.answer().status == 400)
    #expect(try connection.isClosed())
  }

  /// A part of an endless body.
  private let chunk =
    Array("1000\r\n".utf8) + [UInt8](repeating: 7, count: 0x1000) + Array("\r\n".utf8)

  @Test func anEndlessBodyIsRefusedAtTheLimit() throws {
    let connection = try Connection(try ServerProcess("--max-body", "100000"))
    try connection.sendHead(length: nil, ["Transfer-Encoding: chunked"])
    // The server hangs up a second after its answer.
    let count = try connection.sendUntilClosed(chunk, atMost: 20_000, pause: 1000)
    #expect((25..<20_000).contains(count))
  }

  /// The client keeps sending, and still receives the answer and a proper close.
  @Test(arguments: ["Content-Length: 3000000", "Transfer-Encoding: chunked"])
  func aLongBodyIsRefusedBeforeItsEnd(framing: String) throws {
    let connection = try Connection(try ServerProcess("--max-body", "100000"))
    try connection.sendHead(length: nil, [framing])
    for _ in 0..<700 { try connection.send(chunk) }
    let answer = try connection.answer()
    #expect(answer.status == 413)
    #expect(answer.headers["connection"] == "close")
    #expect(try connection.isClosed())
  }

  @Test func aSlowBodyTimesOut() throws {
    let connection = try Connection(try ServerProcess("--body-timeout", "0.5"))
    try connection.sendHead(length: 100000)
    let start = ContinuousClock.now
    for _ in 0..<100 where start.duration(to: .now) < .seconds(0.4) {
      try connection.send([7])
      usleep(50_000)
    }
    #expect(try connection.answer().status == 408)
    #expect(start.duration(to: .now) > .seconds(0.45))
    #expect(try connection.isClosed())
  }

  @Test func aSlowHeadTimesOut() throws {
    let connection = try Connection(try ServerProcess("--idle-timeout", "1"))
    try connection.send("GET /health HTTP/1.1\r\n")
    let start = ContinuousClock.now
    for number in 0..<1000 {
      guard (try? connection.send("X-\(number): 1\r\n")) != nil else { break }
      usleep(50_000)
    }
    // The 1,000 lines would take 50 seconds.
    #expect(start.duration(to: .now) < .seconds(30))
  }

  /// A few megabytes of unread answers stop the server from writing, and then from reading.
  @Test func aClientThatReadsNothingIsDisconnected() throws {
    let connection = try Connection(try ServerProcess("--idle-timeout", "0.5"))
    let requests = String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 100)
    #expect(throws: Connection.Failure.closed) {
      for _ in 0..<10_000 { try connection.send(requests) }
    }
  }

  /// The same for a server that is shutting down.
  @Test func aClientThatReadsNothingDoesNotHoldTheServer() throws {
    let server = try ServerProcess("--idle-timeout", "60", "--body-timeout", "1", "--timeout", "1")
    let connection = try Connection(server)
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for _ in 0..<20 { try connection.send(String(repeating: request, count: 1000)) }
    usleep(2_000_000)
    let start = ContinuousClock.now
    server.send(SIGTERM)
    #expect(server.wait() == 0)
    // 5 seconds after both times, as the help says, and some for a busy machine.
    #expect(start.duration(to: .now) < .seconds(12))
  }

  private static let upgrades = [
    "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    // What `curl --http2` sends.
    "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
      + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n",
    "POST /health HTTP/1.1\r\nHost: localhost\r\nProxy-Connection: upgrade\r\nUpgrade: x\r\n"
      + "Content-Length: 1\r\n\r\n.",
  ]

  /// Otherwise the server would understand no later request, and never answer.
  @Test(arguments: upgrades)
  func aRequestForAnotherProtocolIsTheLast(request: String) throws {
    let connection = try Connection(try ServerProcess())
    try connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" + request + request)
    #expect(try connection.answer().headers["connection"] != "close")
    #expect(try connection.answer().headers["connection"] == "close")
    #expect(try connection.isClosed())
  }

  @Test(arguments: upgrades)
  func aClientThatSpeaksAnotherProtocolIsDisconnected(request: String) throws {
    let connection = try Connection(try ServerProcess())
    try connection.send(request)
    _ = try connection.answer()
    let part = [UInt8](repeating: 7, count: 0x10000)
    // A server that never closes the connection is given 20 seconds.
    #expect(try connection.sendUntilClosed(part, atMost: 2000, pause: 10_000) < 2000)
  }

  private func open() -> (Wire, EmbeddedChannel) {
    let wire = Wire()
    let handlers: [any ChannelHandler] = [wire, AnswerHandler(patience: .seconds(60))]
    return (wire, EmbeddedChannel(handlers: handlers))
  }

  private func answer(_ channel: EmbeddedChannel) {
    channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
    channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
  }

  private func ask(_ channel: EmbeddedChannel, isWhole: Bool = true) throws {
    let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
    try channel.writeInbound(HTTPRequestPart.head(head))
    if isWhole { try channel.writeInbound(HTTPRequestPart.end(nil)) }
    answer(channel)
  }

  /// Otherwise the bytes would be buffered without limit.
  @Test(arguments: [
    HTTPRequest(method: .connect, scheme: nil, authority: nil, path: nil),
    HTTPRequest(
      method: .post, scheme: nil, authority: nil, path: "/", headerFields: [.upgrade: "x"]),
  ])
  func nothingIsReadAfterARequestForAnotherProtocol(head: HTTPRequest) throws {
    let (wire, channel) = open()
    try channel.writeInbound(HTTPRequestPart.head(head))
    channel.read()
    let reads = wire.reads
    #expect(reads > 0)
    try channel.writeInbound(HTTPRequestPart.end(nil))
    channel.read()
    answer(channel)
    wire.take()
    #expect(wire.closes == [.output])
    channel.pipeline.fireChannelReadComplete()
    #expect(wire.reads == reads)
    channel.embeddedEventLoop.advanceTime(by: AnswerHandler.lingering)
    #expect(wire.closes == [.output, .all])
  }

  /// A server that shuts down closes connections without pending requests in this way.
  @Test func anAnswerBeingSentIsNotCutOff() throws {
    let (wire, channel) = open()
    for _ in 0..<2 { try ask(channel) }
    channel.close(promise: nil)
    #expect(wire.closes == [])
    wire.take()
    #expect(wire.closes == [.output])
    channel.embeddedEventLoop.advanceTime(by: AnswerHandler.lingering)
    #expect(wire.closes == [.output, .all])
  }

  @Test func aConnectionWithoutPendingAnswersIsClosedAtOnce() throws {
    let (wire, channel) = open()
    try ask(channel)
    wire.take()
    channel.close(promise: nil)
    #expect(wire.closes == [.all])
  }

  /// A server whose time to shut down has run out does this, so that no client holds it until
  /// `--idle-timeout`.
  @Test func anUnreadLastAnswerIsCutOffAtTheEnd() throws {
    let (wire, channel) = open()
    try ask(channel, isWhole: false)
    channel.close(promise: nil)
    #expect(wire.closes == [])
    channel.close(mode: .input, promise: nil)
    #expect(wire.closes == [.all])
  }

  @Test func connectionsAreLimited() throws {
    let server = try ServerProcess("--max-connections", "2")
    var first: Connection? = try Connection(server)
    let second = try Connection(server)
    for connection in [first, second] {
      try connection?.send("GET /health")
      try connection?.send(" HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try connection?.answer().status == 200)
    }
    // The system has accepted it, but not yet the server.
    let third = try Connection(server)
    try third.send("GET", "/health")
    #expect(!third.hasMore(within: 500))
    first = nil
    #expect(try third.answer().status == 200)
  }

  @Test func anIdleConnectionIsClosed() throws {
    let connection = try Connection(try ServerProcess("--idle-timeout", "0.5"))
    try connection.send("GET /health")
    #expect(try connection.isClosed())
  }
}

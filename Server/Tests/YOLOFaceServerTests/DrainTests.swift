// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The end of the server.
@Suite(.serialized) struct DrainTests {
  @Test(arguments: [SIGTERM, SIGINT])
  func anIdleServerEndsAtOnce(signal: Int32) throws {
    let server = try ServerProcess()
    let idle = try Connection(server)
    #expect(try idle.answer(to: "/health").status == 200)
    let start = ContinuousClock.now
    server.send(signal)
    #expect(server.wait() == 0)
    // The grace period is a second; the rest is for a busy machine.
    #expect(start.duration(to: .now) < .seconds(10))
    #expect(try idle.isClosed())
    #expect(throws: Connection.Failure.refused) { try Connection(server) }
  }

  @Test func openConnectionsGetALastAnswer() throws {
    let server = try ServerProcess()
    let (health, slow) = (try Connection(server), try Connection(server))
    let picture = ServerProcess.picture
    try slow.sendHead(length: picture.count)
    try slow.send(Array(picture.prefix(1000)))
    #expect(try health.answer(to: "/health").status == 200)
    let watcher = try Connection(server)
    server.send(SIGTERM)
    // The signal takes a moment to arrive. On a separate connection, which it may end at any time.
    for _ in 0..<3000 {
      guard let answer = try? watcher.answer(to: "/health"), answer.status == 200 else { break }
      usleep(10_000)
    }
    let answer = try health.answer(to: "/health")
    #expect(answer.status == 503)
    #expect(answer.headers["connection"] == "close")
    #expect(answer.text.hasPrefix("{\"ok\":false,"))
    // After the grace period.
    usleep(1_500_000)
    try slow.send(Array(picture.dropFirst(1000)))
    #expect(try slow.answer().status == 200)
    #expect(server.wait() == 0)
  }

  @Test func aClientThatNeverFinishesDoesNotHoldTheServer() throws {
    let server = try ServerProcess("--body-timeout", "2", "--timeout", "1")
    let slow = try Connection(server)
    try slow.sendHead(length: 1000, ["Expect: 100-continue"])
    #expect(try slow.answer().status == 100)
    let start = ContinuousClock.now
    server.send(SIGTERM)
    #expect(try slow.answer().status == 408)
    #expect(server.wait() == 0)
    // 5 seconds after both times, as the help says, and some for a busy machine.
    #expect(start.duration(to: .now) < .seconds(13))
  }

  /// Half of the clients keep their connections; the others open one for each request.
  @Test func noRequestIsLostUnderLoad() throws {
    let server = try ServerProcess()
    let outcomes = hammer(server, clients: 16, after: 2) {
      try $0.answer(toPicture: ServerProcess.picture)
    }
    #expect(Set(outcomes).subtracting(["200", "refused"]) == [])
    #expect(outcomes.count { $0 == "200" } >= 16)
    #expect(outcomes.count { $0 == "refused" } == 16)
    #expect(server.wait() == 0)
  }

  /// With short requests, so that as many connections as possible arrive when the server stops
  /// accepting.
  @Test(.enabled(if: hasFilters, "connections that wait at the door are lost here"))
  func noConnectionIsLostBeforeItIsAccepted() throws {
    for _ in 0..<3 {
      let server = try ServerProcess()
      let outcomes = hammer(server, clients: 16, after: 1) { try $0.answer(to: "/health") }
      #expect(Set(outcomes).subtracting(["200", "503", "refused"]) == [])
      #expect(outcomes.count { $0 == "200" } > 100)
      #expect(server.wait() == 0)
    }
  }

  #if os(Linux)
    private static let hasFilters = true
  #else
    private static let hasFilters = false
  #endif

  /// Sends requests as fast as they are answered until the server ends, with a signal to end
  /// midway. Returns the status of each request, "refused" if it got no connection, or what else
  /// happened.
  private func hammer(
    _ server: ServerProcess, clients: Int, after seconds: Double,
    _ request: @escaping @Sendable (Connection) throws -> Connection.Answer
  ) -> [String] {
    let outcomes = Texts()
    let end = Date(timeIntervalSinceNow: 60)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: seconds)
      server.send(SIGTERM)
    }
    inParallel(clients) { index in
      var kept: Connection?
      while Date() < end {
        do {
          let connection = try kept ?? Connection(server)
          let answer = try request(connection)
          outcomes.add("\(answer.status)")
          let isLast = answer.headers["connection"] == "close"
          kept = index.isMultiple(of: 2) && !isLast ? connection : nil
        } catch Connection.Failure.refused {
          return outcomes.add("refused")
        } catch {
          return outcomes.add("\(error)\(kept == nil ? "" : " on a connection that was kept")")
        }
      }
      outcomes.add("never ended")
    }
    return outcomes.all
  }
}

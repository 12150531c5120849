// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

/// Pictures that contain more than they claim.
@Suite(.serialized, .timeLimit(.minutes(3))) struct BombTests {
  /// Four at a time, repeatedly, to a server with default options.
  ///
  /// An honest client should be answered within 2 seconds; 5 are allowed for a busy machine.
  /// Inflating the bomb takes nine.
  @Test func aBombAfterTheLastRowDelaysNoClient() throws {
    let server = try ServerProcess()
    let bomb = bomb(bytes: 4_000_000)
    let isOver = Atomic(false)
    let senders = DispatchGroup()
    for _ in 0..<4 {
      senders.enter()
      Thread.detachNewThread {
        while !isOver.load(ordering: .relaxed), let connection = try? Connection(server) {
          _ = try? connection.answer(toPicture: bomb)
        }
        senders.leave()
      }
    }
    for _ in 0..<10 {
      let start = ContinuousClock.now
      #expect(try status(of: server) == 200)
      #expect(start.duration(to: .now) < .seconds(5))
    }

    let end = ContinuousClock.now
    server.send(SIGTERM)
    #expect(server.wait() == 0)
    // As the help promises: 5 seconds after both times.
    #expect(end.duration(to: .now) < .seconds(45))
    isOver.store(true, ordering: .relaxed)
    senders.wait()
  }

  @Test func theServerRecoversFromBombs() throws {
    let server = try ServerProcess()
    let bomb = bomb(bytes: 19_000_000)
    inParallel(4) { _ in
      let connection = try? Connection(server)
      try? connection?.sendPicture(bomb)
    }
    let start = ContinuousClock.now
    while try status(of: server) != 200 {
      try #require(start.duration(to: .now) < .seconds(10))
      usleep(100_000)
    }
    #expect(start.duration(to: .now) < .seconds(10))
  }

  /// Of the answer to an honest client.
  private func status(of server: ServerProcess) throws -> Int {
    try Connection(server).answer(toPicture: ServerProcess.picture).status
  }

  /// A PNG of 8 × 8 black pixels whose data continues after them.
  ///
  /// The data is a deflate block whose codes are so short (RFC 1951, 3.2.7) that each zero byte
  /// means four times 258 zeros.
  private func bomb(bytes count: Int) -> [UInt8] {
    let zeros: [UInt8] =
      [0x78, 0xDA, 0xEC, 0xC1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 0x08, 0x0A]
      + [UInt8](repeating: 0, count: count)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + pngChunk("IHDR", [0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0]) + pngChunk("IDAT", zeros)
      + pngChunk("IEND")
  }
}

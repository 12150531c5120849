// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing

@testable import YOLOFaceServer

@Suite struct DetectorPoolTests {
  @Test func slotsAreThreadsPlusQueue() async throws {
    let pool = try DetectorPool(threads: 1, queue: 2)
    defer { pool.shutDown() }
    var slots = (0..<3).map { _ in pool.takeSlot() }
    #expect(slots.allSatisfy { $0 != nil })
    #expect(pool.takeSlot() == nil)
    slots[1] = nil
    let last = try #require(pool.takeSlot())
    #expect(pool.takeSlot() == nil)
    last.giveBack()
    last.giveBack()
    let again = pool.takeSlot()
    #expect(again != nil)
    #expect(pool.takeSlot() == nil)
    _ = (slots, again)
  }

  @Test func theSlotIsFreeAfterTheAnswer() async throws {
    let pool = try DetectorPool(threads: 1, queue: 0)
    defer { pool.shutDown() }
    for number in 0..<200 {
      let slot = try #require(pool.takeSlot())
      #expect(try await pool.run(in: slot, within: .seconds(30)) { _ in number } == number)
    }
  }

  @Test func searchesPicturesConcurrently() async throws {
    let pool = try DetectorPool(threads: 2, queue: 0)
    defer { pool.shutDown() }
    let (one, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let slots = try (0..<2).map { _ in try #require(pool.takeSlot()) }
    // Each waits until the other has begun.
    async let first = pool.run(in: slots[0], within: .seconds(30)) { _ in
      one.signal()
      return other.wait(timeout: .now() + 20) == .success
    }
    async let second = pool.run(in: slots[1], within: .seconds(30)) { _ in
      other.signal()
      return one.wait(timeout: .now() + 20) == .success
    }
    let (a, b) = try await (first, second)
    #expect(a && b)
  }

  @Test func workThatTakesTooLongKeepsItsSlotUntilItIsDone() async throws {
    let pool = try DetectorPool(threads: 1, queue: 0)
    defer { pool.shutDown() }
    let end = DispatchSemaphore(value: 0)
    let slot = try #require(pool.takeSlot())
    await #expect {
      try await pool.run(in: slot, within: .milliseconds(500)) { _ in end.wait() }
    } throws: { error in
      // It had half a second to begin.
      (error as? Refusal)?.status == .gatewayTimeout
    }
    #expect(pool.takeSlot() == nil)
    end.signal()
  }

  /// As at the end of the server, when a search whose request has timed out is still running.
  @Test(.timeLimit(.minutes(60))) func theEndWaitsForNoWork() async throws {
    let end = DispatchSemaphore(value: 0)
    let pool = try DetectorPool(threads: 1, queue: 0)
    let slot = try #require(pool.takeSlot())
    await #expect(throws: Refusal.self) {
      try await pool.run(in: slot, within: .milliseconds(500)) { _ in end.wait() }
    }
    pool.shutDown()
    end.signal()
  }

  @Test func workThatWaitsTooLongIsRefusedAndNeverBegun() async throws {
    let pool = try DetectorPool(threads: 1, queue: 1)
    defer { pool.shutDown() }
    let (begun, end) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    let (slot, waiting) = (try #require(pool.takeSlot()), try #require(pool.takeSlot()))
    async let first: Void = pool.run(in: slot, within: .seconds(30)) { _ in
      begun.continuation.finish()
      end.wait()
    }
    for await _ in begun.stream {}
    await #expect {
      try await pool.run(in: waiting, within: .milliseconds(200)) { _ in
        Issue.record("begun although its request was refused")
      }
    } throws: { error in
      (error as? Refusal)?.status == .serviceUnavailable
    }
    end.signal()
    try await first
  }
}

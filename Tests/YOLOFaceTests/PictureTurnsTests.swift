// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import YOLOFace

struct PictureTurnsTests {
  /// Counts how much work goes on, and waits once for two to meet.
  private final class Log: Sendable {
    let running = Atomic(0)
    let most = Atomic(0)

    func work() {
      let now = running.add(1, ordering: .relaxed).newValue
      most.max(now, ordering: .relaxed)
      let end = ContinuousClock.now + .seconds(10)
      while most.load(ordering: .relaxed) < 2, .now < end {}
      running.subtract(1, ordering: .relaxed)
    }
  }

  @Test func twoOfManyTasksHaveTheirTurn() async throws {
    let (turns, log) = (PictureTurns(), Log())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          if number % 4 == 0 {
            turns.take { log.work() }
          } else {
            try await turns.takeElsewhere { log.work() }
          }
        }
      }
      try await group.waitForAll()
    }
    let most = log.most.load(ordering: .relaxed)
    #expect(most == PictureTurns.most)
  }
}

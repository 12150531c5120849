// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Counts what makes the tests long: launches of programs, and rounds of random cases. `Scripts/test` adds
/// them up and holds them to limits, since a clock says little on another machine.
package enum TestCount {
  private static let file = ProcessInfo.processInfo.environment["TEST_COUNTS"]

  /// Adds to a count in the file that the environment variable `TEST_COUNTS` names, if it names one.
  package static func add(_ name: String, _ number: Int = 1) {
    guard let file, let stream = fopen(file, "a") else { return }
    defer { fclose(stream) }
    // One write of a short line is not interleaved with others.
    fputs("\(name) \(number)\n", stream)
  }
}

/// How often a test repeats what is random.
package enum Rounds {
  /// Whether every round runs, as in CI: where the environment variable `TEST_ROUNDS` is `all`.
  package static let areAll = ProcessInfo.processInfo.environment["TEST_ROUNDS"] == "all"

  /// All rounds, or else the first few, which prove each kind of thing once.
  package static func few(_ few: Int, of all: Int) -> Int {
    // Those of a usual run, so that the limit holds in every run.
    TestCount.add("rounds", few)
    return areAll ? all : few
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The processor time that a function takes in this thread, in seconds: other tests, which run beside it, do not
/// count.
package func processorTime(of body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  try body()
  return now() - start
}

/// A bound on what takes a second or two and would take minutes if it were done wrongly, in seconds of processor
/// time; it leaves room for slow machines and for the sanitizers.
package let generousProcessorTime = 30.0

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// The host's clock.
struct ContinuousClock {
  struct Instant {
    var seconds: Double

    static func - (left: Instant, right: Instant) -> Duration {
      .nanoseconds(Int64((left.seconds - right.seconds) * 1e9))
    }
  }

  var now: Instant { Instant(seconds: hostSeconds()) }
}

import Formatting
import YOLOFace

/// Counts the pictures of a batch and measures its rate.
struct BatchTally {
  private(set) var done = 0
  private(set) var failed = 0
  /// Pictures done by an earlier run.
  private(set) var held = 0
  private(set) var faces = 0
  /// Pictures in which a larger input would probably show more faces, and that input.
  private var crowded = 0
  private var longSide = 0
  private let total: Int?
  private let progress: Progress?
  private let start = ContinuousClock.now
  private var nextShow = ContinuousClock.now

  /// - Parameters:
  ///   - total: the number of pictures; nil if it is not known.
  ///   - progress: the line that shows the progress; nil for none.
  init(total: Int?, progress: Progress?) {
    self.total = total
    self.progress = progress
  }

  /// - Parameter promisingLongSide: the long side that would probably show more faces; nil for none.
  mutating func add(faces count: Int, promisingLongSide: Int?) {
    done += 1
    faces += count
    if let promisingLongSide {
      crowded += 1
      longSide = max(longSide, promisingLongSide)
    }
    show()
  }

  mutating func addHeld(hasFailed: Bool) {
    if hasFailed { failed += 1 } else { held += 1 }
    show()
  }

  mutating func addFailure() {
    failed += 1
    progress?.clear()
  }

  /// The number of pictures so far, whether done, failed or held.
  var count: Int { done + failed + held }

  /// Removes the line that shows the progress.
  func clear() { progress?.clear() }

  /// One line with the number of pictures, faces, and pictures per second.
  var summary: String {
    let seconds = elapsed
    let rate = seconds > 0 ? Double(done + failed) / seconds : 0
    return "\(counted(count, "picture")): \(done) searched, \(counted(faces, "face"))"
      + (failed > 0 ? ", \(failed) failed" : "")
      + (held > 0 ? ", \(held) done before" : "")
      + ", \(fixed(seconds, decimals: 1)) s, \(fixed(rate, decimals: 1)) pictures/s"
  }

  /// What to try where faces were probably missed; nil where there is nothing to say.
  var hint: String? {
    guard crowded > 0 else { return nil }
    return (crowded == 1 ? "1 picture has" : "\(crowded) pictures have")
      + " many faces near the smallest size that is found; --long-side \(longSide) or --thorough finds more"
  }

  private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

  private mutating func show() {
    guard let progress, ContinuousClock.now >= nextShow else { return }
    nextShow = ContinuousClock.now + .milliseconds(100)
    let rate = Double(done + failed) / max(elapsed, 1e-9)
    guard let total else {
      return progress.show("\(counted(count, "picture")), \(fixed(rate, decimals: 1))/s")
    }
    let left = rate > 0 ? Double(total - count) / rate : 0
    progress.show(
      "\(count) of \(total) pictures, \(fixed(rate, decimals: 1))/s, \(duration(left)) left")
  }
}

/// A duration in readable units: 2 h 5 min, 3 min 20 s, 12 s.
private func duration(_ seconds: Double) -> String {
  let seconds = Int(min(max(seconds, 0), 1e9).rounded())
  let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
  if hours > 0 { return "\(hours) h \(minutes) min" }
  return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
}

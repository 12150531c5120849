// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts the server's work and reports it in Prometheus's text format
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
final class Metrics: Sendable {
  private struct Label: Hashable, Comparable {
    var path: String
    var status: Int

    static func < (a: Label, b: Label) -> Bool { (a.path, a.status) < (b.path, b.status) }
  }

  private struct Counts {
    var requests: [Label: Int] = [:]
    var inFlight = 0
    /// The number of pictures whose time is up to each bound, and of those beyond the last.
    var durations = [Int](repeating: 0, count: bounds.count + 1)
    var seconds = 0.0
    var bytes = 0
    var pixels = 0
    var faces = 0
  }

  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  private let counts = Mutex(Counts())

  /// Counts a request that has arrived.
  func begin() { counts.withLock { $0.inFlight += 1 } }

  /// Counts an answered request. All unknown paths count as one, so that clients cannot inflate the
  /// metrics.
  func end(path: String, status: Int) {
    let label = Label(path: FaceResponder.methods[path] != nil ? path : "other", status: status)
    counts.withLock { counts in
      counts.inFlight -= 1
      counts.requests[label, default: 0] += 1
    }
  }

  /// Counts a body that has arrived.
  func received(bytes: Int) { counts.withLock { $0.bytes += bytes } }

  /// Counts a request whose pictures have been searched.
  ///
  /// - Parameter time: the time since the request's head arrived.
  func found(faces: Int, pixels: Int, time: Duration) {
    let seconds = time / .seconds(1)
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    counts.withLock { counts in
      counts.durations[bucket] += 1
      counts.seconds += seconds
      counts.pixels += pixels
      counts.faces += faces
    }
  }

  /// All metrics, a line for each number.
  var text: String {
    let counts = counts.withLock { $0 }
    let requests = counts.requests.sorted { $0.key < $1.key }.map { label, count in
      ("{path=\"\(label.path)\",status=\"\(label.status)\"}", "\(count)")
    }
    return metric("requests_total", "counter", "Requests answered.", requests)
      + metric("requests_in_flight", "gauge", "Requests being answered.", counts.inFlight)
      + metric(
        "detect_seconds", "histogram", "From the head of a request to its faces.",
        histogram(counts))
      + metric("received_bytes_total", "counter", "Bytes of pictures received.", counts.bytes)
      + metric("pixels_total", "counter", "Pixels of pictures searched.", counts.pixels)
      + metric("faces_total", "counter", "Faces found.", counts.faces)
  }

  /// The buckets are cumulative, as the format requires.
  private func histogram(_ counts: Counts) -> [(suffix: String, value: String)] {
    var sum = 0
    var lines: [(suffix: String, value: String)] = []
    for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts.durations) {
      sum += count
      lines.append(("_bucket{le=\"\(bound)\"}", "\(sum)"))
    }
    return lines + [("_sum", "\(counts.seconds)"), ("_count", "\(sum)")]
  }

  private func metric(_ name: String, _ type: String, _ help: String, _ value: Int) -> String {
    metric(name, type, help, [("", "\(value)")])
  }

  private func metric(
    _ name: String, _ type: String, _ help: String, _ lines: [(suffix: String, value: String)]
  ) -> String {
    "# HELP yoloface_\(name) \(help)\n# TYPE yoloface_\(name) \(type)\n"
      + lines.map { "yoloface_\(name)\($0.suffix) \($0.value)\n" }.joined()
  }
}

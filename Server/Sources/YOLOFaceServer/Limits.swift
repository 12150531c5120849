import ArgumentParser
import YOLOFace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a server accepts from clients, and for how long. Times are in seconds.
///
/// Bodies in memory are at most `concurrency` + `queue`, of `maxBody` bytes each; decoded pictures
/// at most `concurrency`, of `maxPixels` each. Each of the `concurrency` detectors also keeps memory
/// for up to four sizes of the network's input, 24 bytes per pixel, of `maxLongSide` squared pixels at
/// most: by default 403 MB.
struct Limits: ParsableArguments {
  /// The most faces that an answer holds, the best; so that a threshold of 0 costs a bounded time.
  static let maximumFaces = 5_000

  @Option(help: "The most bytes a picture may have; more are refused with 413.")
  var maxBody = 20_000_000

  @Option(help: "The most pixels a picture may have; more are refused with 422.")
  var maxPixels = 25_000_000

  @Option(help: "The longest long side of the network's input that a request may ask for.")
  var maxLongSide = 2_048

  @Option(help: "Pictures searched at a time, on a thread each; all processors by default.")
  var concurrency = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 256)

  @Option(help: "Requests that may wait for their turn; more are refused with 503.")
  var queue = 32

  @Option(help: "Seconds from a picture to its faces (or 503; or 504 once it is searched).")
  var timeout = 10.0

  @Option(help: "Seconds that a request's body may take to arrive (or 408).")
  var bodyTimeout = 30.0

  @Option(help: "Seconds after which a connection on which nothing happens is closed.")
  var idleTimeout = 60.0

  @Option(help: "Connections at a time; more wait until one is closed.")
  var maxConnections = 512

  func validate() throws {
    try require("max-body", maxBody, in: 1...1_000_000_000)
    try require("max-pixels", maxPixels, in: 1...RGBImage.maximumPixels)
    try require("max-long-side", maxLongSide, in: 32...Letterbox.maximumInputSide)
    try require("concurrency", concurrency, in: 1...256)
    try require("queue", queue, in: 0...100_000)
    try require("timeout", timeout, in: 0.001...3_600)
    try require("body-timeout", bodyTimeout, in: 0.001...3_600)
    try require("idle-timeout", idleTimeout, in: 0.001...3_600)
    try require("max-connections", maxConnections, in: 1...100_000)
  }

  private func require<Number>(
    _ option: String, _ value: Number, in range: ClosedRange<Number>
  ) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "--\(option) \(value): give a number from \(range.lowerBound) to \(range.upperBound).")
    }
  }
}

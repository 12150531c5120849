// SPDX-License-Identifier: Apache-2.0
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
/// at most `concurrency`, of `maxPixels` each, and as many copies of a picture that came in a form.
/// Each of the `concurrency` detectors also keeps memory for the largest size of the network's
/// input, 24 bytes per pixel, of `maxLongSide` squared pixels at most: by default 101 MB.
struct Limits: ParsableArguments {
  /// The most faces in an answer, the best ones, so that the cost of a threshold of 0 is bounded.
  static let maximumFaces = 5_000
  /// The most of a picture whose faces are refined, each by six runs of the network, unless thorough searches are
  /// allowed.
  static let maximumRefinedFaces = 32

  /// The most pictures in a form, which one detector searches within the `timeout`.
  static let maximumPictures = 16

  @Option(help: "The most bytes of a body, a picture or a form; longer ones are refused with 413.")
  var maxBody = 20_000_000

  @Option(help: "The most pixels that a picture may have; larger ones are refused with 422.")
  var maxPixels = 25_000_000

  @Option(help: "The largest long side of the network's input that a request may set.")
  var maxLongSide = 2_048

  @Flag(help: "Let requests ask for a thorough search, which takes forty times as long and more.")
  var allowThorough = false

  @Option(
    help: "Pictures searched at a time, each on its own thread; by default one per processor.")
  var concurrency = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 256)

  @Option(help: "Requests that may wait for a search; further ones are refused with 503.")
  var queue = 32

  @Option(
    help: "Seconds from a picture's arrival to its faces; then 503, or 504 during the search.")
  var timeout = 10.0

  @Option(help: "Seconds that a request's body may take to arrive; then 408.")
  var bodyTimeout = 30.0

  @Option(help: "Seconds after which an idle connection is closed.")
  var idleTimeout = 60.0

  @Option(help: "Connections at a time; further ones wait until one is closed.")
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

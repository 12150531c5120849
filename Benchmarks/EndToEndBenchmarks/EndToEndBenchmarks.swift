// SPDX-License-Identifier: Apache-2.0
import Benchmark
import Foundation
import YOLOFace

/// From a picture's bytes to faces, with the embedded model.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], timeUnits: .microseconds, warmupIterations: 5,
    maxDuration: .seconds(2))
  do {
    let bytes = try [UInt8](Data(contentsOf: astronaut))
    let picture = try Picture.decode(bytes)
    Benchmark("PNG 512x512") { _ in blackHole(try Picture.decode(bytes)) }
    for filter in ResizeFilter.allCases {
      try letterboxBenchmark(picture, to: 320, filter)
      try letterboxBenchmark(picture, to: 640, filter)
    }
    for (width, height) in [(320, 320), (640, 480), (640, 640)] {
      for threads in [1, 2] {
        try detectorBenchmark(picture, width: width, height: height, threads: threads)
      }
    }
  } catch {
    fatalError("\(error)")
  }
}

private let astronaut = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../Examples/astronaut.png")

private func letterboxBenchmark(
  _ picture: RGBImage, to side: Int, _ filter: ResizeFilter
) throws {
  let letterbox = try Letterbox(
    imageWidth: picture.width, imageHeight: picture.height, mode: .square(side))
  Benchmark("letterbox \(picture.width)x\(picture.height) to \(side)x\(side) \(filter)") { _ in
    blackHole(try picture.letterboxed(letterbox, filter: filter))
  }
}

/// Network, decoding and non-maximum suppression, as `yoloface bench` counts them.
private func detectorBenchmark(
  _ picture: RGBImage, width: Int, height: Int, threads: Int
) throws {
  let letterbox = try Letterbox(
    imageWidth: picture.width, imageHeight: picture.height,
    mode: .exact(width: width, height: height))
  let input = try picture.letterboxed(letterbox)
  let detector = try FaceDetector(threads: threads)
  let options = DetectionOptions()
  let name = "detector \(width)x\(height) \(threads) thread\(threads == 1 ? "" : "s")"
  Benchmark(name) { _ in
    let candidates = try detector.candidates(in: input, options: options)
    blackHole(
      nonMaximumSuppression(of: candidates, overlapThreshold: options.overlapThreshold))
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace
import YOLOFaceFormatting
@_spi(Tool) import YOLOFaceInference
import YOLOFaceLibC

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the detector on this machine.",
    discussion: """
      The network, decoding and suppression run on a picture of the network's input size; resizing \
      a picture of twice that size is measured separately. Only the plan and the memory are reused \
      from one iteration to the next. Where the time goes within the network is what `yoloface \
      profile` shows.

      Examples:
        yoloface bench
        yoloface bench --size 320x320 --threads 2 --json
        yoloface bench --precision int8 --isa avx2
      """)

  @OptionGroup var model: ModelOptions

  @Option(
    help:
      "The network's input, WIDTHxHEIGHT, multiples of 32. (default: 640x480, or the model's own size)"
  )
  var size: ImageSize?

  @Option(parsing: .unconditional, help: "Threads that one detection uses.")
  var threads = 1

  @Option(
    parsing: .unconditional, help: "Measured iterations; a tenth as many run before, unmeasured.")
  var iterations = 50

  @Flag(help: "Print a JSON object.")
  var json = false

  func validate() throws {
    // The picture that is resized has twice the sides.
    let mostPixels = RGBImage.maximumPixels / 4
    if let size, size.width * size.height > mostPixels {
      throw ValidationError("--size \(size): give at most \(mostPixels) pixels.")
    }
    try requireNumber("--threads", threads, in: threadCounts)
    try requireNumber("--iterations", iterations, in: 1...1_000_000)
  }

  func run() throws {
    _ = try Outputs(inputs: model.files)
    let detector = try model.detector(threads: threads)
    let size =
      self.size ?? detector.recipe.letterbox.usualSize ?? ImageSize(width: 640, height: 480)
    do {
      try detector.recipe.letterbox.requireAdmitted(.exact(width: size.width, height: size.height))
    } catch {
      throw ValidationError("--size \(size): \(error)")
    }
    let report = try BenchReport(detector, size: size, iterations: iterations)
    try printLine(json ? try report.json() : report.text)
  }
}

struct BenchReport: Encodable {
  /// The times of one stage, in milliseconds.
  struct Statistics: Encodable {
    var min, median, p90: Double

    init(_ samples: [Double]) {
      let sorted = samples.sorted()
      min = sorted.first ?? 0
      median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
      p90 = sorted.isEmpty ? 0 : sorted[sorted.count * 9 / 10]
    }
  }

  var machine, model: String
  var precision: FaceDetector.Precision
  var instructionSet: String
  var threads, width, height, iterations: Int
  /// The time of network, decoding and suppression together, without resizing, as other engines are measured.
  var milliseconds: Statistics
  var withResize: Statistics
  var samples: [Double]
  var stages: [String: Statistics]
  /// The rate in the network's median time; a multiply-add counts as two operations.
  var gigaflops: Double
  /// The rate of one thread's kernels on data in the L1 cache.
  var peakGigaflops: Double
  var shareOfPeak: Double
  var peakMemoryMiB: Double

  init(_ detector: FaceDetector, size: ImageSize, iterations: Int) throws {
    let picture = RGBImage.pattern(width: 2 * size.width, height: 2 * size.height)
    var options = DetectionOptions()
    options.letterbox = .exact(width: size.width, height: size.height)
    let resizing = try detector.wholeLook(at: picture, options: options)
    var times: [String: [Double]] = [:]
    var whole: [Double] = []
    var multiplyAdds: Int64 = 0
    let clock = ContinuousClock()
    let repetitions = -(iterations + 9) / 10..<iterations
    // In a loop of its own, so that the network's memory stays in the cache, as it does for the
    // engines that `Benchmarks/compare` measures.
    for iteration in repetitions {
      let time = try clock.measure { _ = try resizing.input(of: picture) }
      if iteration >= 0 { times["resize", default: []].append(time.milliseconds) }
    }
    let input = try resizing.input(of: picture)
    let look = try detector.wholeLook(at: input, options: options)
    for iteration in repetitions {
      let run = try TimedDetection(of: input, by: look, with: detector, options: options)
      guard iteration >= 0 else { continue }
      times["network", default: []].append(run.network.milliseconds)
      times["decode", default: []].append(run.decoding.milliseconds)
      times["nms", default: []].append(run.suppression.milliseconds)
      whole.append((run.whole - run.letterboxing).milliseconds)
      multiplyAdds = run.steps.reduce(0) { $0 + $1.multiplyAdds }
    }
    machine = processorName()
    model = detector.engine.network.source
    precision = detector.precision
    instructionSet = detector.engine.instructionSet
    threads = detector.engine.threadCount
    (width, height) = (size.width, size.height)
    self.iterations = iterations
    milliseconds = Statistics(whole)
    withResize = Statistics(zip(times["resize"] ?? [], whole).map(+))
    samples = whole
    stages = times.mapValues(Statistics.init)
    let network = stages["network"]?.median ?? 0
    gigaflops = Double(2 * multiplyAdds) / network / 1e6
    peakGigaflops = detector.engine.measuredPeak()
    shareOfPeak = gigaflops / peakGigaflops / Double(threads)
    peakMemoryMiB = peakMemory()
  }

  var text: String {
    func row(_ name: String, _ statistics: Statistics) -> [String] {
      [name] + [statistics.min, statistics.median, statistics.p90].map { fixed($0, decimals: 3) }
    }
    var rows = [["milliseconds", "min", "median", "p90"]]
    rows.append(row("network, decode, nms", milliseconds))
    for name in ["network", "decode", "nms"] {
      if let statistics = stages[name] { rows.append(row("  " + name, statistics)) }
    }
    if let resize = stages["resize"] { rows.append(row("resize, not in these", resize)) }
    rows.append(row("all", withResize))
    return """
      \(machine), \(precision.rawValue), \(instructionSet), \(counted(threads, "thread")), \
      \(width)x\(height), \(iterations) iterations
      \(table(rows))
      \(fixed(gigaflops, decimals: 1)) GFLOP/s, \(fixed(100 * shareOfPeak, decimals: 1)) % of \
      \(threads) x \(fixed(peakGigaflops, decimals: 1)); peak memory \
      \(fixed(peakMemoryMiB, decimals: 1)) MiB
      """
  }
}

extension Duration {
  fileprivate var milliseconds: Double { seconds * 1000 }
}

/// The process's largest resident size so far, in MiB.
private func peakMemory() -> Double {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return Double(usage.ru_maxrss) / 1_048_576
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_maxrss) / 1024
  #endif
}

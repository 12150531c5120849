import Files
import Inference
import YOLOFace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What `yoloface bench` measured.
struct BenchReport: Encodable {
  /// Times of one stage, in milliseconds.
  struct Statistics: Encodable {
    var min: Double
    var median: Double
    var p90: Double

    init(_ samples: [Double]) {
      let sorted = samples.sorted()
      min = sorted.first ?? 0
      median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
      p90 = sorted.isEmpty ? 0 : sorted[sorted.count * 9 / 10]
    }
  }

  /// One step of the network.
  struct Step: Encodable {
    var name: String
    var kind: String
    var shape: String
    var milliseconds: Double
    var gigaflops: Double
    var share: Double
  }

  var machine: String
  var model: String
  var instructionSet: String
  var threads: Int
  var width: Int
  var height: Int
  var iterations: Int
  /// Network, decoding and suppression.
  var milliseconds: Statistics
  /// Each iteration of the same.
  var samples: [Double]
  var stages: [String: Statistics]
  /// Of the network's median time; a multiply-add counts as two operations.
  var gigaflops: Double
  /// Of one thread's kernels on data in the first cache.
  var peakGigaflops: Double
  var shareOfPeak: Double
  var peakMemoryMiB: Double
  var steps: [Step]

  init(_ detector: FaceDetector, size: ImageSize, iterations: Int) throws {
    let picture = RGBImage.pattern(width: 2 * size.width, height: 2 * size.height)
    let letterbox = try Letterbox(
      imageWidth: picture.width, imageHeight: picture.height,
      mode: .exact(width: size.width, height: size.height))
    let options = DetectionOptions()
    let clock = ContinuousClock()
    var times: [String: [Double]] = [:]
    var whole: [Double] = []
    var stepTimes: [[Double]] = []
    var stepInfos: [StepTime] = []
    for iteration in -(iterations + 9) / 10..<iterations {
      let start = clock.now
      let input = try picture.letterboxed(letterbox)
      let resized = clock.now
      var steps: [StepTime] = []
      let candidates = try detector.candidates(in: input, options: options) { steps.append($0) }
      let decoded = clock.now
      _ = nonMaximumSuppression(of: candidates, overlapThreshold: options.overlapThreshold)
      let end = clock.now
      guard iteration >= 0 else { continue }
      let network = steps.reduce(0) { $0 + $1.time.milliseconds }
      times["resize", default: []].append((resized - start).milliseconds)
      times["network", default: []].append(network)
      times["decode", default: []].append((decoded - resized).milliseconds - network)
      times["nms", default: []].append((end - decoded).milliseconds)
      whole.append((end - resized).milliseconds)
      stepInfos = steps
      stepTimes.append(steps.map(\.time.milliseconds))
    }
    machine = processorName()
    model = detector.engine.network.source
    instructionSet = detector.engine.instructionSet
    threads = detector.engine.threadCount
    width = size.width
    height = size.height
    self.iterations = iterations
    milliseconds = Statistics(whole)
    samples = whole
    stages = times.mapValues(Statistics.init)
    let network = stages["network"]?.median ?? 0
    let multiplyAdds = stepInfos.reduce(0) { $0 + $1.multiplyAdds }
    gigaflops = Double(2 * multiplyAdds) / network / 1e6
    peakGigaflops = detector.engine.measuredPeak()
    shareOfPeak = gigaflops / peakGigaflops / Double(threads)
    steps = stepInfos.enumerated().map { index, info in
      let time = Statistics(stepTimes.map { $0[index] }).median
      return Step(
        name: info.name, kind: info.kind, shape: info.shape, milliseconds: time,
        gigaflops: Double(2 * info.multiplyAdds) / time / 1e6, share: time / network)
    }
    peakMemoryMiB = peakMemory()
  }

  func text(withProfile: Bool) -> String {
    func row(_ name: String, _ statistics: Statistics) -> [String] {
      [name] + [statistics.min, statistics.median, statistics.p90].map { $0.text(places: 3) }
    }
    var rows = [["milliseconds", "min", "median", "p90"]]
    rows.append(row("network, decode, nms", milliseconds))
    for name in ["network", "decode", "nms", "resize"] {
      if let statistics = stages[name] { rows.append(row("  " + name, statistics)) }
    }
    var text = """
      \(machine), \(instructionSet), \(threads) thread\(threads == 1 ? "" : "s"), \
      \(width)x\(height), \(iterations) iterations
      \(table(rows))
      \(gigaflops.text(places: 1)) GFLOP/s, \((100 * shareOfPeak).text(places: 1)) % of \
      \(threads) x \(peakGigaflops.text(places: 1)); peak memory \
      \(peakMemoryMiB.text(places: 1)) MiB
      """
    if withProfile {
      let header = ["step", "kind", "shape", "ms", "GFLOP/s", "share %"]
      text +=
        "\n\n"
        + table(
          [header]
            + steps.map { step in
              [
                step.name, step.kind, step.shape, step.milliseconds.text(places: 3),
                step.gigaflops > 0 ? step.gigaflops.text(places: 1) : "",
                (100 * step.share).text(places: 1),
              ]
            })
    }
    return text
  }
}

extension RGBImage {
  /// A picture with smooth and noisy parts, the same in every run.
  fileprivate static func pattern(width: Int, height: Int) -> RGBImage {
    var image = RGBImage(width: width, height: height)
    var state: UInt32 = 1
    for y in 0..<height {
      for x in 0..<width {
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = UInt8(state >> 27)
        image[x, y] = Color(
          red: UInt8(x * 223 / width) + noise, green: UInt8(y * 223 / height) + noise,
          blue: UInt8((x + y) % 224) + noise)
      }
    }
    return image
  }
}

extension Duration {
  fileprivate var milliseconds: Double { seconds * 1000 }
}

extension Double {
  /// With so many decimals.
  func text(places: Int) -> String {
    let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
    guard isFinite, abs(self) < 1e12 else { return "\(self)" }
    let whole = Int((abs(self) * factor).rounded())
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = self < 0 && whole != 0 ? "-" : ""
    guard places > 0 else { return sign + padded }
    return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}

/// The processor's name as the system states it.
private func processorName() -> String {
  #if os(Linux)
    let lines = (try? readPseudoFile("/proc/cpuinfo"))?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.drop { $0 == " " } }.map(String.init)
      ?? "unknown processor"
  #else
    var size = 0
    sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
    var name = [CChar](repeating: 0, count: max(size, 1))
    sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0)
    return String(cString: name)
  #endif
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

// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace
import YOLOFaceFormatting
@_spi(Tool) import YOLOFaceInference

/// Where the time of one detection goes, and how close each step comes to what the machine allows.
struct ProfileReport: Encodable {
  /// A part of the detection; the parts are consecutive.
  struct Stage: Encodable {
    var name: String
    /// In the run that is shown, and of the whole.
    var microseconds, share: Double
    /// Over all runs.
    var medianMicroseconds: Double
  }

  /// A step of the network, or a layer when nothing is fused.
  struct Step: Encodable {
    var name, kind, shape: String
    /// The layers that it computes; none if it only copies a blob.
    var layers: [String]
    /// See `StepTime`.
    var multiplyAdds: Int64
    var bytes: Int
    /// In the run that is shown, and of the whole; for a layer, the median over all runs, and of all layers.
    var microseconds, share: Double
    /// Over all runs; the figures below are computed from it.
    var medianMicroseconds: Double
    /// A multiply-add is two operations; nil if there are none.
    var gigaflops, shareOfPeak, operationsPerByte: Double?
    /// Whether its bytes take longer than its multiply-adds, according to `Roofline`.
    var isMemoryBound: Bool
    /// The shortest time that the roof allows, divided by the time that it took.
    var shareOfRoof: Double?
    /// The time of its layers when nothing is fused.
    var unfusedMicroseconds: Double?
  }

  static let networkStage = "network"

  var version = YOLOFaceCommand.configuration.version
  var machine, instructionSet: String
  var threads: Int
  var model: String
  var precision: FaceDetector.Precision
  /// The picture's path; nil for a generated one.
  var image: String?
  var width, height, inputWidth, inputHeight: Int
  var repetitions: Int
  /// Of all threads.
  var peakGigaflops: Double
  var bandwidths: [Roofline.Bandwidth]
  var stages: [Stage]
  var steps: [Step]
  /// The network's layers, each as a step of its own; nil if they were not requested.
  var layers: [Step]?
  /// The microseconds of all stages; those of the network's stage are the sum over its steps.
  var sum: Double
  /// The microseconds of the run that is shown, from beginning to end.
  var whole: Double
  /// The median over as many runs when no step is timed, in microseconds.
  var untimed: Double
}

extension ProfileReport {
  init(
    of image: RGBImage, named name: String?, by detector: FaceDetector,
    options: DetectionOptions, repetitions: Int, withLayers: Bool
  ) throws {
    let engine = detector.engine
    let look = try detector.wholeLook(at: image, options: options)
    var runs: [TimedDetection] = []
    var untimed: [Duration] = []
    let clock = ContinuousClock()
    for repetition in -(repetitions + 9) / 10..<repetitions {
      let run = try TimedDetection(of: image, by: look, with: detector, options: options)
      let time = try clock.measure { _ = try detector.faces(in: image, by: look, options: options) }
      guard repetition >= 0 else { continue }
      runs.append(run)
      untimed.append(time)
    }
    let roofline = Roofline(of: engine, processors: processorCount)
    var layers: [StepTime]?
    if withLayers {
      let input = try look.input(of: image, filter: options.resizeFilter)
      layers = try engine.runLayers(
        [detector.recipe.input: try detector.recipe.tensor(input)], repetitions: repetitions
      ) { _, _ in }
    }
    machine = processorName()
    instructionSet = engine.instructionSet
    threads = engine.threadCount
    model = engine.network.source
    precision = detector.precision
    self.image = name
    (width, height) = (image.width, image.height)
    (inputWidth, inputHeight) = (look.letterbox.inputWidth, look.letterbox.inputHeight)
    self.repetitions = repetitions
    peakGigaflops = roofline.peak
    bandwidths = roofline.bandwidths

    let run = runs.sorted { $0.whole < $1.whole }[runs.count / 2]
    let whole = run.whole.microseconds
    func stage(_ name: String, _ time: (TimedDetection) -> Duration) -> Stage {
      Stage(
        name: name, microseconds: time(run).microseconds,
        share: time(run).microseconds / whole,
        medianMicroseconds: median(runs.map(time)).microseconds)
    }
    stages = [
      stage("letterbox", \.letterboxing), stage(Self.networkStage, \.network),
      stage("decode", \.decoding), stage("nms", \.suppression),
    ]
    var times = MedianTimes()
    for run in runs {
      times.startRun()
      for step in run.steps { times.add(step) }
    }
    let layerTimes = layers?.microsecondsByLayer
    steps = zip(run.steps, times.steps).map { step, median in
      var shown = Step(step, of: whole, median: median, roofline)
      shown.unfusedMicroseconds = layerTimes.map { times in
        step.layers.reduce(0) { $0 + (times[$1] ?? 0) }
      }
      return shown
    }
    self.layers = layers.map { layers in
      let total = layers.reduce(0) { $0 + $1.time.microseconds }
      return layers.map { Step($0, of: total, median: $0, roofline) }
    }
    sum = stages.reduce(0) { $0 + $1.microseconds }
    self.whole = whole
    self.untimed = median(untimed).microseconds
  }
}

extension ProfileReport.Step {
  /// A step in the run that is shown, and the same step with its median time; the whole is in microseconds.
  init(_ step: StepTime, of whole: Double, median: StepTime, _ roofline: Roofline) {
    (name, kind, shape, layers) = (step.name, step.kind, step.shape, step.layers)
    (multiplyAdds, bytes) = (step.multiplyAdds, step.bytes)
    microseconds = step.time.microseconds
    share = whole > 0 ? microseconds / whole : 0
    medianMicroseconds = median.time.microseconds
    let arithmetic = roofline.arithmeticTime(multiplyAdds: step.multiplyAdds)
    let memory = roofline.memoryTime(bytes: step.bytes)
    isMemoryBound = memory > arithmetic
    let operations = Double(2 * step.multiplyAdds)
    if operations > 0, bytes > 0 { operationsPerByte = operations / Double(bytes) }
    let seconds = median.time.seconds
    // A step may be shorter than the clock's resolution.
    guard seconds > 0 else { return }
    shareOfRoof = max(arithmetic, memory) / seconds
    guard operations > 0 else { return }
    gigaflops = operations / seconds / 1e9
    shareOfPeak = arithmetic / seconds
  }
}

/// The median; of the two middle times, the longer.
private func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

extension ProfileReport {
  var text: String {
    let name = image.map(printable) ?? "a generated picture"
    let speeds = bandwidths.map { bandwidth in
      "\(fixed(bandwidth.gigabytesPerSecond, decimals: 1)) in \(binarySize(bandwidth.bytes))"
    }
    var text = """
      \(conditions)
      \(printable(model)) on \(name), \(width) × \(height), input \(inputWidth) × \(inputHeight); \
      the median run of \(repetitions)
      peak \(fixed(peakGigaflops, decimals: 1)) GFLOP/s; a copy moves \
      \(speeds.joined(separator: ", ")) GB/s

      \(stageTable)
      The stages are \(fixed(100 * sum / whole, decimals: 2)) % of the whole, which takes \
      \(fixed(untimed, decimals: 1)) µs when no step is timed.

      \(stepTable(steps))
      """
    if let layers {
      let unfused = layers.reduce(0) { $0 + $1.medianMicroseconds }
      let fused = steps.reduce(0) { $0 + $1.medianMicroseconds }
      text += """


        When nothing is fused, \(counted(layers.count, "step")) of \(fixed(unfused, decimals: 1)) µs in total \
        instead of \(steps.count) of \(fixed(fused, decimals: 1)) µs, as sums of medians:

        \(stepTable(layers))
        """
    }
    return text
  }

  var conditions: String {
    "\(machine), \(precision.rawValue), \(instructionSet), \(counted(threads, "thread"))"
  }

  private var stageTable: String {
    let rows = stages.map {
      [$0.name, text($0.microseconds), percent($0.share), text($0.medianMicroseconds)]
    }
    return table(
      [["stage", "µs", "share %", "median µs"]] + rows + [
        ["sum", text(sum), percent(sum / whole), ""], ["whole", text(whole), "100.0", ""],
      ])
  }

  private func stepTable(_ steps: [Step]) -> String {
    var columns: [(title: String, text: (Step) -> String)] = [
      ("step", { printable($0.name) }), ("kind", { $0.kind }), ("shape", { $0.shape }),
      ("layers", { "\($0.layers.count)" }), ("multiply-adds", { "\($0.multiplyAdds)" }),
      ("µs", { text($0.microseconds) }), ("share %", { percent($0.share) }),
      ("median µs", { text($0.medianMicroseconds) }), ("GFLOP/s", { text($0.gigaflops) }),
      ("peak %", { percent($0.shareOfPeak) }), ("kB", { text(Double($0.bytes) / 1000) }),
      ("FLOP/B", { text($0.operationsPerByte) }),
      ("bound by", { $0.isMemoryBound ? "memory" : "arithmetic" }),
      ("roof %", { percent($0.shareOfRoof) }),
    ]
    if steps.contains(where: { $0.unfusedMicroseconds != nil }) {
      columns.append(("unfused µs", { text($0.unfusedMicroseconds) }))
    }
    return table([columns.map(\.title)] + steps.map { step in columns.map { $0.text(step) } })
  }

  private func text(_ number: Double?) -> String { number.map { fixed($0, decimals: 1) } ?? "" }

  private func percent(_ share: Double?) -> String { text(share.map { 100 * $0 }) }
}

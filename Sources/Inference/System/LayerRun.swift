// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

extension Engine {
  /// Runs a network unfused, with each layer as a step of its own, to inspect its blobs and times.
  ///
  /// All blobs exist at once, so the largest possible inputs are smaller than in other runs. `visit` is
  /// called for every blob in the order of the network.
  ///
  /// - Returns: the median time of each step over the repetitions, of which there is at least one.
  /// - Throws: `InferenceError` as `run`, and what `visit` throws.
  @_spi(Tool) public func runLayers(
    _ inputs: [String: Tensor], repetitions: Int,
    _ visit: (_ blob: String, Tensor) throws -> Void
  ) throws -> [StepTime] {
    let blobs = network.layers.flatMap(\.outputs)
    let request = PlanRequest(shapes: inputs.mapValues(\.shape), outputs: blobs, keepsLayers: true)
    try requireNoRunHere()
    return try state.withLock { _ in
      let executor = Executor(try plan(request), kernels: kernels, threads: threads)
      executor.take(inputs)
      var times = MedianTimes()
      for _ in 0..<max(1, repetitions) {
        times.startRun()
        executor.run(picture: nil) { times.add($0) }
      }
      for name in blobs { try visit(name, try executor.tensor(name)) }
      return times.steps
    }
  }
}

extension Sequence<StepTime> {
  /// The microseconds of each layer, by its name; a layer may take several steps.
  @_spi(Tool) public var microsecondsByLayer: [String: Double] {
    reduce(into: [:]) { times, step in
      for layer in step.layers { times[layer, default: 0] += step.time.microseconds }
    }
  }
}

/// The median time of each step over several runs of the same steps.
///
/// Not the shortest: where a thread is interrupted between two steps, some of one step's time is
/// counted towards the other.
@_spi(Tool) public struct MedianTimes {
  private var runs: [[StepTime]] = []

  /// No runs yet.
  public init() {}

  /// Begins another run.
  public mutating func startRun() { runs.append([]) }

  /// Takes the next step of a run.
  public mutating func add(_ step: StepTime) { runs[runs.count - 1].append(step) }

  /// The steps, in the order in which they run.
  public var steps: [StepTime] {
    guard let first = runs.first else { return [] }
    return first.indices.map { index in
      var step = first[index]
      step.time = runs.map { $0[index].time }.sorted()[runs.count / 2]
      return step
    }
  }
}

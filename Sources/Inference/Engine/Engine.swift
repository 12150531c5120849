// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceLibC
import YOLOFaceNCNN

/// Runs a network fast: plans once for an input shape, then runs many times without allocating.
///
/// It computes what `Interpreter` computes, up to the order of operations and an exponential with a
/// relative error below 4 · 10⁻⁶; in int8, a number may be a step off. The results are bit-identical for
/// any number of threads, and on all instruction sets with fused multiply-add.
///
/// An engine runs once at a time; concurrent callers wait for each other. A function that a run calls must not
/// wait for another run of the engine: on the same thread that throws, on others the two would wait for ever.
public final class Engine: Sendable {
  /// The network that is run.
  public let network: Network
  /// The blobs that a run on a picture computes whole.
  public let outputs: [String]
  /// The blobs whose gates a run on a picture computes, and the rest of a group where its gate passes.
  public let gated: [GatedOutput]
  /// What the bytes of a picture become.
  public let normalization: Normalization
  /// The number of threads.
  public var threadCount: Int { threads.count }
  /// The name of the instruction set.
  public let instructionSet: String
  /// The most elements of four bytes that blobs and weights may take together at any time.
  public let maximumElements: Int
  /// The most steps of arithmetic of a run, see `Interpreter.maximumWork`; layers without a kernel may take a
  /// sixteenth of it.
  public let maximumWork: Int64

  let weights: [[[Float]]]
  let lowerings: [Lowering]
  let int8Blobs: Set<String>
  let kernels: KernelTable
  let threads: ThreadPool
  let state = SystemMutex(State())

  /// Prepares a network whose weights are loaded, on a number of threads that is clamped to 1 … 256, and on
  /// the named instruction set, the environment's, or the fastest.
  ///
  /// - Throws: `InferenceError` where a layer that the outputs depend on is of an unknown kind or its
  ///   weights are not loaded, where a layer reads an int8 blob and its kind cannot, or where the
  ///   instruction set is not available.
  public init(
    _ network: Network, outputs: [String] = [], gated: [GatedOutput] = [],
    normalization: Normalization = .bytes, threads: Int = 1, instructionSet: String? = nil,
    maximumElements: Int = RunLimit.defaultElements, maximumWork: Int64 = RunLimit.defaultWork
  ) throws(InferenceError) {
    try Schedule(network, extracting: outputs + gated.map { $0.blob })
      .requireRunnableLayers(of: network)
    self.network = network
    self.outputs = outputs
    self.gated = gated
    self.normalization = normalization
    int8Blobs = try network.int8Blobs()
    weights = network.layers.map { $0.numbers }
    lowerings = zip(network.layers, weights).map { $0.lowering($1) }
    kernels = try KernelTable.selected(instructionSet)
    self.instructionSet = kernels.name
    self.threads = ThreadPool(count: threads)
    self.maximumElements = maximumElements
    self.maximumWork = maximumWork
  }

  /// Computes blobs, given a tensor for each input that they depend on.
  ///
  /// - Returns: the wanted blobs by name.
  /// - Throws: `InferenceError` where an input is missing, a blob unknown, a layer cannot work on the
  ///   shapes that come up, too much memory or work would be needed, and within another run.
  public func run(
    _ inputs: [String: Tensor], extracting wanted: [String]
  ) throws(InferenceError) -> [String: Tensor] {
    let request = PlanRequest(shapes: inputs.mapValues { $0.shape }, outputs: wanted)
    return try alone { state throws(InferenceError) in
      let executor = try executor(.tensors(request), in: &state)
      executor.take(inputs)
      executor.run()
      var found: [String: Tensor] = [:]
      for name in wanted { found[name] = try executor.tensor(name) }
      return found
    }
  }

  /// Plans runs on pictures of a size, so that a size that cannot be run is refused early.
  ///
  /// - Throws: `InferenceError` where a layer cannot work on the shapes that come up, where a gated
  ///   output does not have the stated shape, where too much memory or work would be needed, and within a run.
  public func prepare(rows: Int, columns: Int) throws(InferenceError) {
    try alone { state throws(InferenceError) in
      _ = try executor(.picture(rows: rows, columns: columns), in: &state)
    }
  }

  /// Runs the network, whose one input is a picture of 8-bit RGB, rows × columns × 3, and calls `look` with
  /// the outputs that the engine was made for while other callers still wait.
  ///
  /// Where a gated output ends in a 1 × 1 convolution, Reshape and Permute, only its gates are
  /// computed at every cell, and the other values on demand. `timer` is called with the time of each
  /// step; its own time counts towards the next step.
  ///
  /// - Returns: what `look` throws.
  /// - Throws: `InferenceError` as `prepare`, and where the picture has the wrong number of bytes.
  public func run<Failure>(
    picture: [UInt8], rows: Int, columns: Int, timer: ((StepTime) -> Void)? = nil,
    _ look: (borrowing PictureOutputs) throws(Failure) -> Void
  ) throws(InferenceError) -> Result<Void, Failure> {
    try requirePicture(picture, rows: rows, columns: columns)
    return try alone { state throws(InferenceError) in
      let executor = try executor(.picture(rows: rows, columns: columns), in: &state)
      picture.withUnsafeBufferPointer { executor.run(picture: $0.baseAddress, timer: timer) }
      do throws(Failure) {
        return .success(
          try look(PictureOutputs(executor: executor, outputs: outputs, gated: gated)))
      } catch {
        return .failure(error)
      }
    }
  }
}

extension Engine {
  struct State {
    /// In the order of their last runs.
    fileprivate var planned: [(key: PlanKey, executor: Executor)] = []
    let store = PlanStore()
    /// One run is in progress at a time.
    let memory = RunMemory()

    var executors: [Executor] { planned.map { $0.executor } }
  }

  /// What tells executors apart. Keys of pictures are compared without allocating.
  enum PlanKey: Equatable {
    case picture(rows: Int, columns: Int)
    case tensors(PlanRequest)
  }

  /// Refuses to go on within a run on this thread, which it would wait for.
  package func requireNoRunHere() throws(InferenceError) {
    guard !state.isHeldByThisThread else {
      throw InferenceError(
        .nested, found: "a run within another of the same engine",
        expected: "one after the other, or an engine for each")
    }
  }

  func alone<Result>(
    _ body: (inout State) throws(InferenceError) -> Result
  ) throws(InferenceError) -> Result {
    try requireNoRunHere()
    return try state.withLock(body)
  }

  /// The most plans that are kept.
  private static let mostPlans = 64

  /// The executor of a plan that is kept, or of a new one; the plans that were used longest ago make
  /// room for it.
  private func executor(_ key: PlanKey, in state: inout State) throws(InferenceError) -> Executor {
    if let index = state.planned.lastIndex(where: { $0.key == key }) {
      state.planned.append(state.planned.remove(at: index))
      return state.planned[state.planned.count - 1].executor
    }
    let request =
      switch key {
      case .picture(let rows, let columns): try pictureRequest(rows: rows, columns: columns)
      case .tensors(let request): request
      }
    let plan = try plan(request, store: state.store)
    // All together take no more memory than one plan may.
    func elements() -> Int { state.executors.reduce(plan.ownElements) { $0 + $1.ownElements } }
    while !state.planned.isEmpty,
      state.planned.count >= Self.mostPlans || elements() > maximumElements
    {
      state.planned.removeFirst()
    }
    state.store.prune()
    let executor = Executor(plan, kernels: kernels, threads: threads, memory: state.memory)
    state.planned.append((key, executor))
    return executor
  }
}

extension Executor {
  /// Puts the inputs where the plan reads them; those that it does not need are ignored.
  func take(_ inputs: [String: Tensor]) {
    for (name, tensor) in inputs {
      if let index = plan.inputTensors[name] { tensors[index] = tensor }
    }
  }

  /// A blob that still exists after a run, as a tensor.
  func tensor(_ name: String) throws(InferenceError) -> Tensor {
    let value = try value(name)
    if let blob = value.blocked { return Tensor(value.shape, values(of: blob)) }
    guard let tensor = value.tensor else {
      preconditionFailure("the blob \(name) is neither in blocks nor in a tensor")
    }
    return tensors[tensor]
  }

  /// Where a blob that still exists after a run is, and its shape.
  func value(_ name: String) throws(InferenceError) -> Plan.Value {
    guard let value = plan.values[name] else {
      throw InferenceError(.blob, found: "the blob name \(name)", expected: "a blob of the plan")
    }
    return value
  }
}

import Kernels
import NCNN
import Synchronization

/// Runs a network fast: planned once for an input shape, then run many times without allocating.
///
/// It computes what `Interpreter` computes, up to the order of additions and an exponential with a
/// relative error below 4 · 10⁻⁶; the results are the same to the bit for any number of threads, and
/// on all instruction sets with fused multiply-add.
/// One run at a time; callers from several tasks wait for each other.
public final class Engine: Sendable {
  /// The network that is run.
  public let network: Network
  /// The number of threads.
  public var threadCount: Int { threads.count }
  /// The name of the instruction set.
  public let instructionSet: String

  private let weights: [[[Float]]]
  let kernels: KernelTable
  let threads: ThreadPool
  let state = Mutex(State())

  /// The executors of the shapes that are in use.
  struct State {
    var executors: [PlanKey: Executor] = [:]
    /// The last picture's, found without making a key, which would allocate.
    var last: (heads: [HeadLayout], rows: Int, columns: Int, executor: Executor)?
  }

  /// What a plan depends on.
  struct PlanKey: Hashable {
    var shapes: [String: [Int]]
    var wanted: [String]
    var heads: [HeadLayout] = []
    var takesPicture: Bool
    /// Whether each layer is a step of its own.
    var keepsLayers = false
  }

  /// Prepares a network whose weights are loaded.
  ///
  /// - Parameters:
  ///   - network: with its weights.
  ///   - threads: how many threads a run uses, at least 1.
  ///   - instructionSet: its name; nil takes the environment's or the fastest.
  /// - Throws: `ModelError` where layers are of unknown kinds, `InferenceError` where a layer asks
  ///   for int8 arithmetic, its weights are not loaded, or the instruction set is not here.
  public init(_ network: Network, threads: Int = 1, instructionSet: String? = nil) throws {
    try network.requireKnownLayers()
    for layer in network.layers { try requireRunnable(layer) }
    self.network = network
    weights = network.layers.map { $0.weights.map(\.floats) }
    kernels = try KernelTable.selected(instructionSet)
    self.instructionSet = kernels.name
    self.threads = ThreadPool(count: threads)
  }

  /// Runs the network on tensors.
  ///
  /// - Parameters:
  ///   - inputs: a tensor for each input blob that the wanted blobs depend on.
  ///   - wanted: names of blobs.
  /// - Returns: the wanted blobs by name.
  /// - Throws: `InferenceError` where an input is missing, a blob unknown, or a layer cannot work on
  ///   the shapes that come up.
  public func run(
    _ inputs: [String: Tensor], extracting wanted: [String]
  ) throws -> [String: Tensor] {
    let key = PlanKey(
      shapes: inputs.mapValues(\.shape), wanted: wanted, takesPicture: false)
    return try state.withLock { state in
      let executor = try executor(key, in: &state)
      executor.take(inputs)
      executor.run()
      return try Dictionary(
        uniqueKeysWithValues: Set(wanted).map { ($0, try executor.tensor($0)) })
    }
  }

  /// Plans `visitHeads` for pictures of a size, so that one that cannot be run is refused early.
  ///
  /// - Throws: `InferenceError` where a layer cannot work on the shapes that come up, or where too
  ///   much memory or work would be needed.
  public func prepare(_ heads: [HeadLayout], rows: Int, columns: Int) throws(InferenceError) {
    try state.withLock { state throws(InferenceError) in
      _ = try executor(heads, rows: rows, columns: columns, in: &state)
    }
  }

  /// The executor for a picture of a size.
  private func executor(
    _ heads: [HeadLayout], rows: Int, columns: Int, in state: inout State
  ) throws(InferenceError) -> Executor {
    if let last = state.last, last.rows == rows, last.columns == columns, last.heads == heads {
      return last.executor
    }
    let key = try pictureKey(heads, rows: rows, columns: columns)
    let executor = try executor(key, in: &state)
    state.last = (heads, rows, columns, executor)
    return executor
  }

  /// What the plan for a picture of a size depends on.
  func pictureKey(
    _ heads: [HeadLayout], rows: Int, columns: Int
  ) throws(InferenceError) -> PlanKey {
    guard network.inputs.count == 1 else {
      throw InferenceError(
        .input, found: "\(network.inputs.count) inputs", expected: "one, for the picture")
    }
    return PlanKey(
      shapes: [network.inputs[0]: [3, rows, columns]], wanted: heads.map(\.blob), heads: heads,
      takesPicture: true)
  }

  /// Runs the network on a picture and looks through its detection heads.
  ///
  /// Where the heads end in a 1 × 1 convolution, Reshape and Permute, only the objectness is computed
  /// at every cell, and the other values where it is high enough.
  ///
  /// - Parameters:
  ///   - heads: the outputs to look through.
  ///   - picture: 8-bit RGB, rows × columns × 3; the network's one input takes it divided by 255.
  ///   - rows: the picture's.
  ///   - columns: the picture's.
  ///   - minimumObjectness: the lowest raw objectness that is of interest.
  ///   - timer: told how long each step took, if given; what it takes itself counts to the next.
  ///   - visit: called for each cell of interest with the head's number and all 16 raw values, by
  ///     head, anchor, row and column.
  /// - Throws: `InferenceError` where the picture or the heads' shapes do not fit.
  public func visitHeads(
    _ heads: [HeadLayout], of picture: [UInt8], rows: Int, columns: Int, minimumObjectness: Float,
    timer: ((StepTime) -> Void)? = nil,
    _ visit: (
      _ head: Int, _ anchor: Int, _ row: Int, _ column: Int, _ values: SIMD16<Float>
    ) -> Void
  ) throws {
    guard picture.count == elementCount([3, rows, columns]) else {
      throw InferenceError(
        .input, found: "\(picture.count) bytes", expected: "\(rows) × \(columns) × 3")
    }
    try state.withLock { state in
      let executor = try executor(heads, rows: rows, columns: columns, in: &state)
      picture.withUnsafeBufferPointer { executor.run(picture: $0.baseAddress, timer: timer) }
      for (number, head) in heads.enumerated() {
        try executor.visitCells(number, head, rows, columns, minimumObjectness) {
          visit(number, $0, $1, $2, $3)
        }
      }
    }
  }

  private func executor(
    _ key: PlanKey, in state: inout State
  ) throws(InferenceError) -> Executor {
    if let executor = state.executors[key] { return executor }
    // A few sizes are in use at a time; more would only hold memory.
    if state.executors.count >= 4 { state = State() }
    let executor = Executor(try plan(key), kernels: kernels, threads: threads)
    state.executors[key] = executor
    return executor
  }

  /// The most multiply-adds of a run, and the most elements that its tasks may copy.
  static let maximumWork: Int64 = 1 << 37

  /// Plans a run, within bounds of memory and time.
  func plan(_ key: PlanKey) throws(InferenceError) -> Plan {
    let schedule = try Schedule(network, extracting: key.wanted)
    try schedule.require(inputs: Set(key.shapes.keys), of: network)
    let inference = try ShapeInference(network, layers: schedule.layers, inputs: key.shapes)
    // The plan bounds its own memory; this bounds the time, and what plain layers hold.
    var budget = Budget(maximumElements: 1 << 29, maximumWork: Self.maximumWork)
    try budget.check(schedule, of: network, shapes: inference.shapes)
    var graph = Graph(
      network, schedule, shapes: inference.shapes, weights: weights, wanted: key.wanted
    ).eliminatingSplits()
    var heads: [Graph.ReducedHead] = []
    if !key.keepsLayers {
      graph = graph.fusingActivations().foldingSwish().fusingDepthwise().fusingPointwise()
      if let reduced = graph.reducingHeads(key.heads) { (graph, heads) = reduced }
      graph = graph.joiningSiblings().fusingUpsampling()
    }
    let plan = try Planner(
      graph, heads: heads, kernels: kernels, takesPicture: key.takesPicture
    ).plan
    try plan.requireBounds(threads: threads.count)
    return plan
  }
}

extension Duration {
  /// In seconds.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// In millionths of a second.
  package var microseconds: Double { seconds * 1e6 }
}

/// How long one step of a plan takes.
public struct StepTime: Sendable {
  /// The name of the layer, the last one where several were fused.
  public var name: String
  /// The names of all layers that the step computes; none where it only copies a blob.
  public var layers: [String]
  /// The multiply-adds of plain convolutions. Winograd's tiles need fewer, and so does a blob that is
  /// doubled after its convolution; of a reduced detection head only the objectness counts.
  public var multiplyAdds: Int64
  /// The bytes that the step moves at least: each element of what it reads, weights and biases
  /// included, and of what it writes, once. Blobs count as they lie in memory, in whole blocks of
  /// channels; what fused convolutions hand over in scratch memory does not count.
  public var bytes: Int
  /// What the step is: `convolution`, `pooling` and so on.
  public var kind: String
  /// What it makes, as channels × rows × columns or the like.
  public var shape: String
  /// The time.
  public var time: Duration
}

extension Executor {
  /// Puts the inputs where the plan reads them; those that it does not need are left out.
  func take(_ inputs: [String: Tensor]) {
    for (name, tensor) in inputs {
      if let index = plan.inputTensors[name] { tensors[index] = tensor }
    }
  }

  /// A blob that still exists after a run, as a tensor.
  func tensor(_ name: String) throws(InferenceError) -> Tensor {
    guard let value = plan.values[name] else {
      throw InferenceError(.blob, found: "the blob name \(name)", expected: "a blob of the plan")
    }
    if let blob = value.blocked { return Tensor(value.shape, values(of: blob)) }
    return tensors[value.tensor ?? 0]
  }
}

extension StepTime {
  /// A step before it runs.
  init(_ step: Plan.Step, bytes: Int) {
    self.init(
      name: step.name, layers: step.layers, multiplyAdds: step.multiplyAdds, bytes: bytes,
      kind: step.kind.name, shape: step.shape.map(String.init).joined(separator: "x"), time: .zero)
  }
}

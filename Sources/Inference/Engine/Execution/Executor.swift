import Kernels
import NCNN
import Synchronization

/// The memory of a plan and the threads that run it.
///
/// Unchecked: the owner runs one at a time; within a run, the tasks of a step write to different
/// places, and `ThreadPool.meet` separates the steps.
final class Executor: @unchecked Sendable {
  let plan: Plan
  let kernels: KernelTable
  private let threads: ThreadPool
  let arena: AlignedBuffer<Float>
  let weights: AlignedBuffer<Float>
  let byteWeights: AlignedBuffer<Int8>
  let byteBiases: AlignedBuffer<Int32>
  let byteTables: AlignedBuffer<UInt8>
  /// Offsets in bytes of the blocks that int8 kernels write.
  let targets: AlignedBuffer<Int>
  /// Zeros for the biases of convolutions that have none, and for rows above and below a blob.
  let zeros: AlignedBuffer<Float>
  private let scratch: [AlignedBuffer<Float>]
  private let nextTask: UnsafeMutablePointer<Atomic<Int>>
  let sources: UnsafeMutablePointer<Int>
  /// Tensors of inputs, outputs and fallback steps, by the plan's numbers.
  var tensors: [Tensor]
  private(set) var picture: UnsafePointer<UInt8>?
  private var timer: ((Int) -> Void)?
  /// `work`, made once: making a closure for every run would allocate.
  private var body: @Sendable (Int) -> Void = { _ in }
  /// The steps as a timer receives them, made once: making them between two steps would take time.
  private lazy var stepTimes = plan.steps.map { StepTime($0, bytes: plan.bytes(of: $0)) }

  init(_ plan: consuming Plan, kernels: KernelTable, threads: ThreadPool) {
    self.kernels = kernels
    self.threads = threads
    arena = AlignedBuffer(count: plan.arenaSize)
    weights = AlignedBuffer(plan.weights)
    byteWeights = AlignedBuffer(plan.byteWeights)
    byteBiases = AlignedBuffer(plan.byteBiases)
    byteTables = AlignedBuffer(plan.byteTables)
    targets = AlignedBuffer(plan.targets.map { plan.blockOffsets[$0] * MemoryLayout<Float>.size })
    zeros = AlignedBuffer(repeating: 0, count: plan.zeroCount)
    scratch = (0..<threads.count).map { _ in AlignedBuffer(count: plan.scratchSize) }
    tensors = plan.tensorShapes.map { Tensor($0) }
    nextTask = .allocate(capacity: max(1, plan.steps.count))
    for index in 0..<max(1, plan.steps.count) { (nextTask + index).initialize(to: Atomic(0)) }
    sources = .allocate(capacity: max(1, plan.sources.count))
    sources.initialize(repeating: 0, count: max(1, plan.sources.count))
    for (index, offset) in plan.sources.enumerated() { sources[index] = offset }
    let convolutions = plan.steps.compactMap { step -> ConvolutionStep? in
      if case .convolution(let convolution) = step.kind { convolution } else { nil }
    }
    let cells = plan.gated.compactMap { output -> ConvolutionStep? in
      if case .floats(let cell) = output?.cell { cell } else { nil }
    }
    for step in convolutions + convolutions.compactMap({ $0.prelude }) + cells {
      for (index, block) in step.blockOfSource.enumerated() {
        sources[step.sources + index] += plan.blockOffsets[block]
      }
    }
    for (source, block) in plan.byteSources {
      sources[source] += plan.blockOffsets[block] * MemoryLayout<Float>.size
    }
    // All have been copied to where kernels read them.
    plan.weights = []
    plan.byteWeights = []
    plan.byteBiases = []
    plan.byteTables = []
    plan.sources = []
    self.plan = plan
    let executor = Unmanaged.passUnretained(self)
    body = { thread in executor._withUnsafeGuaranteedRef { $0.work(thread: thread) } }
  }

  deinit {
    nextTask.deinitialize(count: max(1, plan.steps.count))
    nextTask.deallocate()
    sources.deallocate()
  }

  /// Runs all steps.
  ///
  /// - Parameters:
  ///   - picture: 8-bit RGB of the planned size, if the plan takes a picture.
  ///   - timer: called by the calling thread after each step. The clock is read once between two
  ///     steps, so that their times add up to the whole; the time of `timer` itself counts towards
  ///     the next step.
  func run(picture: UnsafePointer<UInt8>? = nil, timer: ((StepTime) -> Void)? = nil) {
    self.picture = picture
    if let timer {
      let steps = stepTimes
      let clock = ContinuousClock()
      var last = clock.now
      self.timer = { index in
        let now = clock.now
        var step = steps[index]
        step.time = now - last
        last = now
        timer(step)
      }
    }
    for index in plan.steps.indices { nextTask[index].store(0, ordering: .relaxed) }
    threads.run(body)
    self.picture = nil
    self.timer = nil
  }

  /// What each thread does in a run: takes tasks of a step until none is left, then goes to the
  /// next step.
  private func work(thread: Int) {
    for index in plan.steps.indices {
      let count = plan.steps[index].taskCount
      while true {
        let task = nextTask[index].add(1, ordering: .relaxed).oldValue
        if task >= count { break }
        run(plan.steps[index].kind, task: task, thread: thread)
      }
      threads.meet()
      if thread == 0 { timer?(index) }
    }
  }

  /// The first element of a block.
  func address(_ block: Int) -> UnsafeMutablePointer<Float> {
    arena.start + plan.blockOffsets[block]
  }

  private func run(_ kind: Plan.Kind, task: Int, thread: Int) {
    switch kind {
    case .convolution(let step):
      convolve(step, task: task, scratch: scratch[thread].start)
    case .depthwise(let step):
      for (position, block) in step.to.enumerated() {
        depthwise(
          step.parameters, position, input: address(step.from[position]), row: task,
          output: address(block)
            + task * step.parameters.windows.outputColumns * plan.lanes)
      }
    case .pooling(let step): pool(step, row: task)
    case .gather(let step): gather(step, row: task)
    case .byteConvolution(let step): convolve(step, task: task, scratch: scratch[thread].bytes)
    case .byteDepthwise(let step): convolve(step, task: task, scratch: scratch[thread].bytes)
    case .bytePooling(let step): poolBytes(step, row: task)
    case .byteGather(let step): gatherBytes(step, row: task)
    case .quantise(let step): quantise(step, block: task)
    case .bilinear(let step): resizeBilinear(step, row: task)
    case .activation(let activation, let from, let to, let pixels):
      kernels.activate(
        ActivationRun(
          input: address(from[task]), pixels: pixels, activation: activation,
          output: address(to[task])))
    case .elementwise(let step): combine(step, row: task)
    case .picture(let normalisation, let tensor):
      guard let picture else { return }
      let pixels = tensors[tensor].rows * tensors[tensor].columns
      tensors[tensor].values = []
      tensors[tensor].values = normalisation.planes(of: picture, pixels: pixels)
    case .pack(let tensor, let blob): pack(tensors[tensor], blob)
    case .unpack(let blob, let tensor):
      tensors[tensor].values = []
      tensors[tensor].values = values(of: blob)
    case .fallback(let kind, let weights, let inputs, let outputs):
      fallBack(kind, weights, inputs, outputs)
    }
  }

  /// One row of one block of a depthwise convolution.
  func depthwise(
    _ parameters: DepthwiseParameters, _ position: Int, input: UnsafePointer<Float>, row: Int,
    output: UnsafeMutablePointer<Float>
  ) {
    let windows = parameters.windows
    let kernelRows = windows.kernel.height
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: kernelRows) { rows in
      for ky in 0..<kernelRows {
        let inputRow =
          row * windows.stride.height + ky * windows.dilation.height - windows.padTop
        let isInside = inputRow >= 0 && inputRow < windows.inputRows
        rows.initializeElement(
          at: ky,
          to: isInside
            ? input + inputRow * windows.inputColumns * plan.lanes : UnsafePointer(zeros.start))
      }
      guard let first = rows.baseAddress else { return }
      kernels.depthwise(
        DepthwiseRun(
          rows: first, kernelRows: kernelRows, kernelColumns: windows.kernel.width,
          inputColumns: windows.inputColumns, outputColumns: windows.outputColumns,
          stride: windows.stride.width, dilation: windows.dilation.width,
          padLeft: windows.padLeft, weights: weights.start + parameters.weights[position],
          bias: weights.start + parameters.biases[position], output: output,
          activation: parameters.activation))
    }
  }

  private func gather(_ step: GatherStep, row: Int) {
    step.columns.withUnsafeBufferPointer { columns in
      for (position, block) in step.to.enumerated() {
        kernels.gatherPixels(
          GatherRun(
            row: address(step.from[position]) + step.rows[row] * step.inputColumns * plan.lanes,
            columns: columns, output: address(block) + row * columns.count * plan.lanes))
      }
    }
  }

  private func pack(_ tensor: Tensor, _ blob: BlockedBlob) {
    let size = blob.rows * blob.columns
    tensor.values.withUnsafeBufferPointer { values in
      forEachRun(of: blob) { channel, pixels, source in
        for pixel in pixels { source[pixel * plan.lanes] = values[channel * size + pixel] }
      }
    }
  }

  /// The elements of a blob as C × H × W.
  func values(of blob: BlockedBlob) -> [Float] {
    let size = blob.rows * blob.columns
    return [Float](unsafeUninitializedCapacity: blob.channels.count * size) { values, count in
      forEachRun(of: blob) { channel, pixels, source in
        for pixel in pixels { values[channel * size + pixel] = source[pixel * plan.lanes] }
      }
      count = values.count
    }
  }

  /// Calls a function with every channel of a blob, some pixels at a time, so that a block's pixels
  /// stay in the L1 cache for all of its channels.
  ///
  /// - Parameter body: called with the channel, the pixels and where the channel begins.
  private func forEachRun(
    of blob: BlockedBlob, _ body: (Int, Range<Int>, UnsafeMutablePointer<Float>) -> Void
  ) {
    let size = blob.rows * blob.columns
    for first in stride(from: 0, to: size, by: 64) {
      let pixels = first..<min(first + 64, size)
      for (channel, place) in blob.channels.enumerated() {
        body(channel, pixels, address(place.block) + place.lane)
      }
    }
  }

  private func fallBack(
    _ kind: AnyLayerKind, _ weights: [[Float]], _ inputs: [Int], _ outputs: [Int]
  ) {
    // The last run's values would be in memory beside the new ones.
    for tensor in outputs { tensors[tensor].values = [] }
    let results = try? kind.apply(
      inputs.map { tensors[$0] }, weights, outputs.map { plan.tensorShapes[$0] })
    guard let results else { preconditionFailure("the shapes have been inferred") }
    for (tensor, result) in zip(outputs, results) { tensors[tensor] = result }
  }
}

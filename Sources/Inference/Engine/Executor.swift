import Kernels
import NCNN
import Synchronization

/// The memory of a plan and the threads that run it.
///
/// Unchecked: one run at a time, which the owner sees to; within a run, tasks of a step write to
/// different places and steps are parted by `ThreadPool.meet`.
final class Executor: @unchecked Sendable {
  let plan: Plan
  let kernels: KernelTable
  private let threads: ThreadPool
  let arena: AlignedBuffer
  let weights: AlignedBuffer
  /// Biases of convolutions that have none.
  let zeros: AlignedBuffer
  private let scratch: [AlignedBuffer]
  private let nextTask: UnsafeMutablePointer<Atomic<Int>>
  let sources: UnsafeMutablePointer<Int>
  /// Tensors of inputs, outputs and fallback steps, by the plan's numbers.
  var tensors: [Tensor]
  private var picture: UnsafePointer<UInt8>?
  private var timer: ((Int) -> Void)?
  /// `work`, made once: a closure made for every run would be an allocation.
  private var body: @Sendable (Int) -> Void = { _ in }

  init(_ plan: Plan, kernels: KernelTable, threads: ThreadPool) {
    self.plan = plan
    self.kernels = kernels
    self.threads = threads
    arena = AlignedBuffer(count: plan.arenaSize)
    weights = AlignedBuffer(plan.weights)
    zeros = AlignedBuffer([Float](repeating: 0, count: 2 * plan.lanes))
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
    let preludes = convolutions.compactMap { step -> ConvolutionStep? in
      if case .pointwise(_, let prelude) = step.source { prelude } else { nil }
    }
    for step in convolutions + preludes + plan.heads.map(\.cell) {
      for (index, block) in step.blockOfSource.enumerated() {
        sources[step.sources + index] += plan.blockOffsets[block]
      }
    }
    body = { [unowned self] thread in self.work(thread: thread) }
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
  ///   - timer: called by the calling thread after each step.
  func run(picture: UnsafePointer<UInt8>? = nil, timer: ((Int) -> Void)? = nil) {
    self.picture = picture
    self.timer = timer
    for index in plan.steps.indices { nextTask[index].store(0, ordering: .relaxed) }
    threads.run(body)
    self.picture = nil
    self.timer = nil
  }

  /// Runs all steps and tells how long each took.
  func run(picture: UnsafePointer<UInt8>?, timer: (StepTime) -> Void) {
    let clock = ContinuousClock()
    var last = clock.now
    withoutActuallyEscaping(timer) { timer in
      run(picture: picture) { index in
        let now = clock.now
        timer(StepTime(self.plan.steps[index], time: now - last))
        last = now
      }
    }
  }

  /// What each thread does in a run: tasks of a step as long as there are any, then the next step.
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
          inputRows: step.inputRows, inputColumns: step.inputColumns,
          outputColumns: step.outputColumns,
          output: address(block) + task * step.outputColumns * plan.lanes)
      }
    case .pooling(let step): pool(step, row: task)
    case .gather(let step): gather(step, row: task)
    case .activation(let activation, let from, let to, let pixels):
      kernels.activate(address(from[task]), pixels, activation, address(to[task]))
    case .sum(let first, let second, let to, let pixels):
      kernels.add(address(first[task]), address(second[task]), pixels, address(to[task]))
    case .picture(let tensor): tensors[tensor].values = pictureValues(tensors[tensor])
    case .pack(let tensor, let blob): pack(tensors[tensor], blob)
    case .unpack(let blob, let tensor): tensors[tensor].values = values(of: blob)
    case .fallback(let layer, let weights, let inputs, let outputs):
      fallBack(layer, weights, inputs, outputs)
    }
  }

  private func convolve(
    _ step: ConvolutionStep, task: Int, scratch: UnsafeMutablePointer<Float>
  ) {
    let lanes = plan.lanes
    if case .blocks = step.source {
      let first = task * step.chunk
      let pixels = min(step.chunk, step.outputRows * step.outputColumns - first)
      convolve(
        step, input: arena.start + first * lanes, step: lanes, firstPixel: first, pixels: pixels)
      return
    }
    let firstRow = task * step.chunk
    let rows = min(step.chunk, step.outputRows - firstRow)
    var channels = lanes
    switch step.source {
    case .blocks: break
    case .bordered(let blocks):
      copyBordered(step, blocks, firstRow: firstRow, rows: rows, to: scratch)
    case .winograd(let blocks):
      copyBordered(step, blocks, firstRow: firstRow, rows: rows, to: scratch)
      convolveTiles(step, blocks.count, firstRow: firstRow, rows: rows, scratch: scratch)
      return
    case .pointwise(_, let prelude):
      computeBordered(step, prelude, firstRow: firstRow, rows: rows, to: scratch)
    case .interleaved, .picture:
      channels = copyInterleaved(step, firstRow: firstRow, rows: rows, to: scratch)
    case .depthwise(let blocks, let parameters):
      for (position, block) in blocks.enumerated() {
        for row in 0..<rows {
          depthwise(
            parameters, position, input: address(block), row: firstRow + row,
            inputRows: step.inputRows, inputColumns: step.inputColumns,
            outputColumns: step.outputColumns,
            output: scratch + (position * step.chunk + row) * step.outputColumns * lanes)
        }
      }
      convolve(
        step, input: scratch, step: lanes, firstPixel: firstRow * step.outputColumns,
        pixels: rows * step.outputColumns)
      return
    }
    let rowElements = step.borderedColumns * channels * step.stride.height
    for row in 0..<rows {
      convolve(
        step, input: scratch + row * rowElements, step: channels * step.stride.width,
        firstPixel: (firstRow + row) * step.outputColumns, pixels: step.outputColumns)
    }
  }

  /// Runs all output blocks over neighbouring pixels, into the arena.
  private func convolve(
    _ step: ConvolutionStep, input: UnsafePointer<Float>, step pixelStep: Int, firstPixel: Int,
    pixels: Int
  ) {
    convolve(
      step, input: input, step: pixelStep, output: arena.start + firstPixel * plan.lanes,
      pixels: pixels
    ) { plan.blockOffsets[$0] }
  }

  private func convolve(
    _ step: ConvolutionStep, input: UnsafePointer<Float>, step pixelStep: Int,
    output: UnsafeMutablePointer<Float>, pixels: Int, blockOffset: (Int) -> Int
  ) {
    for group in step.outputs {
      let first = blockOffset(group.blocks[0])
      let isPair = group.blocks.count == 2
      let run = ConvolutionRun(
        input: input, sources: sources + step.sources, sourceCount: step.sourceCount,
        step: pixelStep, weights: weights.start + group.weights, bias: weights.start + group.bias,
        output: output + first, blockStride: isPair ? blockOffset(group.blocks[1]) - first : 0,
        pixels: pixels, activation: step.activation)
      if isPair { kernels.convolvePair(run) } else { kernels.convolveSingle(run) }
    }
  }

  /// Computes the input rows of a task by a 1 × 1 convolution, with a border of zeros.
  private func computeBordered(
    _ step: ConvolutionStep, _ prelude: ConvolutionStep, firstRow: Int, rows: Int,
    to scratch: UnsafeMutablePointer<Float>
  ) {
    let lanes = plan.lanes
    let columns = step.borderedColumns
    let blockSize = step.borderedRows * columns * lanes
    let copied = max(0, min(step.inputColumns, columns - step.padLeft))
    let filled = step.padLeft + copied
    for row in 0..<step.borderedRowCount(rows) {
      let target = scratch + row * columns * lanes
      let inputRow = firstRow * step.stride.height + row - step.padTop
      let isInside = inputRow >= 0 && inputRow < step.inputRows
      for block in 0..<prelude.blockCount {
        let target = target + block * blockSize
        let zeros = isInside ? step.padLeft : columns
        target.update(repeating: 0, count: zeros * lanes)
        if isInside {
          (target + filled * lanes).update(repeating: 0, count: (columns - filled) * lanes)
        }
      }
      guard isInside else { continue }
      convolve(
        prelude, input: arena.start + inputRow * step.inputColumns * lanes, step: lanes,
        output: target + step.padLeft * lanes, pixels: copied
      ) { $0 * blockSize }
    }
  }

  /// Copies the input rows of a task with a border of zeros.
  private func copyBordered(
    _ step: ConvolutionStep, _ blocks: [Int], firstRow: Int, rows: Int,
    to scratch: UnsafeMutablePointer<Float>
  ) {
    let lanes = plan.lanes
    let columns = step.borderedColumns
    let used = step.borderedRowCount(rows)
    let copied = max(0, min(step.inputColumns, columns - step.padLeft))
    for (position, block) in blocks.enumerated() {
      let input = address(block)
      for row in 0..<used {
        let target = scratch + (position * step.borderedRows + row) * columns * lanes
        let inputRow = firstRow * step.stride.height + row - step.padTop
        guard inputRow >= 0, inputRow < step.inputRows else {
          target.update(repeating: 0, count: columns * lanes)
          continue
        }
        target.update(repeating: 0, count: step.padLeft * lanes)
        (target + step.padLeft * lanes).update(
          from: input + inputRow * step.inputColumns * lanes, count: copied * lanes)
        let filled = step.padLeft + copied
        (target + filled * lanes).update(repeating: 0, count: (columns - filled) * lanes)
      }
    }
  }

  /// Copies the input rows of a task with a border of zeros, channels innermost, and returns how
  /// many channels there are.
  private func copyInterleaved(
    _ step: ConvolutionStep, firstRow: Int, rows: Int, to scratch: UnsafeMutablePointer<Float>
  ) -> Int {
    var channels = 3
    if case .interleaved(_, let count) = step.source { channels = count }
    let columns = step.borderedColumns
    let used = step.borderedRowCount(rows)
    let copied = max(0, min(step.inputColumns, columns - step.padLeft))
    for row in 0..<used {
      let target = scratch + row * columns * channels
      let inputRow = firstRow * step.stride.height + row - step.padTop
      guard inputRow >= 0, inputRow < step.inputRows else {
        target.update(repeating: 0, count: columns * channels)
        continue
      }
      target.update(repeating: 0, count: step.padLeft * channels)
      let inner = target + step.padLeft * channels
      if case .interleaved(let tensor, _) = step.source {
        let size = step.inputRows * step.inputColumns
        tensors[tensor].values.withUnsafeBufferPointer { values in
          for channel in 0..<channels {
            for x in 0..<copied {
              inner[x * channels + channel] =
                values[channel * size + inputRow * step.inputColumns + x]
            }
          }
        }
      } else if let picture {
        let bytes = picture + inputRow * step.inputColumns * channels
        for index in 0..<copied * channels { inner[index] = Float(bytes[index]) }
      }
      let filled = (step.padLeft + copied) * channels
      (target + filled).update(repeating: 0, count: columns * channels - filled)
    }
    return channels
  }

  /// One row of one block of a depthwise convolution.
  private func depthwise(
    _ parameters: DepthwiseParameters, _ position: Int, input: UnsafePointer<Float>, row: Int,
    inputRows: Int, inputColumns: Int, outputColumns: Int, output: UnsafeMutablePointer<Float>
  ) {
    let kernelRows = parameters.kernel.height
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: kernelRows) { rows in
      for ky in 0..<kernelRows {
        let inputRow =
          row * parameters.stride.height + ky * parameters.dilation.height - parameters.padTop
        let isInside = inputRow >= 0 && inputRow < inputRows
        rows.initializeElement(
          at: ky, to: isInside ? input + inputRow * inputColumns * plan.lanes : nil)
      }
      guard let first = rows.baseAddress else { return }
      kernels.depthwise(
        DepthwiseRun(
          rows: first, kernelRows: kernelRows, kernelColumns: parameters.kernel.width,
          inputColumns: inputColumns, outputColumns: outputColumns,
          stride: parameters.stride.width, dilation: parameters.dilation.width,
          padLeft: parameters.padLeft, weights: weights.start + parameters.weights[position],
          bias: weights.start + parameters.biases[position], output: output,
          activation: parameters.activation))
    }
  }

  private func pool(_ step: PoolingStep, row: Int) {
    let top = row * step.stride.height - step.padTop
    let inside = max(top, 0)..<max(max(top, 0), min(top + step.kernel.height, step.inputRows))
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: inside.count) { rows in
      for (position, block) in step.to.enumerated() {
        let input = address(step.from[position])
        for (index, inputRow) in inside.enumerated() {
          rows.initializeElement(
            at: index, to: input + inputRow * step.inputColumns * plan.lanes)
        }
        kernels.maximumPooling(
          UnsafeBufferPointer(rows), step.inputColumns, step.kernel.width, step.stride.width,
          step.padLeft, address(block) + row * step.outputColumns * plan.lanes,
          step.outputColumns)
      }
    }
  }

  private func gather(_ step: GatherStep, row: Int) {
    step.columns.withUnsafeBufferPointer { columns in
      for (position, block) in step.to.enumerated() {
        kernels.gatherPixels(
          address(step.from[position]) + step.rows[row] * step.inputColumns * plan.lanes, columns,
          address(block) + row * columns.count * plan.lanes)
      }
    }
  }

  /// The picture divided by 255, 3 × H × W.
  private func pictureValues(_ tensor: Tensor) -> [Float] {
    guard let picture else { return tensor.values }
    let size = tensor.rows * tensor.columns
    return (0..<3 * size).map { Float(picture[$0 % size * 3 + $0 / size]) / 255 }
  }

  private func pack(_ tensor: Tensor, _ blob: BlockedBlob) {
    let size = blob.rows * blob.columns
    for (channel, place) in blob.channels.enumerated() {
      let target = address(place.block) + place.lane
      for pixel in 0..<size { target[pixel * plan.lanes] = tensor.values[channel * size + pixel] }
    }
  }

  /// The elements of a blob as C × H × W.
  func values(of blob: BlockedBlob) -> [Float] {
    let size = blob.rows * blob.columns
    var values = [Float](repeating: 0, count: blob.channels.count * size)
    for (channel, place) in blob.channels.enumerated() {
      let source = address(place.block) + place.lane
      for pixel in 0..<size { values[channel * size + pixel] = source[pixel * plan.lanes] }
    }
    return values
  }

  private func fallBack(
    _ layer: Layer, _ weights: [[Float]], _ inputs: [Int], _ outputs: [Int]
  ) {
    let results = try? evaluate(
      layer, inputs.map { tensors[$0] }, weights: weights,
      shapes: outputs.map { plan.tensorShapes[$0] }, inputs: [:])
    guard let results else { preconditionFailure("the shapes have been inferred") }
    for (tensor, result) in zip(outputs, results) { tensors[tensor] = result }
  }
}

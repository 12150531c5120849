// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// A depthwise convolution as the kernels run it, in fp32 or int8.
protocol KernelDepthwise {
  /// What the blocks hold.
  associatedtype Element: BlockElement
  var windows: WindowGeometry { get }
  /// The blocks of the input.
  var reads: [Int] { get }
  /// The blocks of the output; none where it stays in scratch memory.
  var writes: [Int] { get }
  /// Channels in a block.
  var lanes: Int { get }
  /// Output rows of a task.
  var chunk: Int { get }
  var weightBytes: Int { get }
  /// How a profile calls the convolution.
  static var name: String { get }
  /// Elements of scratch memory that a task takes besides its results.
  var scratchSize: Int { get }
  /// Elements that a task copies before it convolves; other tasks may copy some of them, too.
  var preparedElements: Int { get }
  /// Computes rows, block by block.
  ///
  /// - Parameter results: where the results go, block after block of `chunk` rows; nil for the arena.
  func run(
    _ executor: Executor, rows: Range<Int>, scratch: UnsafeMutablePointer<Element>,
    to results: UnsafeMutablePointer<Element>?)
}

extension KernelDepthwise {
  /// Elements of a block of a task's results.
  var blockElements: Int { chunk * windows.outputColumns * lanes }
}

/// A depthwise convolution on its own.
struct DepthwiseStep<Depthwise: KernelDepthwise>: StepKind {
  let depthwise: Depthwise

  var kind: String { Depthwise.name }

  var reads: [Int] { depthwise.reads }

  var writes: [Int] { depthwise.writes }

  var taskCount: Int { depthwise.windows.taskCount(chunk: depthwise.chunk) }

  func outerBytes(_ plan: Plan) -> Int { depthwise.weightBytes }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let rows = depthwise.windows.rows(ofTask: task, chunk: depthwise.chunk)
    depthwise.run(executor, rows: rows, scratch: scratch.elements(), to: nil)
  }
}

/// A depthwise convolution in fp32 as the kernel runs it, row by row.
struct PackedDepthwise: KernelDepthwise {
  var windows: WindowGeometry
  let reads: [Int]
  var writes: [Int] = []
  let lanes: Int
  var chunk = 1
  /// Where the weights and biases of each block begin.
  var starts: [PackedWeights.Start]
  var weights: AlignedBuffer<Float>
  var activation: VectorActivation

  var weightBytes: Int { weights.byteCount }
  static var name: String { "depthwise" }
  var scratchSize: Int { 0 }
  var preparedElements: Int { 0 }

  func run(
    _ executor: Executor, rows: Range<Int>, scratch: UnsafeMutablePointer<Float>,
    to results: UnsafeMutablePointer<Float>?
  ) {
    let rowElements = windows.outputColumns * lanes
    for (position, block) in reads.enumerated() {
      var output =
        results.map { $0 + position * blockElements }
        ?? executor.address(writes[position]) + rows.lowerBound * rowElements
      for row in rows {
        run(executor, position, input: executor.address(block), row: row, output: output)
        output += rowElements
      }
    }
  }

  /// Computes one row of one block.
  ///
  /// - Parameters:
  ///   - position: the block's, in the input's list.
  ///   - input: the whole block.
  ///   - output: the row.
  private func run(
    _ executor: Executor, _ position: Int, input: UnsafePointer<Float>, row: Int,
    output: UnsafeMutablePointer<Float>
  ) {
    let kernelRows = windows.kernel.height
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: kernelRows) { rows in
      for ky in 0..<kernelRows {
        let inputRow = windows.inputRow(row, ky * windows.dilation.height)
        rows.initializeElement(
          at: ky,
          to: inputRow.map { input + $0 * windows.inputColumns * lanes }
            ?? UnsafePointer(executor.zeros.start))
      }
      executor.kernels.depthwise(
        DepthwiseRun(
          rows: UnsafeBufferPointer(rows), columns: windows.columns,
          weights: weights.start + starts[position].weights,
          bias: weights.start + starts[position].biases, output: output, activation: activation))
    }
  }
}

extension Planner {
  /// Plans the step of a depthwise convolution that is packed.
  mutating func addStep<Depthwise: KernelDepthwise>(
    _ node: Graph.Node, _ convolution: WeightedConvolution, _ depthwise: Depthwise
  ) {
    let (step, windows) = (DepthwiseStep(depthwise: depthwise), depthwise.windows)
    requireScratch(bytes: depthwise.scratchSize * MemoryLayout<Depthwise.Element>.size)
    preparedElements += Double(step.taskCount) * Double(depthwise.preparedElements)
    add(
      node.layer.name, step,
      multiplyAdds: product([
        windows.outputRows, windows.outputColumns, convolution.operation.weightCount,
      ]))
  }

  /// Packs the weights of each block of the input, lane by lane.
  mutating func pack(
    _ convolution: WeightedConvolution, _ input: BlockedBlob, _ windows: WindowGeometry
  ) throws(InferenceError) -> PackedDepthwise {
    plan.zeroCount = max(plan.zeroCount, input.columns * plan.lanes)
    let kernel = convolution.operation.kernel
    let weights = PackedWeights(
      convolution, sources: kernel.width * kernel.height,
      groups: input.sourceChannels.byLane(plan.lanes))
    return PackedDepthwise(
      windows: windows, reads: input.blocks, lanes: plan.lanes, starts: weights.starts,
      weights: try packed(weights), activation: convolution.activation)
  }
}

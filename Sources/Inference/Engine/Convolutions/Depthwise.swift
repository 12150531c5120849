import Kernels
import NCNN

/// A depthwise convolution as the kernel runs it, row by row.
struct PackedDepthwise {
  var windows: Windows
  /// Channels in a block.
  var lanes: Int
  /// Where the weights and biases of each block begin.
  var starts: [PackedWeights.Start]
  var weights: AlignedBuffer<Float>
  var activation: VectorActivation

  var weightBytes: Int { weights.byteCount }

  /// Computes one row of one block.
  ///
  /// - Parameters:
  ///   - position: the block's, in the input's list.
  ///   - input: the whole block.
  ///   - output: the row.
  func run(
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

/// A depthwise convolution on its own; a task is a row of all blocks.
struct DepthwiseStep: StepKind {
  let reads: [Int]
  let writes: [Int]
  let depthwise: PackedDepthwise

  var kind: String { "depthwise" }

  var taskCount: Int { depthwise.windows.outputRows }

  func outerBytes(_ plan: Plan) -> Int { depthwise.weightBytes }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let offset = task * depthwise.windows.outputColumns * depthwise.lanes
    for (position, block) in writes.enumerated() {
      depthwise.run(
        executor, position, input: executor.address(reads[position]), row: task,
        output: executor.address(block) + offset)
    }
  }
}

extension Planner {
  /// Plans a depthwise convolution as a step of its own.
  mutating func lowerDepthwise(
    _ node: Graph.Node, _ convolution: WeightedConvolution
  ) throws(InferenceError) {
    let input = blocked(node.inputs[0])
    let shape = shape(node.outputs[0])
    let output = makeBlob(like: input, rows: shape[1], columns: shape[2])
    add(
      node.layer.name,
      DepthwiseStep(
        reads: input.blocks, writes: output.blocks, depthwise: try pack(convolution, input)),
      multiplyAdds: product([output.rows, output.columns, convolution.operation.weightCount]))
    define(node.outputs[0], output)
  }

  /// Packs the weights of each block of the input, lane by lane.
  mutating func pack(
    _ convolution: WeightedConvolution, _ input: BlockedBlob
  ) throws(InferenceError) -> PackedDepthwise {
    plan.zeroCount = max(plan.zeroCount, input.columns * plan.lanes)
    let kernel = convolution.operation.kernel
    let weights = PackedWeights(
      convolution, sources: kernel.width * kernel.height,
      groups: input.sourceChannels.byLane(plan.lanes))
    return PackedDepthwise(
      windows: Windows(
        convolution.operation, over: [input.channels.count, input.rows, input.columns]),
      lanes: plan.lanes, starts: weights.starts, weights: try packed(weights),
      activation: convolution.activation)
  }
}

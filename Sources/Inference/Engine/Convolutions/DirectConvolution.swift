import NCNN

/// A 1 × 1 convolution of stride 1: the kernels read the blocks of a blob, pixel by pixel.
struct DirectConvolution: ConvolutionStrategy {
  var convolution: PackedConvolution
  /// The blocks of the input.
  let reads: [Int]
  /// Output pixels of a task.
  let chunk: Int

  init(_ convolution: PackedConvolution, _ blocks: [Int]) {
    self.convolution = convolution
    reads = blocks
    chunk = max(1, min(convolution.cachedPixels, convolution.windows.outputPixels))
  }

  var kind: String { "convolution 1x1" }

  var taskCount: Int { (convolution.windows.outputPixels + chunk - 1) / chunk }

  var sourceBlocks: [Int]? { reads }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int { channel.lane }

  var scratchSize: Int { 0 }

  var preparedElements: Int { 0 }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let first = task * chunk
    convolution.run(
      executor, input: executor.arena.start + first * executor.plan.lanes,
      step: executor.plan.lanes, firstPixel: first,
      pixels: min(chunk, convolution.windows.outputPixels - first))
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// A 1 × 1 convolution of stride 1: the kernels read the blocks of a blob, pixel by pixel.
struct DirectConvolution<Convolution: KernelConvolution>: ConvolutionStrategy {
  var convolution: Convolution
  /// The blocks of the input.
  let reads: [Int]
  /// Output pixels of a task.
  let chunk: Int

  init(_ convolution: Convolution, _ blocks: [Int]) {
    self.convolution = convolution
    reads = blocks
    let pixels = convolution.cachedPixels(ofBlocks: blocks.count)
    chunk = max(1, min(pixels, convolution.windows.outputPixels))
  }

  var kind: String { "\(Convolution.name) 1x1" }

  var taskCount: Int { (convolution.windows.outputPixels + chunk - 1) / chunk }

  var sourceBlocks: [Int]? { reads }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int { channel.lane }

  var scratchSize: Int { 0 }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let first = task * chunk
    let lanes = Convolution.Element.lanes(executor.plan)
    convolution.run(
      executor, input: executor.arena.start.elements() + first * lanes, step: lanes,
      firstPixel: first, pixels: min(chunk, convolution.windows.outputPixels - first))
  }
}

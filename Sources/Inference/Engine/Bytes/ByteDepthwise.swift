// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// A depthwise convolution in int8 as the kernel runs it.
struct PackedByteDepthwise: KernelDepthwise {
  let reads: [Int]
  var windows: WindowGeometry
  /// The number of the input that stands for 0, also in the border.
  var zero: UInt8
  var weights: PackedByteDepthwiseWeights
  var output: ByteOutput
  let chunk: Int
  /// A task's copy of one block. A group of columns may reach three pixels further than the windows.
  var copy: BorderedCopy

  init(
    reads: [Int], windows: WindowGeometry, zero: UInt8, _ weights: PackedByteDepthwiseWeights,
    _ output: ByteOutput
  ) {
    self.reads = reads
    self.windows = windows
    self.zero = zero
    self.weights = weights
    self.output = output
    chunk = windows.rowsPerTask(pixels: PackedByteConvolution.taskPixels)
    copy = BorderedCopy(windows, outputRows: chunk, pixelElements: 16)
    copy.columns += 3
  }

  var writes: [Int] { output.blocks }
  var lanes: Int { 16 }
  var weightBytes: Int { weights.byteCount }
  static var name: String { "int8 depthwise" }
  var scratchSize: Int { copy.blockElements }
  var preparedElements: Int { reads.count * copy.preparedElements }

  /// Each block from a bordered copy in scratch memory.
  func run(
    _ executor: Executor, rows: Range<Int>, scratch: UnsafeMutablePointer<UInt8>,
    to results: UnsafeMutablePointer<UInt8>?
  ) {
    let lanes = executor.plan.lanes
    let count = output.blocksPerSixteen(lanes: lanes)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1) { zero in
      zero.initialize(repeating: 0)
      for (position, block) in reads.enumerated() {
        copy.copy(
          block, windows.borderedRows(rows.count), firstRow: rows.lowerBound, border: self.zero,
          executor, to: scratch)
        for row in rows {
          let input = scratch + (row - rows.lowerBound) * windows.stride.height * copy.rowElements
          let pixel = row * windows.outputColumns
          if let results, let zero = zero.baseAddress {
            let start = position * chunk + row - rows.lowerBound
            run(
              executor, position, input,
              to: results + start * windows.outputColumns * 16, UnsafePointer(zero))
          } else {
            let offsets = executor.targets.start + (output.targets ?? 0) + position * count
            run(
              executor, position, input,
              to: executor.arena.start.bytes + pixel * output.bytesPerPixel(lanes: lanes),
              UnsafePointer(offsets))
            output.activate(
              executor, position * count..<(position + 1) * count, firstPixel: pixel,
              pixels: windows.outputColumns)
          }
        }
      }
    }
  }

  /// Computes one row of a block.
  private func run(
    _ executor: Executor, _ position: Int, _ input: UnsafePointer<UInt8>,
    to start: UnsafeMutablePointer<UInt8>, _ offsets: UnsafePointer<Int>
  ) {
    executor.kernels.bytes.depthwise(
      ByteDepthwiseRun(
        input: input, rowStride: copy.rowElements, kernelRows: windows.kernel.height,
        columnGroups: weights.operation.columnGroups, stride: windows.stride.width,
        passes: weights.passes,
        sharesColumns: weights.operation.sharesColumns,
        weights: weights.weights.start + position * weights.passes * weights.operation.blockBytes,
        bias: weights.factors.biases.start + 16 * position,
        target: output.target(start, offsets, weights.factors, from: 32 * position),
        pixels: windows.outputColumns))
  }
}

extension Convolution {
  /// Whether four columns of the input serve two pixels, see `ByteDepthwiseRun`.
  var sharesColumns: Bool { stride.width == 1 && kernel.width <= 3 }
  /// Groups of four columns of the kernel.
  var columnGroups: Int { (kernel.width + 3) / 4 }
  /// Bytes of the weights of a block of a depthwise convolution, for one pass.
  var blockBytes: Int { kernel.height * columnGroups * (sharesColumns ? 128 : 64) }
}

/// What the packed weights of a depthwise convolution in int8 depend on.
struct ByteDepthwiseWeights: PackingRequest {
  var convolution: WeightedConvolution
  /// Where the input's channels are.
  var channels: [SourceChannel]
  /// The number of the input that stands for 0.
  var zero: UInt8
  var form: ByteOutput.Form
  var arithmetic: ByteArithmetic

  var layer: String { convolution.layer }

  func packed() -> PackedByteDepthwiseWeights { PackedByteDepthwiseWeights(self) }

  /// The most bytes that the packed weights can take: those that do not fit 16 bits take two passes.
  var mostBytes: Int {
    channels.blockCount * convolution.operation.blockBytes * (arithmetic.addsInSixteenBits ? 2 : 1)
  }
}

/// The weights of a depthwise convolution in int8, block by block and lane by lane.
final class PackedByteDepthwiseWeights {
  let operation: Convolution
  /// Those of each block, `blockBytes` for a pass.
  let weights: AlignedBuffer<Int8>
  /// How often the kernel runs over the rows, see `ByteDepthwiseRun`.
  let passes: Int
  let factors: ByteFactors

  init(_ request: ByteDepthwiseWeights) {
    operation = request.convolution.operation
    let kernel = operation.kernel
    let size = operation.blockBytes
    var weights = [Int8](repeating: 0, count: request.channels.blockCount * size)
    for (channel, place) in request.channels.enumerated() {
      for row in 0..<kernel.height {
        for column in 0..<kernel.width {
          let weight = Int8(
            request.convolution.weights[(channel * kernel.height + row) * kernel.width + column])
          let start = place.block * size + row * size / kernel.height + 4 * place.lane
          weights[start + column / 4 * 64 + column % 4] = weight
          if operation.sharesColumns { weights[start + 64 + column + 1] = weight }
        }
      }
    }
    if request.arithmetic.addsInSixteenBits
      && !pairsFitIn16Bits(weights, largest: Int(request.zero) + 127)
    {
      // Even columns first, then odd ones, so that one product of each pair is 0.
      passes = 2
      weights = stride(from: 0, to: weights.count, by: size).flatMap { start in
        let part = weights[start..<start + size]
        return [0, 1].flatMap { odd in
          part.enumerated().map { $0.offset % 2 == odd ? $0.element : 0 }
        }
      }
    } else {
      passes = 1
    }
    self.weights = AlignedBuffer(weights)
    var factors = ByteFactors.Writer(
      request.convolution, request.form, zero: Int(request.zero) - request.arithmetic.valueOffset)
    for channels in request.channels.byLane(16) { factors.append(channels) }
    self.factors = ByteFactors(factors)
  }

  var byteCount: Int { weights.byteCount + factors.byteCount }
}

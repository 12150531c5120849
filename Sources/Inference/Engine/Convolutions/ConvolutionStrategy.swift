// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// One input channel of a convolution as the kernel finds it.
struct SourceChannel: Hashable {
  /// The position of its block in the step's list; 0 in a copy with all channels innermost.
  var block: Int
  var lane: Int
}

extension [SourceChannel] {
  /// The number of blocks; each holds a channel.
  var blockCount: Int { reduce(0) { Swift.max($0, $1.block + 1) } }

  /// The channel in each lane of each block; nil where there is none.
  func byLane(_ lanes: Int) -> [[Int?]] {
    var result = [[Int?]](repeating: [Int?](repeating: nil, count: lanes), count: blockCount)
    for (channel, place) in enumerated() { result[place.block][place.lane] = channel }
    return result
  }
}

/// A convolution as the kernels run it, in fp32 or int8, wherever they read its input from.
protocol KernelConvolution {
  /// What the input holds.
  associatedtype Element: BlockElement
  var windows: WindowGeometry { get }
  /// The element that stands for 0 in the input, also in its border.
  var zero: Element { get }
  /// The blocks of the output.
  var blocks: [Int] { get }
  var weightBytes: Int { get }
  /// How a profile calls the convolution, before its kernel's size.
  static var name: String { get }
  /// The fewest pixels for which a task takes more than four rows.
  static var taskPixels: Int { get }
  /// The most pixels of a number of input blocks that stay in an L1 cache of 32 KiB while all output
  /// blocks read them, in multiples of the widest tile.
  func cachedPixels(ofBlocks count: Int) -> Int
  /// Runs all output blocks over neighbouring pixels, into the arena.
  ///
  /// - Parameter step: elements from one pixel of the input to the next.
  func run(
    _ executor: Executor, input: UnsafePointer<Element>, step: Int, firstPixel: Int, pixels: Int)
}

extension KernelConvolution {
  /// Enough rows that a task has `taskPixels`, and no fewer than four, so that few input rows are
  /// copied twice; but at most an eighth of all rows.
  var rowsPerTask: Int { windows.rowsPerTask(pixels: Self.taskPixels) }
}

/// A way to convolve: where the kernels read their input, and what a task does to put it there.
protocol ConvolutionStrategy<Convolution>: StepKind {
  associatedtype Convolution: KernelConvolution
  var convolution: Convolution { get set }
  /// Where the kernels find a channel, or the quad that begins with it, at a tap, relative to where
  /// they read a pixel.
  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int
  /// The blocks of the arena to which offsets are relative, by position; nil where the kernels read
  /// scratch memory.
  var sourceBlocks: [Int]? { get }
  /// Winograd's tile, which holds all taps of a channel; nil for other strategies.
  var tile: WinogradTile? { get }
  /// What a channel of the input is divided by, which the weights make up for.
  func inputDivisor(ofChannel channel: Int) -> Float
  /// The tables by which a picture's bytes become int8 numbers; nil where the input is a blob.
  var tables: [UInt8]? { get }
  /// Elements of scratch memory that a task takes.
  var scratchSize: Int { get }
  /// Elements that a task copies before it convolves; other tasks may copy some of them, too.
  var preparedElements: Int { get }
}

extension ConvolutionStrategy {
  var writes: [Int] { convolution.blocks }

  func outerBytes(_ plan: Plan) -> Int { convolution.weightBytes }

  var sourceBlocks: [Int]? { nil }

  var tile: WinogradTile? { nil }

  func inputDivisor(ofChannel channel: Int) -> Float { 1 }

  var tables: [UInt8]? { nil }

  var preparedElements: Int { 0 }
}

/// A strategy whose tasks are rows of the output.
protocol RowwiseStrategy: ConvolutionStrategy {
  /// Output rows of a task.
  var chunk: Int { get }
}

extension RowwiseStrategy {
  var taskCount: Int { convolution.windows.taskCount(chunk: chunk) }

  func rows(ofTask task: Int) -> Range<Int> {
    convolution.windows.rows(ofTask: task, chunk: chunk)
  }
}

/// A strategy whose tasks make a copy with a border in scratch memory: one of each block that they
/// read, or of the whole input.
protocol BorderedStrategy: RowwiseStrategy {
  var copy: BorderedCopy { get }
}

extension BorderedStrategy {
  var chunk: Int { copy.outputRows }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    copy.offset(of: channel, row: row, column: column)
  }

  private var blockCount: Int { max(1, reads.count) }

  var scratchSize: Int { blockCount * copy.blockElements }

  var preparedElements: Int { blockCount * copy.preparedElements }

  /// Computes output rows from a copy that begins with the rows under them.
  func convolve(
    _ executor: Executor, _ rows: Range<Int>, from scratch: UnsafePointer<Convolution.Element>
  ) {
    let windows = convolution.windows
    for row in rows {
      convolution.run(
        executor,
        input: scratch + (row - rows.lowerBound) * windows.stride.height * copy.rowElements,
        step: copy.pixelElements * windows.stride.width, firstPixel: row * windows.outputColumns,
        pixels: windows.outputColumns)
    }
  }
}

extension Convolution {
  /// The rows and columns that the kernel reads, relative to the window's first.
  var taps: [(row: Int, column: Int)] {
    (0..<kernel.height).flatMap { y in
      (0..<kernel.width).map { (row: y * dilation.height, column: $0 * dilation.width) }
    }
  }
}

/// Writes the sources and weights of convolutions, as the kernels read them.
extension Planner {
  /// Writes the offsets of every source, for each channel tap by tap, and the weights.
  mutating func pack(
    _ convolution: WeightedConvolution, _ channels: [SourceChannel],
    _ strategy: inout some ConvolutionStrategy<PackedConvolution>
  ) throws(InferenceError) {
    let (kernel, outputs) = (convolution.operation.kernel, convolution.operation.outputChannels)
    // A tile begins at the first tap.
    let tapCount = strategy.tile == nil ? kernel.width * kernel.height : 1
    var weights = PackedWeights(
      convolution, sources: channels.count * tapCount,
      groups: strategy.convolution.outputs.map { $0.channels.map { $0 < outputs ? $0 : nil } })
    weights.tile = strategy.tile
    for source in weights.scales.indices {
      weights.scales[source] /= strategy.inputDivisor(ofChannel: source / tapCount)
    }
    strategy.convolution.weights = try packed(weights)
    for (group, start) in weights.starts.enumerated() {
      strategy.convolution.outputs[group].start = start
    }
    let first = plan.sources.count
    let taps = convolution.operation.taps.prefix(tapCount)
    for channel in channels {
      for tap in taps {
        addSource(channel, row: tap.row, column: tap.column, strategy)
      }
    }
    strategy.convolution.sources = first..<plan.sources.count
  }

  /// Writes the offset of a source.
  mutating func addSource<Strategy: ConvolutionStrategy>(
    _ channel: SourceChannel, row: Int, column: Int, _ strategy: Strategy
  ) {
    if let blocks = strategy.sourceBlocks {
      plan.relativeSources.append(
        Plan.RelativeSource(
          source: plan.sources.count, block: blocks[channel.block],
          elementSize: MemoryLayout<Strategy.Convolution.Element>.size))
    }
    plan.sources.append(strategy.offset(of: channel, row: row, column: column))
  }

  /// The packed weights, those of an earlier plan where they are the same.
  ///
  /// - Throws: `InferenceError` where they exceed what a plan may have.
  mutating func packed(_ weights: PackedWeights) throws(InferenceError) -> AlignedBuffer<Float> {
    try requireRoom(forWeights: weights.count)
    let packed = store.packed(weights)
    plan.weightBytes += packed.byteCount
    return packed
  }
}

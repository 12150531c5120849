import Kernels
import NCNN

/// One input channel of a convolution as the kernel finds it.
struct SourceChannel: Hashable {
  /// The position of its block in the step's list; 0 in a copy with all channels innermost.
  var block: Int
  var lane: Int
}

/// A way to convolve: where the kernels read their input, and what a task does to put it there.
protocol ConvolutionStrategy: StepKind {
  var convolution: PackedConvolution { get set }
  /// Where the kernels find a channel at a tap, relative to where they read a pixel.
  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int
  /// The blocks of the arena to which offsets are relative, by position; nil where the kernels read
  /// scratch memory.
  var sourceBlocks: [Int]? { get }
  /// Winograd's tile, which holds all taps of a channel; nil for all others.
  var tile: WinogradTile? { get }
  /// What the input is divided by, which the weights make up for.
  var inputDivisor: Float { get }
  /// Elements of scratch memory that a task takes.
  var scratchSize: Int { get }
  /// Elements that a task copies before it convolves, some of them as others do.
  var preparedElements: Int { get }
}

extension ConvolutionStrategy {
  var writes: [Int] { convolution.blocks }

  var weightBytes: Int { convolution.weights.count * MemoryLayout<Float>.size }

  func outerBytes(_ plan: Plan) -> Int { weightBytes }

  var sourceBlocks: [Int]? { nil }

  var tile: WinogradTile? { nil }

  var inputDivisor: Float { 1 }
}

extension Convolution {
  /// The rows and columns that the kernel reads, relative to the window's first.
  var taps: [(row: Int, column: Int)] {
    (0..<kernel.height).flatMap { y in
      (0..<kernel.width).map { (row: y * dilation.height, column: $0 * dilation.width) }
    }
  }
}

extension Windows {
  /// Enough rows that a task has at least 192 pixels, and no fewer than four, so that few input
  /// rows are copied twice; but at most an eighth of all rows.
  var rowsPerTask: Int {
    max(1, min(max(4, (191 + outputColumns) / outputColumns), (outputRows + 7) / 8))
  }

  /// The rows of a task: `chunk`, or the rest.
  func rows(ofTask task: Int, chunk: Int) -> Range<Int> {
    task * chunk..<min((task + 1) * chunk, outputRows)
  }
}

/// Writes the sources and weights of convolutions, as the kernels read them.
extension Planner {
  /// Writes the offsets of every source, for each channel tap by tap, and the weights.
  mutating func pack(
    _ convolution: WeightedConvolution, _ channels: [SourceChannel],
    _ strategy: inout some ConvolutionStrategy
  ) throws(InferenceError) {
    let first = plan.sources.count
    let taps = strategy.tile == nil ? convolution.operation.taps : [(row: 0, column: 0)]
    for channel in channels {
      for tap in taps {
        if let blocks = strategy.sourceBlocks {
          plan.relativeSources.append(
            Plan.RelativeSource(source: plan.sources.count, block: blocks[channel.block]))
        }
        plan.sources.append(strategy.offset(of: channel, row: tap.row, column: tap.column))
      }
    }
    strategy.convolution.sources = first..<plan.sources.count
    var weights = PackedWeights(
      convolution, sources: channels.count * taps.count,
      groups: strategy.convolution.outputs.map { $0.channels })
    weights.tile = strategy.tile
    weights.scale /= strategy.inputDivisor
    strategy.convolution.weights = try packed(weights)
    for (group, start) in weights.starts.enumerated() {
      strategy.convolution.outputs[group].start = start
    }
  }

  /// The packed weights, those of an earlier plan where they are the same.
  ///
  /// - Throws: `InferenceError` where a plan may not have so many.
  mutating func packed(_ weights: PackedWeights) throws(InferenceError) -> AlignedBuffer<Float> {
    try requireRoom(forWeights: weights.count)
    plan.weightBytes += weights.count * MemoryLayout<Float>.size
    return store.packed(weights)
  }
}

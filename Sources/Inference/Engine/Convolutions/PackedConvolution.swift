// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// A convolution in fp32 as the kernels run it.
struct PackedConvolution: KernelConvolution {
  /// One or two blocks of the output and the weights for them. It holds no reference, which threads that
  /// run it would count in turns.
  struct OutputGroup {
    var block: Int
    /// The second block, if there is one.
    var partner: Int?
    /// The output channel in each lane, as if the convolution had enough for all lanes.
    var channels: Range<Int>
    /// Where the weights and biases begin.
    var start = PackedWeights.Start(weights: 0, biases: 0)

    var blockCount: Int { partner == nil ? 1 : 2 }

    /// The first or the second block.
    subscript(position: Int) -> Int { position == 0 ? block : partner ?? block }
  }

  var windows: WindowGeometry
  /// Channels in a block of the output: the plan's, or half of them in scratch memory.
  var lanes: Int
  /// Channels of the input.
  var inputChannels: Int
  /// The sources' offsets in the plan.
  var sources = 0..<0
  var outputs: [OutputGroup] = []
  var weights = AlignedBuffer<Float>(count: 0)
  var activation: VectorActivation
  /// Whether the sums are added to what the output holds.
  var accumulates = false

  init(_ convolution: WeightedConvolution, _ windows: WindowGeometry, lanes: Int) {
    self.windows = windows
    self.lanes = lanes
    inputChannels = convolution.operation.inputChannels
    activation = convolution.activation
  }

  /// Adds blocks of the output, two at a time, for the channels from `first` on.
  mutating func addOutputs(_ blocks: [Int], channels first: Int) {
    for index in stride(from: 0, to: blocks.count, by: 2) {
      let pair = blocks[index..<min(index + 2, blocks.count)]
      let start = first + index * lanes
      outputs.append(
        OutputGroup(
          block: blocks[index], partner: pair.count == 2 ? blocks[index + 1] : nil,
          channels: start..<start + pair.count * lanes))
    }
  }

  var zero: Float { 0 }
  var weightBytes: Int { weights.byteCount }
  static var name: String { "convolution" }
  static var taskPixels: Int { 192 }

  var blocks: [Int] { outputs.flatMap { [$0.block] + ($0.partner.map { [$0] } ?? []) } }
  var blockCount: Int { outputs.reduce(0) { $0 + $1.blockCount } }

  /// An input of 18 KiB.
  private var cachedPixels: Int { max(24, 4608 / max(1, inputChannels) / 12 * 12) }

  func cachedPixels(ofBlocks count: Int) -> Int { cachedPixels }

  /// The pixels that a kernel is given at once where a task has `pixels`: all, unless several groups
  /// of output blocks read an input that is larger than the cache; then equal parts, but for whole
  /// tiles of 4.
  private func pixelsPerRun(of pixels: Int) -> Int {
    guard outputs.count > 1, pixels > cachedPixels else { return max(1, pixels) }
    let runs = (pixels + cachedPixels - 1) / cachedPixels
    return ((pixels + runs - 1) / runs + 3) / 4 * 4
  }

  func run(
    _ executor: Executor, input: UnsafePointer<Float>, step: Int, firstPixel: Int, pixels: Int
  ) {
    run(
      executor, input: input, step: step,
      output: executor.arena.start + firstPixel * executor.plan.lanes, pixels: pixels
    ) { executor.plan.blockOffsets[$0] }
  }

  /// Runs all output blocks over neighbouring pixels.
  ///
  /// - Parameters:
  ///   - step: elements from one pixel of the input to the next.
  ///   - output: the first pixel of a block at the offset 0.
  ///   - blockOffset: where a block of the output begins.
  func run(
    _ executor: Executor, input: UnsafePointer<Float>, step: Int,
    output: UnsafeMutablePointer<Float>, pixels: Int, blockOffset: (Int) -> Int
  ) {
    let length = pixelsPerRun(of: pixels)
    for start in stride(from: 0, to: pixels, by: length) {
      for group in outputs {
        run(
          executor, group, input: input, step: step, output: output,
          pixels: start..<min(start + length, pixels), blockOffset: blockOffset)
      }
    }
  }

  /// Runs one or two output blocks over neighbouring pixels.
  @inline(__always)
  func run(
    _ executor: Executor, _ group: OutputGroup, input: UnsafePointer<Float>, step: Int,
    output: UnsafeMutablePointer<Float>, pixels: Range<Int>,
    blockOffset: (Int) -> Int
  ) {
    let first = blockOffset(group.block)
    let second = group.partner.map(blockOffset)
    let run = ConvolutionRun(
      input: input + pixels.lowerBound * step,
      sources: executor.sources(sources), step: step,
      weights: weights.start + group.start.weights, bias: weights.start + group.start.biases,
      output: output + first + pixels.lowerBound * lanes,
      blockStride: second.map { $0 - first } ?? 0, pixels: pixels.count,
      accumulates: accumulates, activation: activation)
    if second != nil {
      executor.kernels.convolvePair(run)
    } else if lanes == executor.plan.lanes {
      executor.kernels.convolveSingle(run)
    } else {
      executor.kernels.convolveHalf?(run)
    }
  }
}

/// What a convolution's packed weights depend on. They are, for each group of output channels,
/// positions × sources × channels, then a bias for each channel.
struct PackedWeights: PackingRequest {
  /// The name of the convolution's layer.
  var layer: String
  /// Output channels × sources, as the layer stores them; under Winograd's algorithm nine for each.
  var weights: [Float]
  /// One for each output channel, or none.
  var biases: [Float]
  /// Input channels times taps; under Winograd's algorithm input channels.
  var sources: Int
  /// The tile of Winograd's algorithm; nil for all others.
  var tile: WinogradTile?
  /// A factor on the weights of each source.
  var scales: [Float]
  /// A factor on all biases.
  var biasScale: Float = 1
  /// The output channel in each lane of each group; nil where a lane has none.
  var groups: [[Int?]]

  init(_ convolution: WeightedConvolution, sources: Int, groups: [[Int?]]) {
    layer = convolution.layer
    weights = convolution.weights
    biases = convolution.biases
    self.sources = sources
    scales = [Float](repeating: convolution.scale, count: sources)
    biasScale = convolution.scale
    self.groups = groups
  }

  /// Numbers for each pair of an output channel and a source, each multiplied on its own.
  private var positions: Int { tile?.positions ?? 1 }

  /// Where a group's weights and biases begin.
  struct Start {
    var weights: Int
    var biases: Int
  }

  /// Where the weights and biases of each group begin.
  var starts: [Start] {
    var end = 0
    return groups.map { lanes in
      let start = Start(weights: end, biases: end + positions * sources * lanes.count)
      end = start.biases + lanes.count
      return start
    }
  }

  /// The number of weights and biases.
  var count: Int { groups.reduce(0) { $0 + $1.count * (positions * sources + 1) } }

  /// Writes the weights and biases in the order in which the kernels read them.
  func packed() -> AlignedBuffer<Float> {
    let numbers = tile?.weights(weights) ?? weights
    let buffer = AlignedBuffer<Float>(repeating: 0, count: count)
    for (lanes, start) in zip(groups, starts) {
      var target = buffer.start + start.weights
      let columns = lanes.map { $0.map { $0 * sources * positions } ?? -1 }
      for position in 0..<positions {
        for source in 0..<sources {
          let (row, scale) = (source * positions + position, scales[source])
          for lane in columns.indices where columns[lane] >= 0 {
            target[lane] = numbers[columns[lane] + row] * scale
          }
          target += columns.count
        }
      }
      guard !biases.isEmpty else { continue }
      for (lane, channel) in lanes.enumerated() {
        if let channel { target[lane] = biases[channel] * biasScale }
      }
    }
    return buffer
  }
}

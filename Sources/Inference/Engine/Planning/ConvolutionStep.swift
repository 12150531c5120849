import Kernels
import NCNN

/// A convolution, with what comes before it where that is computed in the same step.
struct ConvolutionStep {
  /// Where the kernel reads from.
  enum Source {
    /// The blocks of a blob, pixel by pixel: 1 × 1, stride 1.
    case blocks([Int])
    /// The same, added to the result of a 1 × 1 convolution of blocks of half the width and height;
    /// `columns` holds the small column for each large one.
    indirect case upsampled([Int], ConvolutionStep, columns: [Int])
    /// A copy with a border, in scratch memory.
    case bordered([Int])
    /// A copy with a border, in scratch memory, transformed for Winograd's algorithm.
    case winograd([Int], WinogradTile)
    /// The result of a 1 × 1 convolution with a border, in scratch memory.
    indirect case pointwise([Int], ConvolutionStep)
    /// The result of a depthwise convolution, in scratch memory.
    case depthwise([Int], DepthwiseParameters)
    /// A tensor of few channels, copied with a border, channels innermost.
    case interleaved(tensor: Int, channels: Int)
    /// The caller's picture, 8-bit RGB, copied likewise; the divisor is part of the weights.
    case picture(Normalisation)

    /// The blocks of the arena that are read.
    var blocks: [Int] {
      switch self {
      case .blocks(let blocks), .bordered(let blocks), .depthwise(let blocks, _),
        .pointwise(let blocks, _), .winograd(let blocks, _):
        blocks
      case .upsampled(let blocks, let coarse, _): blocks + coarse.blockOfSource
      case .interleaved, .picture: []
      }
    }
  }

  /// One or two blocks of the output and the weights for them.
  struct OutputGroup {
    var block: Int
    /// The second block, if there is one.
    var partner: Int?
    var weights: Int
    var bias: Int

    var blockCount: Int { partner == nil ? 1 : 2 }

    /// The first or the second block.
    subscript(position: Int) -> Int { position == 0 ? block : partner ?? block }
  }

  var source: Source
  /// Channels in a block of the output: the plan's, or half of them in scratch memory.
  var lanes: Int
  var windows: Windows
  /// Channels of the input.
  var inputChannels: Int
  /// Where the sources' offsets begin in the plan, and how many there are.
  var sources: Int
  var sourceCount: Int
  /// Where the source is `blocks`: the block of each source, to which its offset is relative.
  var blockOfSource: [Int] = []
  var outputs: [OutputGroup]
  var activation: VectorActivation
  /// Output rows of a task, or, where the source is `blocks`, output pixels.
  var chunk: Int

  /// The most pixels whose input, 18 KiB, stays in an L1 cache of 32 KiB while all output blocks read
  /// it, in multiples of the widest tile.
  var cachedPixels: Int { max(24, 4608 / max(1, inputChannels) / 12 * 12) }

  /// The pixels that a kernel is given at once where a task has `pixels`: all, unless several groups
  /// of output blocks read an input that is larger than the cache; then equal parts, but for whole
  /// tiles of 4.
  func pixelsPerRun(of pixels: Int) -> Int {
    guard outputs.count > 1, pixels > cachedPixels else { return max(1, pixels) }
    let runs = (pixels + cachedPixels - 1) / cachedPixels
    return ((pixels + runs - 1) / runs + 3) / 4 * 4
  }

  /// Blocks of the output.
  var blockCount: Int { outputs.reduce(0) { $0 + $1.blockCount } }

  /// The convolution whose result is part of this one's input.
  var prelude: ConvolutionStep? {
    switch source {
    case .pointwise(_, let prelude), .upsampled(_, let prelude, _): prelude
    default: nil
    }
  }

  /// Columns of a bordered copy.
  var borderedColumns: Int {
    if case .winograd(_, let tile) = source {
      return tile.step * (tile.count(over: windows.outputColumns) - 1) + tile.side
    }
    return windows.borderedColumns
  }

  /// Columns of the input in a row of the bordered copy.
  var copiedColumns: Int { windows.copiedColumns(of: borderedColumns) }

  /// Winograd's tiles in a task.
  func taskTiles(_ tile: WinogradTile) -> Int {
    tile.count(over: chunk) * tile.count(over: windows.outputColumns)
  }

  /// Elements from a position of Winograd's tiles to the next, for some blocks of a task: an odd
  /// number of cache lines, so that the positions of one tile are in different sets of a cache.
  func positionStride(_ tile: WinogradTile, blocks: Int) -> Int {
    let line = 16
    return ((blocks * taskTiles(tile) * lanes + line - 1) / line | 1) * line
  }

  /// Rows of the bordered copy for one task.
  var borderedRows: Int { borderedRowCount(chunk) }

  /// Rows of the bordered copy that a number of output rows need.
  func borderedRowCount(_ outputRows: Int) -> Int {
    if case .winograd(_, let tile) = source {
      return tile.step * (tile.count(over: outputRows) - 1) + tile.side
    }
    return windows.borderedRows(outputRows)
  }
}

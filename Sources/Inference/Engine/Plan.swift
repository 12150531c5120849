import Kernels
import NCNN

/// What a run does, decided once for a network and an input shape: steps over blocks of one arena.
///
/// A block holds L neighbouring channels of a blob, rows × columns × L. A blob is a list of places,
/// a block and a lane for each of its channels; Concat, Slice, Split and ShuffleChannel only make
/// other lists.
struct Plan {
  /// Channels in a block.
  var lanes: Int
  /// The steps in the order in which they run.
  var steps: [Step] = []
  /// The number of elements of each block.
  var blockSizes: [Int] = []
  /// Where each block begins in the arena; blocks that never exist together may share elements.
  var blockOffsets: [Int] = []
  /// The steps from the first to the last that needs each block; `steps.count` is after the run, and
  /// nil stands for a block that none needs.
  var blockLifetimes: [ClosedRange<Int>?] = []
  /// Elements of the arena.
  var arenaSize = 0
  /// How many zeros in a row steps read: for two blocks of biases, or a row of a blob.
  var zeroCount = 0
  /// Elements of scratch memory that each thread needs.
  var scratchSize = 0
  /// Weights and biases of all steps, packed for the kernels.
  var weights: [Float] = []
  /// The sources of all convolutions, see `ConvolutionRun`.
  var sources: [Int] = []
  /// Shapes of the blobs that fallback steps and the caller see as tensors.
  var tensorShapes: [[Int]] = []
  /// Where the caller's input tensors go.
  var inputTensors: [String: Int] = [:]
  /// Where each blob that still exists is.
  var values: [String: Value] = [:]

  /// Heads of which only the objectness is computed everywhere.
  var heads: [Head] = []

  /// A head's objectness, and what computes all its values at a single cell.
  struct Head {
    var objectness: BlockedBlob
    /// A convolution of one pixel; for each anchor so many output groups as make 16 values.
    var cell: ConvolutionStep
    var groupsPerAnchor: Int
  }

  /// Where a blob is: in blocks, in a tensor, or in both.
  struct Value {
    var shape: [Int]
    var blocked: BlockedBlob?
    var tensor: Int?
  }

  /// One step; its tasks are independent of each other.
  struct Step {
    var name: String
    var kind: Kind
    /// Into how many tasks the step can be divided among threads.
    var taskCount: Int
    /// Blocks that it reads and writes, for the memory plan and the profile.
    var reads: [Int]
    var writes: [Int]
    /// Multiply-adds, for the profile.
    var multiplyAdds: Int64 = 0
    /// The shape of the result, for the profile.
    var shape: [Int] = []
    /// The names of the layers that it computes, for the profile; none for a copy between layers.
    var layers: [String] = []
  }

  enum Kind {
    case convolution(ConvolutionStep)
    case depthwise(DepthwiseStep)
    case pooling(PoolingStep)
    case gather(GatherStep)
    case bilinear(BilinearStep)
    case activation(VectorActivation, from: [Int], to: [Int], pixels: Int)
    case elementwise(ElementwiseStep)
    case picture(tensor: Int)
    case pack(tensor: Int, to: BlockedBlob)
    case unpack(BlockedBlob, tensor: Int)
    case fallback(layer: Layer, weights: [[Float]], inputs: [Int], outputs: [Int])
  }
}

extension Plan.Kind {
  /// The kind's name in a profile.
  var name: String {
    switch self {
    case .convolution(let step):
      switch step.source {
      case .blocks: "convolution 1x1"
      case .upsampled: "1x1 of upsampled"
      case .bordered: "convolution \(step.kernel.width)x\(step.kernel.height)"
      case .winograd: "Winograd 3x3"
      case .pointwise: "1x1 + \(step.kernel.width)x\(step.kernel.height)"
      case .depthwise: "depthwise + 1x1"
      case .interleaved, .picture: "first convolution"
      }
    case .depthwise: "depthwise"
    case .pooling: "pooling"
    case .gather: "nearest"
    case .bilinear: "bilinear"
    case .activation: "activation"
    case .elementwise: "element-wise"
    case .picture: "picture"
    case .pack: "pack"
    case .unpack: "unpack"
    case .fallback: "plain layer"
    }
  }
}

/// A blob of C × H × W in blocks.
struct BlockedBlob: Hashable {
  /// Where a channel is.
  struct Place: Hashable {
    var block: Int
    var lane: Int
  }

  var rows: Int
  var columns: Int
  /// A place for each channel; no two are the same.
  var channels: [Place]

  /// The blocks that hold its channels, each once, in the order of their first channel.
  var blocks: [Int] {
    var seen: Set<Int> = []
    return channels.map(\.block).filter { seen.insert($0).inserted }
  }
}

/// A convolution, with what comes before it where that is computed in the same step.
struct ConvolutionStep {
  /// From where the kernel reads.
  enum Source {
    /// The blocks of a blob, pixel by pixel: 1 × 1, stride 1.
    case blocks([Int])
    /// The same, added to the result of a 1 × 1 convolution of blocks half as wide and high; the
    /// column of the latter for each of the former.
    indirect case upsampled([Int], ConvolutionStep, columns: [Int])
    /// A copy with a border, in scratch memory.
    case bordered([Int])
    /// A copy with a border, in scratch memory, transformed as Winograd's algorithm asks.
    case winograd([Int], WinogradTile)
    /// The result of a 1 × 1 convolution with a border, in scratch memory.
    indirect case pointwise([Int], ConvolutionStep)
    /// The result of a depthwise convolution, in scratch memory.
    case depthwise([Int], DepthwiseParameters)
    /// A tensor of few channels, copied with a border, channels innermost.
    case interleaved(tensor: Int, channels: Int)
    /// The caller's picture, 8-bit RGB, copied likewise; 1/255 is part of the weights.
    case picture
  }

  /// One or two blocks of the output and the weights for them.
  struct OutputGroup {
    var blocks: [Int]
    var weights: Int
    var bias: Int
  }

  var source: Source
  /// Channels in a block of the output: the plan's, or half of them in scratch memory.
  var lanes: Int
  var inputRows: Int
  var inputColumns: Int
  var outputRows: Int
  var outputColumns: Int
  var kernel: Extent
  var stride: Extent
  var dilation: Extent
  var padTop: Int
  var padLeft: Int
  /// Where the sources' offsets begin in the plan, and how many there are.
  var sources: Int
  var sourceCount: Int
  /// Where the source is `blocks`: the block of each source, whose offset comes on top.
  var blockOfSource: [Int] = []
  var outputs: [OutputGroup]
  var activation: VectorActivation
  /// Output rows of a task, or, where the source is `blocks`, output pixels.
  var chunk: Int

  /// Blocks of the output.
  var blockCount: Int { outputs.reduce(0) { $0 + $1.blocks.count } }

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
      return tile.step * (tile.count(over: outputColumns) - 1) + tile.side
    }
    return (outputColumns - 1) * stride.width + (kernel.width - 1) * dilation.width + 1
  }

  /// Winograd's tiles in a task.
  func taskTiles(_ tile: WinogradTile) -> Int {
    tile.count(over: chunk) * tile.count(over: outputColumns)
  }

  /// Rows of the bordered copy for one task.
  var borderedRows: Int { borderedRowCount(chunk) }

  /// Rows of the bordered copy that so many output rows need.
  func borderedRowCount(_ outputRows: Int) -> Int {
    if case .winograd(_, let tile) = source {
      return tile.step * (tile.count(over: outputRows) - 1) + tile.side
    }
    return (outputRows - 1) * stride.height + (kernel.height - 1) * dilation.height + 1
  }
}

/// Where the weights of a depthwise convolution are: for each block rows × columns × L, then biases
/// of L.
struct DepthwiseParameters {
  var weights: [Int]
  var biases: [Int]
  var kernel: Extent
  var stride: Extent
  var dilation: Extent
  var padTop: Int
  var padLeft: Int
  var activation: VectorActivation
}

/// A depthwise convolution on its own; a task is a row of all blocks.
struct DepthwiseStep {
  var from: [Int]
  var to: [Int]
  var parameters: DepthwiseParameters
  var inputRows: Int
  var inputColumns: Int
  var outputColumns: Int
}

/// Pooling; a task is a row of all blocks.
struct PoolingStep {
  var from: [Int]
  var to: [Int]
  var summary: WindowSummary
  var kernel: Extent
  var stride: Extent
  var padTop: Int
  var padLeft: Int
  var inputRows: Int
  var inputColumns: Int
  var outputColumns: Int
}

/// Arithmetic of two operands; a task is a row of all blocks.
struct ElementwiseStep {
  /// Where an operand is.
  enum Operand {
    /// In blocks of the result's size.
    case blob([Int])
    /// In blocks of one pixel, which counts for every pixel.
    case pixel([Int])
    /// In such pixels among the weights, one for each block of the result from here on.
    case numbers(Int)

    /// The blocks of the arena.
    var blocks: [Int] {
      switch self {
      case .blob(let blocks), .pixel(let blocks): blocks
      case .numbers: []
      }
    }
  }

  var first: Operand
  var second: Operand
  var arithmetic: VectorArithmetic
  var to: [Int]
  var columns: Int
}

/// Bilinear resizing; a task is a row of all blocks.
struct BilinearStep {
  var from: [Int]
  var to: [Int]
  var rows: [BilinearSample]
  var columns: [BilinearSample]
  var inputColumns: Int
}

/// Pixels copied by position, as nearest resizing does; a task is a row of all blocks.
struct GatherStep {
  var from: [Int]
  var to: [Int]
  var rows: [Int]
  var columns: [Int]
  var inputColumns: Int
}

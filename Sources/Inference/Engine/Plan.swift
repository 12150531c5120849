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
  /// Where each block begins in the arena; blocks that are never live together may share elements.
  var blockOffsets: [Int] = []
  /// The first to the last step that needs each block; an end of `steps.count` means after the run,
  /// nil that no step needs it.
  var blockLifetimes: [ClosedRange<Int>?] = []
  /// Elements of the arena.
  var arenaSize = 0
  /// The longest run of zeros that steps read: for two blocks of biases, or a row of a blob.
  var zeroCount = 0
  /// Elements of scratch memory that each thread needs.
  var scratchSize = 0
  /// Elements that a plain layer needs while it is computed.
  var plainScratchSize = 0
  /// Weights and biases of all steps, packed for the kernels.
  var weights: [Float] = []
  /// Weights of convolutions in int8, what their sums start from, and the tables of activations and
  /// pictures, 256 bytes each.
  var byteWeights: [Int8] = []
  var byteBiases: [Int32] = []
  var byteTables: [UInt8] = []
  /// Blocks that int8 kernels write, or read as fp32: their offsets become a kernel's.
  var targets: [Int] = []
  /// The sources of all convolutions, see `ConvolutionRun`.
  var sources: [Int] = []
  /// Shapes of the blobs that fallback steps and the caller see as tensors.
  var tensorShapes: [[Int]] = []
  /// Where the caller's input tensors go.
  var inputTensors: [String: Int] = [:]
  /// Where each blob that still exists is.
  var values: [String: Value] = [:]

  /// For each gated output what it was reduced to; nil for those that are computed whole.
  var gated: [ReducedOutput?] = []

  /// A convolution of one pixel, whose results the executor gives a place of their own.
  enum Cell {
    case floats(ConvolutionStep)
    case bytes(ByteConvolutionStep)
  }

  /// The gates of an output, and what computes all values of a group at a single cell.
  struct ReducedOutput {
    var gates: BlockedBlob
    /// A convolution of one pixel.
    var cell: Cell
    /// The blocks that hold a group's values; lanes behind them in the last one are undefined.
    var blocksPerGroup: Int
    /// The number of the convolution's output groups that compute them.
    var stepsPerGroup: Int { (blocksPerGroup + 1) / 2 }
  }

  /// The sources of convolutions in int8 that are relative to blocks.
  var byteSources: [(source: Int, block: Int)] {
    let steps = steps.compactMap { step -> ByteConvolutionStep? in
      if case .byteConvolution(let convolution) = step.kind { convolution } else { nil }
    }
    let cells = gated.compactMap { output -> ByteConvolutionStep? in
      if case .bytes(let cell) = output?.cell { cell } else { nil }
    }
    return (steps + cells).flatMap { $0.blockOfSource }
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
    /// The number of tasks into which the step is divided for the threads.
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
    case byteConvolution(ByteConvolutionStep)
    case byteDepthwise(ByteDepthwiseStep)
    case bytePooling(PoolingStep)
    case byteGather(GatherStep)
    case quantise(QuantiseStep)
    case bilinear(BilinearStep)
    case activation(VectorActivation, from: [Int], to: [Int], pixels: Int)
    case elementwise(ElementwiseStep)
    case picture(Normalisation, tensor: Int)
    case pack(tensor: Int, to: BlockedBlob)
    case unpack(BlockedBlob, tensor: Int)
    case fallback(AnyLayerKind, weights: [[Float]], inputs: [Int], outputs: [Int])
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
    return channels.map { $0.block }.filter { seen.insert($0).inserted }
  }
}

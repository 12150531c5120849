import Kernels
import NCNN

/// What an int8 step writes.
struct ByteOutput {
  enum Form {
    /// fp32, to which the activation is applied in place.
    case floats(VectorActivation)
    /// Integers, plus `zero`.
    case bytes(ByteActivation, zero: UInt8)
    /// Results of the curve that begins here in the plan's tables.
    case curve(ByteActivation, Int)

    /// What is subtracted from a number, and what the difference is multiplied by.
    var mapping: (centre: Double, factor: Double) {
      switch self {
      case .floats: (0, 1)
      case .bytes(let activation, _), .curve(let activation, _):
        (activation.centre, activation.factor)
      }
    }
  }

  var form: Form
  /// The blocks, in the order of the channels: of 16 channels each, or of L where the form is
  /// floats.
  var blocks: [Int]
  /// Where their offsets begin in the plan's targets; nil where they follow each other in scratch
  /// memory.
  var targets: Int?
}

/// A convolution in int8, with what comes before it where that is computed in the same step.
struct ByteConvolutionStep {
  /// Where the kernel reads from.
  enum Source {
    /// The blocks of a blob, pixel by pixel: 1 × 1, stride 1.
    case blocks([Int])
    /// A copy with a border, in scratch memory.
    case bordered([Int])
    /// The result of a depthwise convolution, in scratch memory.
    case depthwise(ByteDepthwiseStep)
    /// The caller's picture, 8-bit RGB, copied with a border and replaced by the entries of three
    /// tables, one for each byte of a pixel; one where they are the same.
    case picture(tables: [Int])

    /// The blocks of the arena that are read.
    var blocks: [Int] {
      switch self {
      case .blocks(let blocks), .bordered(let blocks): blocks
      case .depthwise(let step): step.from
      case .picture: []
      }
    }
  }

  /// One or two blocks of the output, and where their weights, biases and factors begin.
  struct OutputGroup {
    var blocks: Int
    /// Where the sources' offsets begin in the plan, how many there are, and how many of them are
    /// added by twos.
    var sources: Int
    var sourceCount: Int
    var pairedCount: Int
    var weights: Int
    var biases: Int
    var factors: Int
  }

  var source: Source
  var windows: Windows
  /// The number of the input that stands for 0, also in the border.
  var zero: UInt8
  /// Where the source is `blocks`: sources of the plan, and the block to which the offset of each is
  /// relative.
  var blockOfSource: [(source: Int, block: Int)] = []
  var groups: [OutputGroup] = []
  var output: ByteOutput
  /// Output rows of a task, or, where the source is `blocks`, output pixels.
  var chunk = 1
}

/// A depthwise convolution in int8; a task is a few rows of all blocks.
struct ByteDepthwiseStep {
  var from: [Int]
  /// The place of each channel.
  var places: [BlockedBlob.Place]
  var windows: Windows
  /// The number of the input that stands for 0, also in the border.
  var zero: UInt8
  /// Where each block's weights, biases and factors begin.
  var weights: [Int] = []
  var biases: [Int] = []
  var factors: [Int] = []
  /// How often the kernel runs over the rows, see `ByteDepthwiseRun`.
  var passes = 1
  var output: ByteOutput
  var chunk = 1

  /// Whether four columns of the input serve two pixels, see `ByteDepthwiseRun`.
  var sharesColumns: Bool { windows.stride.width == 1 && windows.kernel.width <= 3 }
  /// Bytes of a block's weights for one pass.
  var weightBytes: Int { windows.kernel.height * columnGroups * (sharesColumns ? 128 : 64) }
  /// Groups of four columns of the kernel.
  var columnGroups: Int { (windows.kernel.width + 3) / 4 }
  /// Bytes of a row of a block's bordered copy: a group of columns may reach three pixels further
  /// than the windows.
  var rowBytes: Int { (windows.borderedColumns + 3) * 16 }
}

extension Windows {
  /// Enough rows that a task of int8 has at least 384 pixels, and no fewer than four; but at most an
  /// eighth of all rows.
  var rowsPerByteTask: Int {
    max(1, min(max(4, (383 + outputColumns) / outputColumns), (outputRows + 7) / 8))
  }
}

/// A blob of fp32 blocks to hold in int8; a task is a block.
struct QuantiseStep {
  /// Where the offsets of the fp32 blocks begin in the plan's targets, 16 / L for each block of 16
  /// channels.
  var targets: Int
  var from: [Int]
  var to: [Int]
  var scale: Float
  var zero: UInt8
  var pixels: Int
}

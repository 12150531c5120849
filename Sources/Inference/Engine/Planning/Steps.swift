import Kernels
import NCNN

/// Where the weights of a depthwise convolution are: for each block rows × columns × L, then biases
/// of L.
struct DepthwiseParameters {
  var weights: [Int]
  var biases: [Int]
  var windows: Windows
  var activation: VectorActivation
}

/// A depthwise convolution on its own; a task is a row of all blocks.
struct DepthwiseStep {
  var from: [Int]
  var to: [Int]
  var parameters: DepthwiseParameters
}

/// Pooling; a task is a row of all blocks.
struct PoolingStep {
  var from: [Int]
  var to: [Int]
  var summary: WindowSummary
  var windows: Windows
}

/// Arithmetic of two operands; a task is a row of all blocks.
struct ElementwiseStep {
  /// Where an operand is.
  enum Operand {
    /// In blocks of the result's size.
    case blob([Int])
    /// In blocks of one pixel, which serves every pixel.
    case pixel([Int])
    /// Among the weights, one such pixel for each block of the result, from this offset on.
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

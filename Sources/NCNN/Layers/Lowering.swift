// SPDX-License-Identifier: Apache-2.0

/// What the engine has kernels for: all that it knows of a layer.
package enum Lowering: Sendable {
  /// Nothing: the plain arithmetic.
  case plain
  /// A blob that the caller provides.
  case input
  case convolution(Convolution)
  case deconvolution(Deconvolution)
  /// A convolution of channels × columns, as of channels × 1 × columns.
  case rowConvolution(Convolution)
  case pooling(Pooling)
  case resize(Interp)
  /// Blobs one after the other along an axis.
  case join(axis: Int)
  /// A blob cut along an axis, as its outputs' shapes say.
  case cut(axis: Int)
  case part(Crop)
  case shuffle(ShuffleChannel)
  /// The input's numbers in the only output.
  case identity
  /// The input's numbers in every output.
  case copies
  /// The same numbers under another shape.
  case reshape
  /// Channels × rows × columns as channels × columns × rows.
  case transpose
  case rows(Rows)
  /// A function of each element.
  case function(Function)
  /// Arithmetic on a first operand and further ones, one after the other.
  case arithmetic(Operand, [(Arithmetic, Operand)])

  /// The outputs of some shapes, computed from the inputs by arithmetic on rows.
  package typealias Rows =
    @Sendable (_ inputs: [Tensor], _ shapes: [[Int]], _ arithmetic: RowArithmetic)
    throws(InferenceError) -> [Tensor]

  /// A function of a number, see `UnaryOp` and `GELU`.
  package enum Function: Sendable {
    case activation(Activation)
    case exponential, tanh
    case gelu(isFast: Bool)
  }

  /// One side of element-wise arithmetic.
  package enum Operand: Sendable {
    /// The layer's input of this number, of the result's shape or of one pixel, which serves every pixel.
    case input(Int)
    /// A number for each channel, or one for all.
    case numbers([Float])
  }

  /// Arithmetic on `a`, which is what came before, and `b`.
  package enum Arithmetic: Sendable {
    case add, subtract, multiply, divide, maximum, minimum
    /// `a`, or `a · b` below zero.
    case leak
    /// `first · a + second · b`
    case weightedSum(first: Float, second: Float)
  }
}

extension Lowering.Function {
  func value(_ x: Float) -> Float {
    switch self {
    case .activation(let activation): activation.apply(x)
    case .exponential: UnaryOp.exponential.value(x)
    case .tanh: UnaryOp.hyperbolicTangent.value(x)
    case .gelu(let isFast): GELU.value(x, isFast: isFast)
    }
  }
}

extension Layer {
  /// What the engine may compute in place of the layer's plain arithmetic, which it keeps where the weights are
  /// not loaded.
  ///
  /// - Parameter weights: the layer's, as its arithmetic takes them.
  package func lowering(_ weights: [[Float]]) -> Lowering {
    guard weights.count == weightRequests.count else { return .plain }
    return operation.kind.lowering(weights, inputs: inputs.count)
  }
}

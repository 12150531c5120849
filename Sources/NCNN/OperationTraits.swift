/// What an operation takes, makes and hands on.
public struct OperationTraits {
  /// Where the channels of an operation's outputs come from.
  public enum Channels {
    /// They are computed, or mixed from several.
    case new
    /// From the channels of the same numbers.
    case kept
    /// From all inputs, one after the other.
    case joined
    /// A run of channels for each output.
    case cut
    /// From the channels that a shuffle puts in their places.
    case shuffled(ShuffleChannel)
  }

  /// How many blobs the operation reads.
  var inputs = 1...1
  /// How many blobs it makes.
  var outputs = 1...1
  /// The arrays of weights that it takes from the `.bin` file, in their order.
  var weights: [WeightRequest] = []
  /// Whether every number of the outputs is one of the inputs'.
  public var movesNumbers = false
  /// Where the channels of its outputs come from.
  public var channels = Channels.new
}

extension Operation {
  /// What the operation takes, makes and hands on.
  public var traits: OperationTraits {
    switch self {
    case .input: OperationTraits(inputs: 0...0)
    case .memoryData(let memory): OperationTraits(inputs: 0...0, weights: memory.weightRequests)
    case .convolution(let layer): OperationTraits(weights: layer.weightRequests)
    case .deconvolution(let layer): OperationTraits(weights: layer.weightRequests)
    case .innerProduct(let layer): OperationTraits(weights: layer.weightRequests)
    case .pooling(let pooling):
      OperationTraits(movesNumbers: pooling.method == .maximum, channels: .kept)
    case .interp(let interp): interp.traits
    case .concat(let axis):
      OperationTraits(
        inputs: 1...Int.max, movesNumbers: true, channels: axis.isChannels ? .joined : .new)
    case .slice(let slice):
      OperationTraits(
        outputs: 1...Int.max, movesNumbers: true, channels: slice.axis.isChannels ? .cut : .new)
    case .split: OperationTraits(outputs: 1...Int.max, movesNumbers: true, channels: .kept)
    case .shuffleChannel(let shuffle):
      OperationTraits(movesNumbers: true, channels: .shuffled(shuffle))
    case .reshape(let reshape):
      OperationTraits(
        inputs: ShapeExpression.layerInputs(reshape.expression?.inputCount ?? 1),
        movesNumbers: true)
    case .permute, .flatten, .pixelShuffle, .squeeze, .expandDims, .tile, .flip, .reorg:
      OperationTraits(movesNumbers: true)
    case .crop(let crop):
      OperationTraits(inputs: crop.inputs, movesNumbers: true, channels: .kept)
    case .padding(let padding): OperationTraits(weights: padding.weightRequests)
    case .batchNorm(let norm): OperationTraits(weights: norm.weightRequests)
    case .scale(let scale):
      OperationTraits(inputs: scale.channels == nil ? 2...2 : 1...1, weights: scale.weightRequests)
    case .groupNorm(let norm): OperationTraits(weights: norm.weightRequests)
    case .prelu(let count): OperationTraits(weights: [WeightRequest("slopes", count: count)])
    case .bias(let channels): OperationTraits(weights: [WeightRequest("biases", count: channels)])
    case .dropout(let scale):
      OperationTraits(
        inputs: 1...Int.max, outputs: 0...1, movesNumbers: scale == 1,
        channels: scale == 1 ? .kept : .new)
    case .binaryOp(let operation):
      OperationTraits(inputs: operation.scalar == nil ? 2...2 : 1...1)
    case .eltwise: OperationTraits(inputs: 1...Int.max)
    case .relu, .swish, .sigmoid, .hardSwish, .hardSigmoid, .clip, .elu, .gelu, .mish, .unaryOp,
      .reduction, .softmax, .elementwise, .pooling1D, .diag, .unfold, .fold, .cumulativeSum, .glu,
      .localNorm, .meanVarianceNorm:
      OperationTraits()
    case .matMul: OperationTraits(inputs: 2...2)
    case .copyTo: OperationTraits(inputs: 2...2, movesNumbers: true)
    case .gemm(let gemm): gemm.traits
    case .einsum(let einsum): OperationTraits(inputs: einsum.inputs.count...einsum.inputs.count)
    case .multiHeadAttention(let attention): attention.traits
    case .dotProductAttention(let attention): attention.traits
    case .recurrence(let recurrence): recurrence.traits
    case .deconvolution1D(let layer): OperationTraits(weights: layer.weightRequests)
    case .convolution1D(let layer): OperationTraits(weights: layer.weightRequests)
    case .layerNorm(let norm): OperationTraits(weights: norm.weightRequests)
    case .normalize(let norm):
      OperationTraits(weights: [WeightRequest("scales", count: norm.scaleCount)])
    case .priorBox: OperationTraits(inputs: 1...2)
    case .detectionOutput: OperationTraits(inputs: 3...3)
    case .yoloDetectionOutput: OperationTraits(inputs: 1...Int.max)
    case .unknown: OperationTraits(inputs: 0...Int.max, outputs: 0...Int.max)
    }
  }
}

extension Int {
  /// Whether an axis number is that of the channels, in a blob of three axes.
  fileprivate var isChannels: Bool { self == 0 || self == -3 }
}

extension Interp {
  fileprivate var traits: OperationTraits {
    let inputs =
      switch target {
      case .expression(let expression): ShapeExpression.layerInputs(expression.inputCount)
      case .reference: 2...2
      case .scaled, .size: 1...1
      }
    return OperationTraits(inputs: inputs, movesNumbers: method == .nearest, channels: .kept)
  }
}

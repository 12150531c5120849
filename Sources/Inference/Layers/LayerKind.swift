import NCNN

/// What the interpreter and the analyses need to know about a kind of layer. The conformances are
/// in this folder.
///
/// A shape lists its sizes from the outermost axis in.
protocol LayerKind {
  /// The shapes of the outputs, of which there are `count`.
  ///
  /// - Throws: `InferenceError` where the layer cannot work on inputs of these shapes.
  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]]

  /// The outputs, whose shapes have been inferred.
  func apply(
    _ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]
  ) throws(InferenceError) -> [Tensor]

  /// The cost of computing the outputs.
  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost

  /// How the cells of each output read those of the inputs.
  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading]
}

/// A kind with one output at most: all but Slice, Split and the recurrent ones.
protocol SingleOutputKind: LayerKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int]
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  func cost(inputs: [[Int]], output: [Int]) -> Cost
  func reading(inputs: [[Int]], output: [Int]) -> CellReading
}

extension SingleOutputKind {
  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]] {
    [try outputShape(inputs)]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]
  ) throws(InferenceError) -> [Tensor] {
    [try apply(inputs, weights: weights, shape: shapes[0])]
  }

  /// Nothing where the only output is left out.
  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost {
    outputs.first.map { cost(inputs: inputs, output: $0) } ?? Cost()
  }

  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    outputs.map { reading(inputs: inputs, output: $0) }
  }

  /// A step for each element.
  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

  /// Any element may read all of the inputs.
  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .wholeInput }
}

extension Operation {
  /// Whether the blob that the operation reads at an index may have four axes.
  func takesFourAxes(input index: Int) -> Bool {
    switch self {
    case .convolution, .deconvolution, .pooling, .pixelShuffle, .gemm, .multiHeadAttention,
      .dotProductAttention, .recurrence, .convolution1D, .deconvolution1D, .pooling1D, .diag,
      .unfold, .fold, .reorg, .localNorm, .priorBox, .detectionOutput, .yoloDetectionOutput,
      .unknown:
      false
    case .innerProduct: !computesInInt8
    // The others are there for their sizes.
    case .interp: index > 0
    default: true
    }
  }

  /// The kind of layer that computes the operation, on floats or, where it computes in int8, on
  /// either.
  var kind: AnyLayerKind { kind(readsInt8: false) }

  /// The kind of layer that computes the operation.
  ///
  /// - Parameter readsInt8: whether its inputs are int8, see `Int8Blobs.swift`.
  func kind(readsInt8: Bool) -> AnyLayerKind {
    switch self {
    case .input(let declared): AnyLayerKind(declared)
    case .memoryData(let memory): AnyLayerKind(memory)
    case .convolution(let convolution) where computesInInt8:
      AnyLayerKind(QuantisedConvolution(convolution: convolution, readsInt8: readsInt8))
    case .convolution(let convolution): AnyLayerKind(convolution)
    case .deconvolution(let deconvolution): AnyLayerKind(deconvolution)
    case .innerProduct(let product) where computesInInt8:
      AnyLayerKind(QuantisedInnerProduct(product: product, readsInt8: readsInt8))
    case .innerProduct(let product): AnyLayerKind(product)
    case .pooling(let pooling): AnyLayerKind(pooling)
    case .interp(let interp): AnyLayerKind(interp)
    case .concat(let axis): AnyLayerKind(Concat(axis: axis))
    case .slice(let slice): AnyLayerKind(slice)
    case .split: AnyLayerKind(Split())
    case .shuffleChannel(let shuffle): AnyLayerKind(shuffle)
    case .reshape(let reshape): AnyLayerKind(reshape)
    case .permute(let permute): AnyLayerKind(permute)
    case .flatten: AnyLayerKind(Flatten())
    case .padding(let padding): AnyLayerKind(padding)
    case .crop(let crop): AnyLayerKind(crop)
    case .batchNorm(let norm): AnyLayerKind(norm)
    case .scale(let scale): AnyLayerKind(scale)
    case .groupNorm(let norm): AnyLayerKind(norm)
    case .relu(let slope): AnyLayerKind(ReLU(slope: slope))
    case .prelu(let count): AnyLayerKind(PReLU(slopeCount: count))
    case .swish: AnyLayerKind(Swish())
    case .sigmoid: AnyLayerKind(Sigmoid())
    case .hardSwish(let alpha, let beta): AnyLayerKind(HardSwish(alpha: alpha, beta: beta))
    case .hardSigmoid(let alpha, let beta): AnyLayerKind(HardSigmoid(alpha: alpha, beta: beta))
    case .clip(let minimum, let maximum): AnyLayerKind(Clip(minimum: minimum, maximum: maximum))
    case .elu(let alpha): AnyLayerKind(ELU(alpha: alpha))
    case .gelu(let isFast): AnyLayerKind(GELU(isFast: isFast))
    case .mish: AnyLayerKind(Mish())
    case .unaryOp(let function): AnyLayerKind(function)
    case .bias(let channels): AnyLayerKind(Bias(channels: channels))
    case .reduction(let reduction): AnyLayerKind(reduction)
    case .pixelShuffle(let shuffle): AnyLayerKind(shuffle)
    case .softmax(let axis): AnyLayerKind(Softmax(axis: axis))
    case .dropout(let scale): AnyLayerKind(Dropout(scale: scale))
    case .binaryOp(let operation): AnyLayerKind(operation)
    case .eltwise(let eltwise): AnyLayerKind(eltwise)
    case .elementwise(let function): AnyLayerKind(function)
    case .matMul(let isTransposed): AnyLayerKind(MatMul(isTransposed: isTransposed))
    case .gemm(let gemm): AnyLayerKind(gemm)
    case .einsum(let einsum): AnyLayerKind(einsum)
    case .multiHeadAttention(let attention): AnyLayerKind(attention)
    case .dotProductAttention(let attention): AnyLayerKind(attention)
    case .recurrence(let recurrence): AnyLayerKind(recurrence)
    case .convolution1D(let convolution): AnyLayerKind(AlongRows(kind: convolution))
    case .deconvolution1D(let deconvolution): AnyLayerKind(AlongRows(kind: deconvolution))
    case .pooling1D(let pooling): AnyLayerKind(AlongRows(kind: pooling))
    case .squeeze(let squeeze): AnyLayerKind(squeeze)
    case .expandDims(let axes): AnyLayerKind(ExpandDims(axes: axes))
    case .tile(let tile): AnyLayerKind(tile)
    case .flip(let axes): AnyLayerKind(Flip(axes: axes))
    case .copyTo(let copy): AnyLayerKind(copy)
    case .diag(let offset): AnyLayerKind(Diag(offset: offset))
    case .unfold(let unfold): AnyLayerKind(unfold)
    case .fold(let fold): AnyLayerKind(fold)
    case .reorg(let factor, let isInterleaved):
      AnyLayerKind(Reorg(factor: factor, isInterleaved: isInterleaved))
    case .cumulativeSum(let axis): AnyLayerKind(CumulativeSum(axis: axis))
    case .glu(let axis): AnyLayerKind(GLU(axis: axis))
    case .layerNorm(let norm): AnyLayerKind(norm)
    case .localNorm(let norm): AnyLayerKind(norm)
    case .normalize(let norm): AnyLayerKind(norm)
    case .meanVarianceNorm(let norm): AnyLayerKind(norm)
    case .priorBox(let boxes): AnyLayerKind(boxes)
    case .detectionOutput(let output): AnyLayerKind(output)
    case .yoloDetectionOutput(let output): AnyLayerKind(output)
    case .unknown: AnyLayerKind(UnknownKind())
    }
  }
}

/// A type-erased kind of layer. It avoids an existential, which Embedded Swift lacks.
struct AnyLayerKind {
  let outputShapes: (_ inputs: [[Int]], _ count: Int) throws(InferenceError) -> [[Int]]
  let apply:
    (_ inputs: [Tensor], _ weights: [[Float]], _ shapes: [[Int]]) throws(InferenceError) -> [Tensor]
  let cost: (_ inputs: [[Int]], _ outputs: [[Int]]) -> Cost
  let readings: (_ inputs: [[Int]], _ outputs: [[Int]]) -> [CellReading]

  init(_ kind: some LayerKind) {
    outputShapes = kind.outputShapes
    apply = kind.apply
    cost = kind.cost
    readings = kind.readings
  }
}

extension InferenceError {
  /// The error of a kind that the reader does not know.
  static var unknownKind: InferenceError {
    InferenceError(
      .unsupported, found: "an unknown kind",
      expected: "a known one; those with a dot or :: are operations that pnnx did not convert")
  }
}

/// A kind that the reader does not know; networks that have one are refused before they run.
private struct UnknownKind: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] { throw .unknownKind }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor { throw .unknownKind }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .irregular }
}

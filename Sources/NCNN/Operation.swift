import Untrusted

/// What a layer computes, with its parameters read, defaulted and range-checked.
///
/// Names and defaults follow ncnn's operator documentation. Sizes along the axes are written as
/// ncnn's `w` (columns), `h` (rows) and `c` (channels); an axis number counts from the outermost
/// axis that a blob has, negative ones from the innermost.
public enum Operation: Hashable, Sendable {
  /// A blob that the caller provides.
  case input(DeclaredShape)
  /// A blob stored in the weights.
  case memoryData(MemoryData)
  /// Convolution and ConvolutionDepthWise: the latter is a convolution in groups.
  case convolution(Convolution)
  /// Deconvolution and DeconvolutionDepthWise: the latter is a deconvolution in groups.
  case deconvolution(Deconvolution)
  /// A fully connected layer.
  case innerProduct(InnerProduct)
  /// Maximum or average over windows.
  case pooling(Pooling)
  /// Resizing of rows and columns.
  case interp(Interp)
  /// Blobs joined along an axis.
  case concat(axis: Int)
  /// A blob cut along an axis.
  case slice(Slice)
  /// A blob passed to several layers.
  case split
  /// Channels shuffled across groups (ShuffleNet).
  case shuffleChannel(ShuffleChannel)
  /// The same elements under another shape.
  case reshape(Reshape)
  /// Axes in another order.
  case permute(Permute)
  /// All elements along one axis.
  case flatten
  /// A border around rows, columns and channels.
  case padding(Padding)
  /// A part of a blob.
  case crop(Crop)
  /// `(x − mean) / √(variance + epsilon) · slope + bias` per channel.
  case batchNorm(BatchNorm)
  /// `x · scale + bias` per channel.
  case scale(Scale)
  /// Normalisation over groups of channels.
  case groupNorm(GroupNorm)
  /// `max(x, 0)`, or `x · slope` below zero.
  case relu(slope: Float)
  /// ReLU with a learned slope, one or one per channel.
  case prelu(slopeCount: Int)
  /// `x · σ(x)`, also called SiLU.
  case swish
  /// `1 / (1 + e⁻ˣ)`.
  case sigmoid
  /// `x · clamp(alpha · x + beta, 0, 1)`.
  case hardSwish(alpha: Float, beta: Float)
  /// `clamp(alpha · x + beta, 0, 1)`.
  case hardSigmoid(alpha: Float, beta: Float)
  /// `x` clamped to bounds.
  case clip(minimum: Float, maximum: Float)
  /// `x`, or `alpha · (eˣ − 1)` below zero.
  case elu(alpha: Float)
  /// `x · Φ(x)`, where Φ is the normal distribution function, or an approximation of it.
  case gelu(isFast: Bool)
  /// `x · tanh(ln(1 + eˣ))`.
  case mish
  /// A function of each element; also AbsVal, Erf and TanH.
  case unaryOp(UnaryOp)
  /// A function of each element with parameters of its own.
  case elementwise(ElementwiseFunction)
  /// `x + bias` per channel.
  case bias(channels: Int)
  /// The elements along some axes reduced to one.
  case reduction(Reduction)
  /// Channels rearranged into pixels (sub-pixel convolution).
  case pixelShuffle(PixelShuffle)
  /// Exponentials divided by their sum along an axis.
  case softmax(axis: Int)
  /// `x · scale`; the identity at inference, and for Cast, DeepCopy, Noop and Packing, which take the first of
  /// several blobs.
  case dropout(scale: Float)
  /// Arithmetic on two blobs, or on a blob and a number.
  case binaryOp(BinaryOp)
  /// Product, weighted sum or maximum of blobs of equal shape.
  case eltwise(Eltwise)
  /// Products of matrices; of the second, rows may come as columns.
  case matMul(isTransposed: Bool)
  /// A product of matrices, inputs or stored, plus a third.
  case gemm(Gemm)
  /// A sum of products over named axes.
  case einsum(Einsum)
  /// Attention with its weights.
  case multiHeadAttention(MultiHeadAttention)
  /// Attention without weights.
  case dotProductAttention(DotProductAttention)
  /// Rows read one after the other: LSTM, GRU and RNN.
  case recurrence(Recurrence)
  /// A convolution along rows of numbers; also ConvolutionDepthWise1D.
  case convolution1D(Convolution)
  /// A deconvolution along rows of numbers; also DeconvolutionDepthWise1D.
  case deconvolution1D(Deconvolution)
  /// Maximum or average along rows of numbers.
  case pooling1D(Pooling)
  /// A blob without some axes of one element.
  case squeeze(Squeeze)
  /// A blob with further axes of one element, numbered as the result's.
  case expandDims(axes: [Int])
  /// A blob repeated.
  case tile(Tile)
  /// The elements along some axes in reverse.
  case flip(axes: [Int])
  /// A blob in place of a part of another.
  case copyTo(CopyTo)
  /// A diagonal, this many columns right of the main one.
  case diag(offset: Int)
  /// Windows as columns.
  case unfold(Unfold)
  /// Columns added up as windows.
  case fold(Fold)
  /// Pixels rearranged into channels; interleaved, channels that stem from one are not adjacent.
  case reorg(factor: Int, isInterleaved: Bool)
  /// Sums of all elements up to each.
  case cumulativeSum(axis: Int)
  /// The first half of an axis times the logistic function of the second.
  case glu(axis: Int)
  /// Rows or channels normalised each by itself; also RMSNorm.
  case layerNorm(LayerNorm)
  /// Elements divided by a power of the squares around them.
  case localNorm(LocalNorm)
  /// Numbers divided by the root of the sum of their squares.
  case normalize(Normalize)
  /// The mean subtracted, and perhaps the deviation made 1.
  case meanVarianceNorm(MeanVarianceNorm)
  /// SSD's boxes.
  case priorBox(PriorBox)
  /// SSD's detections.
  case detectionOutput(DetectionOutput)
  /// The detections of YOLO's second and third version.
  case yoloDetectionOutput(YoloDetectionOutput)
  /// A kind that this reader does not know; it can be described and written, not run.
  case unknown
}

extension Operation {
  /// Reads the operation of a layer line.
  ///
  /// - Throws: `ModelError` where a parameter is not one that the kind allows.
  init(_ reader: ParameterReader) throws(ModelError) {
    switch UntrustedText(reader.kind) {
    case "Input": self = .input(try DeclaredShape(reader))
    case "MemoryData": self = .memoryData(try MemoryData(reader))
    case "Convolution": self = .convolution(try Convolution(reader, grouped: false))
    case "ConvolutionDepthWise": self = .convolution(try Convolution(reader, grouped: true))
    case "Deconvolution": self = .deconvolution(try Deconvolution(reader, grouped: false))
    case "DeconvolutionDepthWise":
      self = .deconvolution(try Deconvolution(reader, grouped: true))
    case "InnerProduct": self = .innerProduct(try InnerProduct(reader))
    case "Pooling": self = .pooling(try Pooling(reader))
    case "Interp": self = .interp(try Interp(reader))
    case "Concat":
      self = .concat(axis: try reader.integer(0, "axis", default: 0, in: axisRange))
    case "Slice": self = .slice(try Slice(reader))
    case "Split": self = .split
    case "ShuffleChannel": self = .shuffleChannel(try ShuffleChannel(reader))
    case "Reshape": self = .reshape(try Reshape(reader))
    case "Permute": self = .permute(try Permute(reader))
    case "Flatten": self = .flatten
    case "Padding": self = .padding(try Padding(reader))
    case "Crop": self = .crop(try Crop(reader))
    case "BatchNorm": self = .batchNorm(try BatchNorm(reader))
    case "Scale": self = .scale(try Scale(reader))
    case "GroupNorm": self = .groupNorm(try GroupNorm(reader))
    case "InstanceNorm": self = .groupNorm(try GroupNorm(instances: reader))
    case "Bias":
      self = .bias(channels: try reader.size(0, "bias_data_size"))
    case "ReLU": self = .relu(slope: try reader.real(0, "slope", default: 0))
    case "PReLU":
      self = .prelu(slopeCount: try reader.size(0, "num_slope"))
    case "Clip":
      self = .clip(
        minimum: try reader.real(0, "min", default: -.greatestFiniteMagnitude),
        maximum: try reader.real(1, "max", default: .greatestFiniteMagnitude))
    case "ELU": self = .elu(alpha: try reader.real(0, "alpha", default: 0.1))
    case "GELU": self = .gelu(isFast: try reader.flag(0, "fast_gelu"))
    case "Mish": self = .mish
    case "TanH": self = .unaryOp(.hyperbolicTangent)
    case "AbsVal": self = .unaryOp(.absolute)
    case "Erf": self = .unaryOp(.errorFunction)
    case "UnaryOp": self = .unaryOp(try UnaryOp(reader))
    case "Reduction": self = .reduction(try Reduction(reader))
    case "PixelShuffle": self = .pixelShuffle(try PixelShuffle(reader))
    case "Swish": self = .swish
    case "Sigmoid": self = .sigmoid
    case "HardSwish":
      self = .hardSwish(
        alpha: try reader.real(0, "alpha", default: 0.2),
        beta: try reader.real(1, "beta", default: 0.5))
    case "HardSigmoid":
      self = .hardSigmoid(
        alpha: try reader.real(0, "alpha", default: 0.2),
        beta: try reader.real(1, "beta", default: 0.5))
    case "Softmax":
      self = .softmax(axis: try reader.integer(0, "axis", default: 0, in: axisRange))
    case "Dropout": self = .dropout(scale: try reader.real(0, "scale", default: 1))
    case "Cast", "DeepCopy", "Noop", "Packing":
      try reader.requireNoCast()
      self = .dropout(scale: 1)
    case "BinaryOp": self = .binaryOp(try BinaryOp(reader))
    case "Eltwise": self = .eltwise(try Eltwise(reader))
    case "MatMul": self = .matMul(isTransposed: try reader.flag(0, "transB"))
    case "Gemm": self = .gemm(try Gemm(reader))
    case "Einsum": self = .einsum(try Einsum(reader))
    case "MultiHeadAttention": self = .multiHeadAttention(try MultiHeadAttention(reader))
    case "SDPA": self = .dotProductAttention(try DotProductAttention(reader))
    case "LSTM": self = .recurrence(try Recurrence(reader, .lstm))
    case "GRU": self = .recurrence(try Recurrence(reader, .gru))
    case "RNN": self = .recurrence(try Recurrence(reader, .rnn))
    case "Convolution1D": self = .convolution1D(try Convolution(alongRows: reader, grouped: false))
    case "ConvolutionDepthWise1D":
      self = .convolution1D(try Convolution(alongRows: reader, grouped: true))
    case "Deconvolution1D":
      self = .deconvolution1D(try Deconvolution(alongRows: reader, grouped: false))
    case "DeconvolutionDepthWise1D":
      self = .deconvolution1D(try Deconvolution(alongRows: reader, grouped: true))
    case "Pooling1D": self = .pooling1D(try Pooling(alongRows: reader))
    case "Squeeze": self = .squeeze(try Squeeze(reader))
    case "ExpandDims": self = .expandDims(axes: try reader.integers(3, "axes", in: axisRange))
    case "Tile": self = .tile(try Tile(reader))
    case "Flip": self = .flip(axes: try reader.integers(0, "axes", in: axisRange))
    case "CopyTo": self = .copyTo(try CopyTo(reader))
    case "Diag":
      self = .diag(
        offset: try reader.integer(0, "diagonal", default: 0, in: -(1 << 20)...(1 << 20)))
    case "Unfold": self = .unfold(try Unfold(reader))
    case "Fold": self = .fold(try Fold(reader))
    case "Reorg":
      self = .reorg(
        factor: try reader.integer(0, "stride", default: 1, in: 1...(1 << 10)),
        isInterleaved: try reader.flag(1, "mode"))
    case "CumulativeSum":
      self = .cumulativeSum(axis: try reader.integer(0, "axis", default: 0, in: axisRange))
    case "GLU": self = .glu(axis: try reader.integer(0, "axis", default: 0, in: axisRange))
    case "LayerNorm": self = .layerNorm(try LayerNorm(reader, subtractsMean: true))
    case "RMSNorm": self = .layerNorm(try LayerNorm(reader, subtractsMean: false))
    case "LRN": self = .localNorm(try LocalNorm(reader))
    case "Normalize": self = .normalize(try Normalize(reader))
    case "MVN": self = .meanVarianceNorm(try MeanVarianceNorm(reader))
    case "PriorBox": self = .priorBox(try PriorBox(reader))
    case "DetectionOutput": self = .detectionOutput(try DetectionOutput(reader))
    case "YoloDetectionOutput":
      self = .yoloDetectionOutput(try YoloDetectionOutput(reader, version: 2))
    case "Yolov3DetectionOutput":
      self = .yoloDetectionOutput(try YoloDetectionOutput(reader, version: 3))
    default:
      if let function = try ElementwiseFunction(reader) {
        self = .elementwise(function)
      } else {
        self = .unknown
      }
    }
  }
}

/// ncnn's axis numbers, for up to four axes; negative ones count from the innermost.
let axisRange = -4...3

/// The product of sizes that come from a file, or nil where it overflows.
func checkedProduct(_ factors: Int...) -> Int? {
  var product = 1
  for factor in factors {
    let (value, overflow) = product.multipliedReportingOverflow(by: factor)
    if overflow { return nil }
    product = value
  }
  return product
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// Every kind of layer by ncnn's name, and how its parameters are read.
private let layerKinds: [LayerEntry] = [
  LayerEntry("Input", DeclaredShape.init),
  LayerEntry("MemoryData", MemoryData.init),

  LayerEntry("Convolution", Convolution.self, grouped: false, unless: 19),
  LayerEntry("ConvolutionDepthWise", Convolution.self, grouped: true, unless: 19),
  LayerEntry("Convolution1D", AlongRows<Convolution>.self, grouped: false, unless: 19),
  LayerEntry("ConvolutionDepthWise1D", AlongRows<Convolution>.self, grouped: true, unless: 19),
  LayerEntry("Deconvolution", Deconvolution.self, grouped: false, unless: 28),
  LayerEntry("DeconvolutionDepthWise", Deconvolution.self, grouped: true, unless: 28),
  LayerEntry("Deconvolution1D", AlongRows<Deconvolution>.self, grouped: false, unless: 28),
  LayerEntry("DeconvolutionDepthWise1D", AlongRows<Deconvolution>.self, grouped: true, unless: 28),
  LayerEntry("Pooling", Pooling.init),
  LayerEntry("Pooling1D", AlongRows<Pooling>.init(_:)),
  LayerEntry("Interp", Interp.init),
  LayerEntry("GridSample", GridSample.init),
  LayerEntry("Unfold", Unfold.init),
  LayerEntry("Fold", Fold.init),

  LayerEntry("InnerProduct", InnerProduct.init),
  LayerEntry("MatMul", MatMul.init),
  LayerEntry("Gemm", Gemm.init),
  LayerEntry("Einsum", Einsum.init),
  LayerEntry("Embed", Embed.init),
  LayerEntry("MultiHeadAttention", MultiHeadAttention.init),
  LayerEntry("SDPA", DotProductAttention.init),
  LayerEntry("LSTM", Recurrence.init(_:_:), .lstm),
  LayerEntry("GRU", Recurrence.init(_:_:), .gru),
  LayerEntry("RNN", Recurrence.init(_:_:), .rnn),

  LayerEntry("ReLU", ReLU.init),
  LayerEntry("Clip", Clip.init),
  LayerEntry("Swish", Swish()),
  LayerEntry("Sigmoid", Sigmoid()),
  LayerEntry("HardSwish", HardSwish.init),
  LayerEntry("HardSigmoid", HardSigmoid.init),
  LayerEntry("Mish", Mish()),
  LayerEntry("ELU", ELU.init),
  LayerEntry("CELU", CELU.init),
  LayerEntry("SELU", SELU.init),
  LayerEntry("GELU", GELU.init),
  LayerEntry("BNLL", Softplus()),
  LayerEntry("Softplus", Softplus()),
  LayerEntry("Exp", Exponential.init),
  LayerEntry("Log", Logarithm.init),
  LayerEntry("Power", Power.init),
  LayerEntry("Shrink", Shrink.init),
  LayerEntry("Threshold", Threshold.init),
  LayerEntry("UnaryOp", UnaryOp.init(_:)),
  LayerEntry("AbsVal", UnaryOp.absolute),
  LayerEntry("TanH", UnaryOp.hyperbolicTangent),
  LayerEntry("Erf", UnaryOp.errorFunction),
  LayerEntry("Dropout", Dropout.init(_:)),
  LayerEntry("Cast", Dropout.init(cast:)),
  LayerEntry("DeepCopy", Dropout(scale: 1)),
  LayerEntry("Noop", Dropout(scale: 1)),
  LayerEntry("Packing", Dropout(scale: 1)),
  LayerEntry("BinaryOp", BinaryOp.init),
  LayerEntry("Eltwise", Eltwise.init),

  LayerEntry("Bias", Bias.init),
  LayerEntry("Scale", Scale.init),
  LayerEntry("PReLU", PReLU.init),
  LayerEntry("BatchNorm", BatchNorm.init),
  LayerEntry("GroupNorm", GroupNorm.init(_:)),
  LayerEntry("InstanceNorm", GroupNorm.init(instances:)),
  LayerEntry("LayerNorm", LayerNorm.init(_:subtractsMean:), true),
  LayerEntry("RMSNorm", LayerNorm.init(_:subtractsMean:), false),
  LayerEntry("LRN", LocalNorm.init),
  LayerEntry("Normalize", Normalize.init),
  LayerEntry("MVN", MeanVarianceNorm.init),
  LayerEntry("Softmax", Softmax.init),

  LayerEntry("Reduction", Reduction.init),
  LayerEntry("CumulativeSum", CumulativeSum.init),
  LayerEntry("GLU", GLU.init),

  LayerEntry("Concat", Concat.init),
  LayerEntry("Slice", Slice.init),
  LayerEntry("Split", Split()),
  LayerEntry("ShuffleChannel", ShuffleChannel.init),
  LayerEntry("Reshape", Reshape.init),
  LayerEntry("Flatten", Flatten()),
  LayerEntry("Permute", Permute.init),
  LayerEntry("PixelShuffle", PixelShuffle.init),
  LayerEntry("Reorg", Reorg.init),
  LayerEntry("YoloV5Focus", Focus()),
  LayerEntry("Squeeze", Squeeze.init),
  LayerEntry("ExpandDims", ExpandDims.init),
  LayerEntry("Tile", Tile.init),
  LayerEntry("Flip", Flip.init),
  LayerEntry("CopyTo", CopyTo.init),
  LayerEntry("Diag", Diag.init),
  LayerEntry("Crop", Crop.init),
  LayerEntry("Padding", Padding.init),

  LayerEntry("PriorBox", PriorBox.init),
  LayerEntry("DetectionOutput", DetectionOutput.init),
  LayerEntry("YoloDetectionOutput", YoloDetectionOutput.init(_:version:), 2),
  LayerEntry("Yolov3DetectionOutput", YoloDetectionOutput.init(_:version:), 3),
]

/// A line of the registry.
private struct LayerEntry: Sendable {
  let name: StaticString
  let read: @Sendable (ParameterReader) throws(ModelError) -> LayerOperation

  init<Kind: LayerKind & Hashable>(
    _ name: StaticString,
    _ read: @escaping @Sendable (ParameterReader) throws(ModelError) -> Kind
  ) {
    self.name = name
    self.read = { reader throws(ModelError) in LayerOperation(try read(reader)) }
  }

  /// A kind that several names stand for, told apart by a variant.
  init<Kind: LayerKind & Hashable, Variant: Sendable>(
    _ name: StaticString,
    _ read: @escaping @Sendable (ParameterReader, Variant) throws(ModelError) -> Kind,
    _ variant: Variant
  ) {
    self.init(name) { reader throws(ModelError) in try read(reader, variant) }
  }

  /// A kind of windows, unless the flag of a key says that its weights come from a blob.
  init<Kind: BlobWeightsKind>(
    _ name: StaticString, _ kind: Kind.Type, grouped: Bool, unless key: Int
  ) {
    self.name = name
    read = { reader throws(ModelError) in
      try reader.flag(key, "dynamic_weight")
        ? LayerOperation(try BlobWeights<Kind>(reader, grouped: grouped, flag: key))
        : LayerOperation(try Kind(reader, grouped: grouped))
    }
  }

  /// A layer that has no parameters in the file.
  init(_ name: StaticString, _ kind: some LayerKind & Hashable) {
    let operation = LayerOperation(kind)
    self.name = name
    read = { _ in operation }
  }
}

private let entries: [UntrustedText: LayerEntry] = Dictionary(
  uniqueKeysWithValues: layerKinds.map { (UntrustedText("\($0.name)"), $0) })

extension LayerOperation {
  /// Reads the operation of a layer line; a parameter that the kind does not allow costs this layer, not the file.
  init(_ reader: ParameterReader) {
    let kind = UntrustedText(reader.kind)
    do throws(ModelError) {
      self = try entries[kind]?.read(reader) ?? LayerOperation(UnknownKind(kind))
    } catch {
      self.init(UnknownKind(kind, refusal: error))
    }
  }

  /// The kinds that the reader knows, by ncnn's names.
  public static var kinds: [String] { layerKinds.map { "\($0.name)" } }

  /// Whether the reader knows the kind and what the parameters say; others can be described and written, not run.
  public var isKnown: Bool { self.as(UnknownKind.self) == nil }

  /// Why the kind does not allow the parameters; nil where it does, or is not known.
  public var refusal: ModelError? { self.as(UnknownKind.self)?.refusal }

  /// Why a layer that is not known cannot be run; nil for known ones.
  var unknownKind: InferenceError? { self.as(UnknownKind.self)?.error }
}

/// Kinds of upstream's that are not known here. Every other one is no kind of layer there either.
private let otherKinds: [StaticString] = [
  "ArgMax", "Convolution3D", "ConvolutionDepthWise3D", "Deconvolution3D",
  "DeconvolutionDepthWise3D", "DeformableConv2D", "Dequantize", "InverseSpectrogram",
  "PSROIPooling",
  "Pooling3D", "Proposal", "Quantize", "ROIAlign", "ROIPooling", "Requantize", "RotaryEmbed", "SPP",
  "Spectrogram", "StatisticsPooling",
]

/// A kind that the reader does not know, or one with parameters that it does not allow; where such a layer is
/// needed, the network is refused before it runs.
private struct UnknownKind: SingleOutputKind, Hashable {
  /// Whether it is one of upstream's.
  let isLayer: Bool
  /// Why the kind does not allow the parameters; nil for a kind that is not known.
  let refusal: ModelError?

  init(_ kind: UntrustedText, refusal: ModelError? = nil) {
    isLayer = otherKinds.contains { kind == $0 }
    self.refusal = refusal
  }

  /// A refusal says where the layer stands; kinds and parameters, which it follows from, are compared beside.
  static func == (one: UnknownKind, other: UnknownKind) -> Bool { one.isLayer == other.isLayer }

  func hash(into hasher: inout Hasher) { hasher.combine(isLayer) }

  var error: InferenceError {
    if let refusal {
      return InferenceError(.unsupported, found: refusal.found, expected: refusal.expected)
    }
    return InferenceError(
      .unsupported, found: "an unknown kind",
      expected: isLayer
        ? "a kind that runs here"
        : "a kind of ncnn's: this is an operation that a converter, such as pnnx, did not convert, or a layer of the"
          + " authors' own")
  }

  var traits: LayerTraits {
    LayerTraits(inputs: 0...Int.max, outputs: 0...Int.max, fourAxes: nil)
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] { throw error }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor { throw error }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .irregular }
}

import Testing

@testable import NCNN

/// The layer kinds with at most two parameters; the others have files of their own.
///
/// The defaults come from ncnn's operator documentation.
@Suite struct OperationTests {
  static let cases: [(String, String, Int, NCNN.Operation)] = [
    ("Concat", "", 2, .concat(axis: 0)),
    ("Concat", "0=-1", 3, .concat(axis: -1)),
    ("Concat", "0=2.000000e+00", 1, .concat(axis: 2)),
    ("Split", "", 1, .split),
    ("Flatten", "", 1, .flatten),
    ("ReLU", "", 1, .relu(slope: 0)),
    ("ReLU", "0=0.1", 1, .relu(slope: 0.1)),
    ("ReLU", "0=1", 1, .relu(slope: 1)),
    ("PReLU", "0=16", 1, .prelu(slopeCount: 16)),
    ("Swish", "", 1, .swish),
    ("Sigmoid", "", 1, .sigmoid),
    ("HardSwish", "", 1, .hardSwish(alpha: 0.2, beta: 0.5)),
    ("HardSwish", "0=.25 1=3.", 1, .hardSwish(alpha: 0.25, beta: 3)),
    ("HardSigmoid", "", 1, .hardSigmoid(alpha: 0.2, beta: 0.5)),
    ("HardSigmoid", "0=.25 1=3.", 1, .hardSigmoid(alpha: 0.25, beta: 3)),
    ("Softmax", "", 1, .softmax(axis: 0)),
    ("Softmax", "0=-1 1=1", 1, .softmax(axis: -1)),
    ("Dropout", "", 1, .dropout(scale: 1)),
    ("Dropout", "0=.5", 1, .dropout(scale: 0.5)),
    ("Magic", "0=1 1=2", 1, .unknown),
    ("swish", "", 1, .unknown),
    ("Noop", "", 1, .dropout(scale: 1)),
    (
      "Clip", "", 1,
      .clip(minimum: -.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude)
    ),
    ("Clip", "0=-1 1=.5", 1, .clip(minimum: -1, maximum: 0.5)),
    ("ELU", "", 1, .elu(alpha: 0.1)),
    ("GELU", "", 1, .gelu(isFast: false)),
    ("GELU", "0=1", 1, .gelu(isFast: true)),
    ("Mish", "", 1, .mish),
    ("TanH", "", 1, .unaryOp(.hyperbolicTangent)),
    ("UnaryOp", "", 1, .unaryOp(.absolute)),
    ("UnaryOp", "0=19", 1, .unaryOp(.truncate)),
    ("Bias", "0=16", 1, .bias(channels: 16)),
    ("AbsVal", "", 1, .unaryOp(.absolute)),
    ("Erf", "", 1, .unaryOp(.errorFunction)),
    ("UnaryOp", "0=27", 1, .unaryOp(.logarithmOfOneMore)),
    ("BNLL", "", 1, .elementwise(.softplus)),
    ("CELU", "", 1, .elementwise(.celu(alpha: 1))),
    ("Exp", "", 1, .elementwise(.exponential(base: nil, scale: 1, shift: 0))),
    ("Log", "0=2 1=3 2=4", 1, .elementwise(.logarithm(base: 2, scale: 3, shift: 4))),
    ("Power", "", 1, .elementwise(.power(exponent: 1, scale: 1, shift: 0))),
    ("SELU", "", 1, .elementwise(.selu(alpha: 1.67326324, lambda: 1.050700987))),
    ("Shrink", "", 1, .elementwise(.shrink(bias: 0, lambda: 0.5))),
    ("Threshold", "0=.5", 1, .elementwise(.threshold(0.5))),
    ("Cast", "0=1 1=1", 1, .dropout(scale: 1)),
    ("Noop", "", 2, .dropout(scale: 1)),
    ("MatMul", "", 2, .matMul(isTransposed: false)),
    ("MatMul", "0=1", 2, .matMul(isTransposed: true)),
    ("ExpandDims", "-23303=2,0,-1", 1, .expandDims(axes: [0, -1])),
    ("Flip", "-23300=1,-2", 1, .flip(axes: [-2])),
    ("Diag", "0=-2", 1, .diag(offset: -2)),
    ("Reorg", "0=2 1=1", 1, .reorg(factor: 2, isInterleaved: true)),
    ("CumulativeSum", "0=-1", 1, .cumulativeSum(axis: -1)),
    ("GLU", "", 1, .glu(axis: 0)),
  ]

  @Test(arguments: cases)
  func operation(
    _ kind: String, _ parameters: String, _ inputs: Int, _ operation: NCNN.Operation
  ) throws {
    #expect(try readLayer(kind, parameters, inputs: inputs).operation == operation)
  }

  @Test(arguments: [
    ("Swish", 1, 1), ("Split", 1, 5), ("Concat", 7, 1), ("Eltwise", 3, 1), ("BinaryOp", 2, 1),
    ("Magic", 0, 1), ("Magic", 3, 4),
  ])
  func blobCountsThatFit(_ kind: String, _ inputs: Int, _ outputs: Int) throws {
    let layer = try readLayer(kind, inputs: inputs, outputs: outputs)
    #expect(layer.inputs.count == inputs)
    #expect(layer.outputs.count == outputs)
  }

  @Test func layersWithoutWeights() throws {
    for kind in ["Split", "Flatten", "Swish", "Sigmoid", "ReLU", "Softmax", "Concat", "Dropout"] {
      #expect(try weights(kind) == [])
    }
    #expect(try weights("PReLU", "0=16") == ["slopes 16"])
    #expect(try weights("Bias", "0=16") == ["biases 16"])
    // As many rows as a limit of rows × rows would refuse.
    #expect(try weights("Gemm", "6=1 7=20000 8=3 9=4 10=1", inputs: 2) == ["C 20000*"])
  }

  /// Numbers that no layer can have: each would ask for more than a file's weights, or for a wrong place.
  @Test(arguments: [
    ("Gemm", "4=1 7=0 9=5", 1), ("Gemm", "5=1 8=268435456 9=268435456", 1), ("Gemm", "6=1 10=5", 2),
    ("Gemm", "18=1", 2), ("Einsum", "-23300=3,105,45,62", 1), ("Einsum", "", 1),
    ("Einsum", "-23300=4,104,45,62,104", 1), ("Einsum", "-23300=4,105,45,62,106", 1),
    ("MultiHeadAttention", "0=8 1=3 2=64", 1), ("MultiHeadAttention", "0=8 1=2 2=65", 1),
    ("MultiHeadAttention", "0=268435456 1=1 2=268435456", 1),
    ("MultiHeadAttention", "7=1 0=8 2=64", 1),
    ("SDPA", "7=1", 3), ("LSTM", "0=4 1=81", 1), ("LSTM", "0=1048576 1=4194304", 1),
    ("GRU", "0=4 1=80", 1), ("RNN", "0=4 1=81", 1), ("RNN", "0=4 1=80 8=1", 1),
    ("Deconvolution1D", "0=4 1=3 6=13", 1),
    ("Tile", "0=-1 1=2", 1),
    ("Tile", "1=0", 1), ("Tile", "-23302=5,1,1,1,1,1", 1), ("CopyTo", "-23309=2,1,1 -23311=1,0", 2),
    ("Unfold", "1=0", 1), ("Unfold", "1=1048576 11=1048576", 1), ("Fold", "1=3", 1),
    ("Fold", "1=3 20=4 4=-233", 1), ("LayerNorm", "", 1), ("Normalize", "", 1),
    ("LRN", "1=100000", 1),
    ("PriorBox", "", 1), ("PriorBox", "-23300=1,2.0 -23301=2,3.0,4.0", 1),
    ("DetectionOutput", "0=0", 3),
    ("DetectionOutput", "0=2 3=-1", 3), ("Yolov3DetectionOutput", "", 1),
    ("Yolov3DetectionOutput", "1=1 -23304=2,1.0,1.0 -23305=1,7.0 -23306=1,32.0", 1),
    ("YoloDetectionOutput", "1=2 -23304=2,1.0,1.0", 1), ("Cast", "0=1 1=2", 1), ("Reorg", "0=0", 1),
    ("Diag", "0=9999999", 1), ("Convolution1D", "0=4 1=3 6=12 8=1", 1), ("UnaryOp", "0=28", 1),
    ("BinaryOp", "0=19", 2),
  ])
  func refusesWrongParameters(_ kind: String, _ parameters: String, _ inputs: Int) {
    #expect(throws: ModelError.self) { try readLayer(kind, parameters, inputs: inputs) }
  }

  @Test func productsOfSizes() {
    #expect(checkedProduct() == 1)
    #expect(checkedProduct(3, 4, 5) == 60)
    #expect(checkedProduct(1 << 31, 1 << 31) == 1 << 62)
    #expect(checkedProduct(1 << 32, 1 << 31) == nil)
    #expect(checkedProduct(.max, 2, 0) == nil)
  }
}

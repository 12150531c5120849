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
  }

  @Test func productsOfSizes() {
    #expect(checkedProduct() == 1)
    #expect(checkedProduct(3, 4, 5) == 60)
    #expect(checkedProduct(1 << 31, 1 << 31) == 1 << 62)
    #expect(checkedProduct(1 << 32, 1 << 31) == nil)
    #expect(checkedProduct(.max, 2, 0) == nil)
  }
}

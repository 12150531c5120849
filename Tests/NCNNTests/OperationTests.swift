import Testing

@testable import NCNN

/// What a layer's line is read as; the kinds with many parameters have files of their own.
@Suite struct OperationTests {
  /// The defaults of ncnn's operator documentation, spelled out, and other values.
  @Test(arguments: [
    ("Concat", 2, "0=0", "0=-1"), ("ReLU", 1, "0=0.0", "0=0.1"),
    ("HardSwish", 1, "0=.2 1=.5", "0=.25 1=3."), ("HardSigmoid", 1, "0=.2 1=.5", "0=.25 1=3."),
    ("Softmax", 1, "0=0 1=1", "0=-1"), ("Dropout", 1, "0=1.", "0=.5"),
    ("Clip", 1, "0=-3.4028235e+38 1=3.4028235e+38", "0=-1 1=.5"), ("ELU", 1, "0=.1", "0=1"),
    ("GELU", 1, "0=0", "0=1"), ("UnaryOp", 1, "0=0", "0=19"), ("CELU", 1, "0=1.", "0=2."),
    ("Exp", 1, "0=-1. 1=1. 2=0.", "0=2 1=3 2=4"), ("Log", 1, "0=-1. 1=1. 2=0.", "0=2 1=3 2=4"),
    ("Power", 1, "0=1 1=1 2=0", "0=2 1=3 2=4"),
    ("SELU", 1, "0=1.67326324 1=1.050700987", "0=1 1=1"), ("Shrink", 1, "0=0. 1=.5", "0=.5 1=.5"),
    ("Threshold", 1, "0=0", "0=.5"), ("MatMul", 2, "0=0", "0=1"), ("Diag", 1, "0=0", "0=-2"),
    ("Reorg", 1, "0=1 1=0", "0=1 1=1"), ("CumulativeSum", 1, "0=0", "0=-1"),
    ("GLU", 1, "0=0", "0=-1"), ("Permute", 1, "0=0", "0=23"),
    ("ShuffleChannel", 1, "0=1 1=0", "0=1 1=1"), ("PixelShuffle", 1, "0=1 1=0", "0=1 1=1"),
    ("ExpandDims", 1, "", "-23303=2,0,-1"),
    ("Flip", 1, "", "-23300=1,-2"),
  ])
  func defaults(_ kind: String, _ inputs: Int, _ spelledOut: String, _ other: String) throws {
    let read = try ["", spelledOut, other].map { try readLayer(kind, $0, inputs: inputs).operation }
    #expect(read[0] == read[1])
    #expect(read[0] != read[2])
  }

  @Test(arguments: [
    ("Noop", "", "Dropout", ""), ("Cast", "0=1 1=1", "Dropout", ""), ("BNLL", "", "Softplus", ""),
    ("TanH", "", "UnaryOp", "0=16"), ("AbsVal", "", "UnaryOp", "0=0"),
    ("Concat", "0=2.000000e+00", "Concat", "0=2"),
  ])
  func sameOperation(
    _ kind: String, _ parameters: String, _ other: String, _ itsParameters: String
  ) throws {
    #expect(
      try readLayer(kind, parameters).operation == readLayer(other, itsParameters).operation)
  }

  @Test func kindsAreDifferentOperations() throws {
    #expect(try readLayer("Swish").operation != readLayer("Sigmoid").operation)
    #expect(try readLayer("HardSwish").operation != readLayer("HardSigmoid").operation)
    #expect(try !readLayer("swish").operation.isKnown)
    #expect(try !readLayer("Magic", "0=1 1=2").operation.isKnown)
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
    ("PixelShuffle", "0=0", 1), ("Permute", "0=24", 1),
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

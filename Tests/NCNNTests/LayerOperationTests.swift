// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

/// What a layer's line is read as. What each parameter does is shown by upstream's results, in `LayerFixtureTests`.
@Suite struct LayerOperationTests {
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
    ("ExpandDims", 1, "", "-23303=2,0,-1"), ("Flip", 1, "", "-23300=1,-2"),
    ("BinaryOp", 2, "0=0 1=0 2=.5", "0=2"), ("Eltwise", 2, "0=0", "0=1"),
    ("Padding", 1, "0=0 1=0 2=0 3=0 4=0 5=0. 6=0 7=0 8=0", "4=1"),
    ("Reduction", 1, "0=0 1=1 2=1. 4=0", "4=1"), ("Crop", 2, "0=0 1=0 2=0 3=0 13=0", "13=1"),
  ])
  func defaults(_ kind: String, _ inputs: Int, _ spelledOut: String, _ other: String) throws {
    let read = try ["", spelledOut, other].map { try readLayer(kind, $0, inputs: inputs).operation }
    #expect(read[0] == read[1])
    #expect(read[0] != read[2])
  }

  /// What is left out, or has no meaning there, beside the same in full.
  @Test(arguments: [
    ("Convolution", "0=8 1=3 6=216", "0=8 1=3 2=1 3=1 4=0 5=0 6=216 7=9 8=0 9=0 18=0."),
    (
      "Convolution", "0=1 1=3 2=2 3=4 4=5 6=9",
      "0=1 1=3 11=3 2=2 12=2 3=4 13=4 4=5 14=5 15=5 16=5 6=9"
    ),
    ("Convolution", "0=1 1=1 4=1 14=2 6=1", "0=1 1=1 4=1 14=2 15=1 16=2 6=1"),
    ("Convolution", "0=1 1=1 4=-234 6=1", "0=1 1=1 4=-234 14=-234 15=-234 16=-234 6=1"),
    ("Convolution", "0=1 1=1 6=1 9=2 10=.5,1", "0=1 1=1 6=1 9=2 -23310=1,.5"),
    ("Convolution", "0=1 1=1 6=1 9=2 10=.5", "0=1 1=1 6=1 9=2 -23310=1,.5"),
    ("ConvolutionDepthWise", "0=8 1=1 6=24", "0=8 1=1 6=24 7=1"),
    ("Deconvolution", "0=8 1=3 6=216", "0=8 1=3 2=1 3=1 4=0 5=0 6=216 7=9 9=0 18=0 19=0"),
    ("Deconvolution", "0=1 1=3 6=9 4=-233 20=5", "0=1 1=3 6=9 4=-233 20=5 21=5"),
    ("Deconvolution", "0=1 1=3 6=9 4=-233 20=5 21=0", "0=1 1=3 6=9"),
    ("Deconvolution", "0=1 1=3 6=9 4=1 20=5", "0=1 1=3 6=9 4=1"),
    ("InnerProduct", "0=4 2=12", "0=4 1=0 2=12 8=0 9=0"),
    // The scale of the weights, in the first files for int8, and none.
    ("InnerProduct", "0=4 2=12 8=98.5", "0=4 2=12"),
    ("Convolution", "0=1 1=1 6=1 8=0.", "0=1 1=1 6=1"),
    ("ConvolutionDepthWise", "0=1 1=1 6=1 8=127.0", "0=1 1=1 6=1"),
    ("Interp", "0=1", "0=1 1=1. 2=1. 6=0"),
    ("Interp", "0=1 1=2. 2=2. 3=30 4=40", "0=1 3=30 4=40"),
    ("Interp", "0=1 1=2. 2=3. 4=40", "0=1 1=2. 2=3."),
    ("Interp", #"0=1 3=30 4=40 9="0w,*(0h,2)""#, #"0=1 9="0w,*(0h,2)""#),
    ("Scale", "0=16", "0=16 1=0"), ("BatchNorm", "0=16", "0=16 1=0."),
    ("GroupNorm", "1=16", "0=1 1=16 2=.001 3=1"), ("InstanceNorm", "0=16", "0=16 1=.001 2=1"),
    ("Pooling", "1=2", "0=0 1=2 11=2 2=1 12=1 3=0 4=0 5=0 6=0 7=0"),
    ("Pooling", "7=1 8=3", "7=1 8=3 18=3"), ("Pooling", "4=1 7=1 8=3", "4=1"),
    ("Slice", "0=7", "-23300=1,7 1=0"), ("Reshape", "0=6 1=5 11=4", "0=6 1=5"),
    ("Reshape", "0=6 1=-233 2=-233 11=-233 3=0 12=233 13=233", "0=6"),
    ("Reshape", #"0=3 6="0w,0h""#, #"6="0w,0h""#),
    ("Crop", "3=4", "0=0 1=0 2=0 13=0 3=4 4=0 14=0 5=0 6=0 7=0 15=0 8=0"),
    ("Crop", "-23309=2,1,2 -23310=2,-233,5", "-23309=2,1,2 -23310=2,-233,5 -23311=2,0,1"),
    (
      "Crop", "-23309=1,-2147483648 -23310=1,2147483647",
      "-23309=1,-2147483648 -23310=1,2147483647 -23311=1,0"
    ), ("BinaryOp", "1=1", "0=0 1=1 2=0."), ("MemoryData", "0=5 21=1", "0=5"),
    ("Concat", "0=2.000000e+00", "0=2"),
  ])
  func inFull(_ kind: String, _ parameters: String, _ all: String) throws {
    let inputs = kind == "MemoryData" ? 0 : 1
    let read = try [parameters, all].map { try readLayer(kind, $0, inputs: inputs).operation }
    #expect(read[0] == read[1])
  }

  /// Sizes, and channels, which some files declare alone.
  @Test(
    arguments: [
      ("", [], nil), ("0=5", [5], nil), ("0=5 1=4", [4, 5], nil), ("0=5 1=4 2=3", [3, 4, 5], 3),
      ("0=-1 1=-1 2=3", [], 3), ("0=0 1=0 2=3", [], 3), ("0=5 1=4 2=3 11=0", [3, 4, 5], 3),
      ("0=5 1=4 2=3 11=2", [3, 2, 4, 5], 3), ("0=5 1=4 11=2", [], nil), ("2=-1", [], nil),
    ] as [(String, [Int], Int?)])
  func inputs(_ parameters: String, _ sizes: [Int], _ channels: Int?) throws {
    let shape: DeclaredShape = try readOperation("Input", parameters, inputs: 0)
    #expect(shape.sizes == sizes && shape.channels == channels)
  }

  /// The names that messages give to arrays, their counts, and which of them are tagged.
  @Test(arguments: [
    ("Split", 1, "", ""), ("Swish", 1, "", ""), ("Concat", 1, "", ""), ("Padding", 1, "", ""),
    ("PReLU", 1, "0=16", "slopes 16"), ("Bias", 1, "0=16", "biases 16"),
    // As many rows as a limit of rows × rows would refuse.
    ("Gemm", 2, "6=1 7=20000 8=3 9=4 10=1", "C 20000*"),
    ("Convolution", 1, "0=8 1=1 6=24", "weights 24*"),
    (
      "Convolution", 1, "0=8 1=1 6=24 5=1 8=102",
      "weights 24*, bias 8, weight scales 8, input scale 1, output scale 1"
    ),
    (
      "ConvolutionDepthWise", 1, "0=8 1=1 6=24 7=2 8=1",
      "weights 24*, weight scales 2, input scale 1"
    ),
    (
      "ConvolutionDepthWise", 1, "0=8 1=1 6=24 7=2 8=2",
      "weights 24*, weight scales 1, input scale 1"
    ),
    ("DeconvolutionDepthWise", 1, "0=8 1=1 6=24 7=2 5=1", "weights 24*, bias 8"),
    // Upstream reads no scale of the result, and hands on floats.
    (
      "InnerProduct", 1, "0=4 1=1 2=12 8=101",
      "weights 12*, bias 4, weight scales 4, input scale 1"
    ),
    ("MemoryData", 0, "0=5 1=4 11=2 2=3", "data 120"),
    ("MemoryData", 0, "0=5 1=4 21=0", "data 20*"),
    ("Padding", 1, "0=1 4=1 6=8", "border values 8"), ("Scale", 2, "0=-233", ""),
    ("Scale", 1, "0=8 1=1", "scales 8, biases 8"),
    ("BatchNorm", 1, "0=16", "slopes 16, means 16, variances 16, biases 16"),
    ("GroupNorm", 1, "0=4 1=16", "gamma 16, beta 16"), ("GroupNorm", 1, "0=4 1=16 3=0", ""),
    ("InstanceNorm", 1, "0=16", "gamma 16, beta 16"), ("InstanceNorm", 1, "0=16 2=0", ""),
  ])
  func weights(_ kind: String, _ inputs: Int, _ parameters: String, _ arrays: String) throws {
    let requests = try readLayer(kind, parameters, inputs: inputs).weightRequests
    let found = requests.map { "\($0.name) \($0.count)\($0.isTagged ? "*" : "")" }
    #expect(found.joined(separator: ", ") == arrays)
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
    ("BinaryOp", "0=19", 2), ("Scale", "0=-233 1=1", 2), ("Scale", "0=16", 2),
    ("Interp", #"0=1 9="1,2,3""#, 1), ("Reshape", #"6="1w,1h,128""#, 1),
    ("Reshape", #"6="0w,-1""#, 2), ("Reshape", "0=1 12=5", 1), ("Reshape", "0=1 13=-6", 1),
    ("Reshape", "0=1 13=232", 1), ("Reshape", #"6="0w,0h,0c,0w,0h""#, 1),
    ("Reshape", #"13=0 6="0w,0h,0c,0w,0h,0n""#, 1),
    ("Crop", #"19="1" 20="3""#, 1), ("Crop", #"19="1" 20="3,2" 21="0""#, 1),
    ("Crop", #"19="1" 20="1w" 21="2""#, 1), ("Crop", #"19="1" 20="0w" 21="2""#, 2),
    ("Crop", #"-23309=1,1 -23310=1,2 21="0""#, 1), ("Crop", #"19="1" 20="q" 21="0""#, 1),
    // Without the flag 5=1, ncnn counts the axes as it did when there was no batch axis.
    ("Reduction", "1=0 -23303=1,0", 1), ("Reduction", "0=11", 1),
    ("Reduction", "1=0 -23303=1,9 5=1", 1),
    // Upstream takes such sides for sizes, which are then negative.
    ("Convolution", "0=1 1=3 6=9 4=-233 14=0", 1), ("Convolution", "0=1 1=3 6=9 14=-233", 1),
    ("Convolution", "0=1 1=3 6=9 4=-233 16=-234", 1), ("Pooling", "0=0 1=3 3=-233 5=1", 1),
    ("Pooling", "0=0 1=3 3=-234", 1),
    // Upstream fails to run the first, and the others as convolutions do.
    ("DeconvolutionDepthWise", "0=1 1=3 6=9 20=5", 1),
    ("DeconvolutionDepthWise", "0=1 1=3 6=9 28=2", 1),
    ("DeconvolutionDepthWise", "0=1 1=3 6=8", 1), ("DeconvolutionDepthWise", "1=3 6=9", 1),
    ("DeconvolutionDepthWise", "0=1 6=9", 1),
    ("DeconvolutionDepthWise", "0=1 1=3 6=9 4=-233 15=1", 1),
    ("DeconvolutionDepthWise", "0=1 1=3 6=9 18=-1", 1),
    ("DeconvolutionDepthWise", "0=3 1=1 6=9 7=2", 1),
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

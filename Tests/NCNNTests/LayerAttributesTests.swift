// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceNCNN

struct LayerAttributesTests {
  private func layer(_ line: String) throws -> Layer {
    try read(["Input a 0 1 a", line]).layers[1]
  }

  /// Parameters by ncnn's operator documentation: 1 kernel, 11 its height, 3 stride, 2 dilation, 4 border,
  /// 7 groups, 9 activation.
  @Test(arguments: [
    (
      "Convolution c 1 1 a c 0=8 1=3 3=2 4=1 5=1 6=216 9=1",
      "kernel 3 × 3; stride 2 × 2; border 1 on each side; bias one for each output channel; "
        + "activation ReLU"
    ),
    (
      "ConvolutionDepthWise c 1 1 a c 0=8 1=5 11=3 2=2 4=1 15=2 14=0 16=0 6=120 7=8",
      "kernel 3 × 5; dilation 2 × 2; border left 1, right 2, top 0, bottom 0; groups 8; bias none"
    ),
    ("Pooling p 1 1 a p 0=0 1=2 2=2", "takes the maximum; kernel 2 × 2; stride 2 × 2"),
    ("Interp i 1 1 a i 0=1 1=2.0 2=2.0", "method nearest; scale 2.0 in rows, 2.0 in columns"),
    ("ShuffleChannel s 1 1 a s 0=2", "groups 2"), ("ReLU r 1 1 a r 0=0.1", "slope below zero 0.1"),
    ("Swish s 1 1 a s", ""), ("Permute p 1 1 a p 0=3", "parameter 0 3"),
  ])
  func saysWhatParametersMean(line: String, expected: String) throws {
    let attributes = try layer(line).attributes.map { "\($0.name) \($0.value)" }
    #expect(attributes.joined(separator: "; ") == expected)
  }

  @Test func shapesOfWeightsAreThoseOfTheFile() throws {
    let convolution = try layer("ConvolutionDepthWise c 1 1 a c 0=8 1=5 11=3 5=1 6=240 7=4")
    // 240 weights of 8 outputs and 15 places: 2 inputs in each of 4 groups.
    #expect(convolution.weightShapes.map(\.shape) == [[8, 2, 3, 5], [8]])
    let connected = try layer("InnerProduct i 1 1 a i 0=3 1=1 2=12")
    #expect(connected.weightShapes.map(\.shape) == [[3, 4], [3]])
    #expect(try layer("Swish s 1 1 a s").weightShapes.isEmpty)
  }
}

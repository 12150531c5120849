// SPDX-License-Identifier: Apache-2.0

/// How long one step of a plan takes.
public struct StepTime: Sendable {
  /// The name of the layer, or of one of them where several were fused.
  public var name: String
  /// The names of all layers that the step computes; none where it only copies a blob.
  public var layers: [String]
  /// The multiply-adds of plain convolutions. Winograd's tiles need fewer, and so does a blob that is
  /// doubled after its convolution; of a gated output only the gates count.
  public var multiplyAdds: Int64
  /// The fewest bytes that the step can move: each element that it reads, weights and biases
  /// included, or writes, once; blobs in whole blocks of channels, scratch memory not at all.
  public var bytes: Int
  /// What the step is: `convolution`, `pooling` and so on.
  public var kind: String
  /// The shape of its result, such as channels × rows × columns.
  public var shape: String
  /// The time.
  public var time: Duration
}

extension StepTime {
  static func text(of shape: [Int]) -> String { shape.map(String.init).joined(separator: "x") }
}

extension Duration {
  /// In seconds.
  @_spi(Tool) public var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// In microseconds.
  @_spi(Tool) public var microseconds: Double { seconds * 1e6 }
}

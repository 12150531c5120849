/// How long one step of a plan takes.
public struct StepTime: Sendable {
  /// The name of the layer, the last one where several were fused.
  public var name: String
  /// The names of all layers that the step computes; none where it only copies a blob.
  public var layers: [String]
  /// The multiply-adds of plain convolutions. Winograd's tiles need fewer, and so does a blob that is
  /// doubled after its convolution; of a gated output only the gates count.
  public var multiplyAdds: Int64
  /// The bytes that the step moves at least: each element of what it reads, weights and biases
  /// included, and of what it writes, once. Blobs count as they lie in memory, in whole blocks of
  /// channels; what fused convolutions hand over in scratch memory does not count.
  public var bytes: Int
  /// What the step is: `convolution`, `pooling` and so on.
  public var kind: String
  /// What it makes, as channels × rows × columns or the like.
  public var shape: String
  /// The time.
  public var time: Duration
}

extension StepTime {
  /// A step before it runs.
  init(_ step: Plan.Step, bytes: Int) {
    self.init(
      name: step.name, layers: step.layers, multiplyAdds: step.multiplyAdds, bytes: bytes,
      kind: step.kind.name, shape: step.shape.map(String.init).joined(separator: "x"), time: .zero)
  }
}

extension Duration {
  /// In seconds.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// In millionths of a second.
  package var microseconds: Double { seconds * 1e6 }
}

// SPDX-License-Identifier: Apache-2.0

/// What a layer computes: a layer of any kind, with its parameters read, defaulted and range-checked.
public struct LayerOperation: Hashable, Sendable {
  /// What every kind says of itself.
  package let kind: any AnyLayerKind

  init(_ kind: some LayerKind & Hashable) { self.kind = KindBox(kind) }

  /// The layer as one of a kind; nil where it is of another.
  package func `as`<Kind: LayerKind & Hashable>(_ type: Kind.Type) -> Kind? {
    (kind as? KindBox<Kind>)?.kind
  }

  /// What computes the layer: itself on floats or, where it computes in int8, on either.
  package func arithmetic(readsInt8: Bool = false) -> any AnyLayerKind {
    kind.inInt8(readsInt8: readsInt8)?.kind ?? kind
  }

  /// What the layer takes, makes and hands on.
  @_spi(Tool) public var traits: LayerTraits { kind.traits }

  /// Whether both are of one kind, with the same parameters.
  public static func == (one: LayerOperation, other: LayerOperation) -> Bool {
    one.kind.isEqual(to: other.kind)
  }

  /// Hashes the parameters.
  public func hash(into hasher: inout Hasher) { kind.hash(into: &hasher) }
}

/// `LayerKind` for a layer of any kind. Only classes have existentials in Embedded Swift, and only those of
/// protocols that refine no other.
package protocol AnyLayerKind: AnyObject, Sendable {
  var traits: LayerTraits { get }
  var attributes: [LayerAttribute]? { get }
  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering
  func inInt8(readsInt8: Bool) -> LayerOperation?
  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]]
  func apply(
    _ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]
  ) throws(InferenceError) -> [Tensor]
  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost
  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading]
  func isEqual(to other: any AnyLayerKind) -> Bool
  func hash(into hasher: inout Hasher)
}

private final class KindBox<Kind: LayerKind & Hashable>: AnyLayerKind {
  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  var traits: LayerTraits { kind.traits }
  var attributes: [LayerAttribute]? { kind.attributes }
  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    kind.lowering(weights, inputs: inputs)
  }
  func inInt8(readsInt8: Bool) -> LayerOperation? { kind.inInt8(readsInt8: readsInt8) }
  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]] {
    try kind.outputShapes(inputs, count: count)
  }
  func apply(
    _ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]
  ) throws(InferenceError) -> [Tensor] {
    try kind.apply(inputs, weights: weights, shapes: shapes)
  }
  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost {
    kind.cost(inputs: inputs, outputs: outputs)
  }
  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    kind.readings(inputs: inputs, outputs: outputs)
  }
  func isEqual(to other: any AnyLayerKind) -> Bool { (other as? KindBox<Kind>)?.kind == kind }
  func hash(into hasher: inout Hasher) { kind.hash(into: &hasher) }
}

// SPDX-License-Identifier: Apache-2.0

/// x · scale: the identity at inference. It also stands for Cast, DeepCopy, Noop and Packing, which
/// take the first of several blobs.
struct Dropout: ElementwiseKind, Hashable {
  let scale: Float

  init(scale: Float) { self.scale = scale }

  init(_ reader: ParameterReader) throws(ModelError) {
    scale = try reader.real(0, "scale", default: 1)
  }

  /// Reads Cast, which may not change the type of numbers.
  init(cast reader: ParameterReader) throws(ModelError) {
    let from = try reader.integer(0, "type_from", default: 0)
    let to = try reader.integer(1, "type_to", default: 0)
    guard from == to else {
      throw reader.failure(.unsupported, "Cast from type \(from) to \(to)", "equal types")
    }
    scale = 1
  }

  var traits: LayerTraits {
    LayerTraits(
      inputs: 1...Int.max, outputs: 0...1, movesInt8: scale == 1,
      movement: scale == 1 ? .picks : .none, channels: scale == 1 ? .kept : .new)
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    scale == 1 ? .identity : .arithmetic(.input(0), [(.multiply, .numbers([scale]))])
  }

  var steps: Int64 { 1 }

  func value(_ x: Float) -> Float { x * scale }
}

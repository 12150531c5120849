// SPDX-License-Identifier: Apache-2.0

/// x, or x · slope below zero; a slope of 0 gives 0, even for −∞.
struct ReLU: ElementwiseKind, Hashable {
  let slope: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    slope = try reader.real(0, "slope", default: 0)
  }

  var attributes: [LayerAttribute]? { slope == 0 ? nil : [("slope below zero", "\(slope)")] }
  var traits: LayerTraits { LayerTraits(movesInt8: slope == 0) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .function(.activation(slope == 0 ? .relu : .leakyReLU(slope: slope)))
  }

  var steps: Int64 { 1 }

  func value(_ x: Float) -> Float { x < 0 ? (slope == 0 ? 0 : x * slope) : x }
}

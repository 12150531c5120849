// SPDX-License-Identifier: Apache-2.0

/// A blob with the elements along some axes in reverse.
struct Flip: GatheringKind, Hashable {
  let axes: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    axes = try reader.integers(0, "axes", in: axisRange)
  }

  var traits: LayerTraits { LayerTraits(movement: .rearranges) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    for axis in axes { _ = try resolvedAxis(axis, of: inputs[0]) }
    return inputs[0]
  }

  func places(_ input: [Int], shape: [Int]) -> [[Int]] {
    let (flipped, steps) = (axes.map { $0.resolved(in: shape) }, strides(of: shape))
    return shape.indices.map { axis in
      let places = (0..<shape[axis]).map { $0 * steps[axis] }
      return flipped.contains(axis) ? places.reversed() : places
    }
  }
}

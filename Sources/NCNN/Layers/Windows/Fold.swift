// SPDX-License-Identifier: Apache-2.0

/// The sums of what Unfold's rows hold of each pixel: C · kernel × windows → C × H × W.
struct Fold: SingleOutputKind, Hashable {
  /// Their border is cut off.
  let windows: Unfold
  /// Of the result.
  let size: Extent

  init(_ reader: ParameterReader) throws(ModelError) {
    windows = try Unfold(reader)
    size = try Extent(reader, 20, 21, "output", default: 0)
    guard case .explicit = windows.border else {
      throw reader.refusal("a SAME border", expected: "numbers of pixels")
    }
  }

  var traits: LayerTraits { LayerTraits(fourAxes: nil) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let taps = windows.kernel.area
    let count = try windows.windows(over: [size.height, size.width])
    guard input.count == 2, input[0] % taps == 0, input[1] == count[0] * count[1] else {
      throw .shape(
        "shape \(input)",
        expected: "a multiple of \(taps) rows of \(count[0]) × \(count[1]) windows")
    }
    return [input[0] / taps, size.height, size.width]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    let count = try windows.windows(over: [size.height, size.width])
    guard case .explicit(let left, let right, let top, let bottom) = windows.border else {
      return Tensor(shape)
    }
    let (rows, columns) = (size.height + top + bottom, size.width + left + right)
    var whole = Tensor([shape[0], rows, columns])
    forEachPlace(windows.places(in: whole.shape, count)) {
      whole.values[$1] += inputs[0].values[$0]
    }
    return whole.strided(shape, from: top * columns + left, by: strides(of: whole.shape))
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let bordered = windows.border.sizes(of: output, window: windows.kernel, stride: windows.stride)
    return Cost(
      steps: product(inputs[0]) + product(output),
      scratchElements: product([output[0], bordered.rows, bordered.columns])
        + 4 * inputs[0].reduce(0) { $0 + Int64($1) })
  }
}

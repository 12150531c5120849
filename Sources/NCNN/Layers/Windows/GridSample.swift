// SPDX-License-Identifier: Apache-2.0

/// A blob read between its pixels, at the positions of a second one.
///
/// C × H × W and H′ × W′ × 2 become C × H′ × W′, and C × D × H × W and D′ × H′ × W′ × 3 likewise. Positions are
/// columns, rows and slices from −1 to 1: the outer edges of the blob, or with aligned corners the centres of
/// its outermost pixels. Permuted, the axis of 2 or 3 is the outermost.
struct GridSample: SingleOutputKind, Hashable {
  /// In ncnn's order.
  enum Method: CaseIterable {
    case linear, nearest, cubic
  }

  /// What is outside of the blob, in ncnn's order.
  enum Outside: CaseIterable {
    case zeros, edge, reflection
  }

  let method: Method
  let outside: Outside
  let alignsCorners: Bool
  let isPermuted: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    method = Method.allCases[try reader.integer(0, "sample_type", default: 1, in: 1...3) - 1]
    outside = Outside.allCases[try reader.integer(1, "padding_mode", default: 1, in: 1...3) - 1]
    alignsCorners = try reader.flag(2, "align_corner")
    isPermuted = try reader.flag(3, "permute_fusion")
  }

  var traits: LayerTraits { LayerTraits(inputs: 2...2) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (input, grid) = (inputs[0], inputs[1])
    let axes = isPermuted ? grid.first : grid.last
    guard input.count == 3 || input.count == 4 && method != .cubic, grid.count == input.count,
      axes == input.count - 1
    else {
      throw .shape(
        "shape \(input), and positions of \(grid)",
        expected:
          "channels, rows and columns, and two numbers for each new pixel, or one axis more "
          + "and three, but not bicubic")
    }
    return [input[0]] + (isPermuted ? grid.dropFirst() : grid.dropLast())
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (source, grid) = (inputs[0], inputs[1])
    let sizes = Array(source.shape.dropFirst())
    let (steps, size) = (strides(of: sizes), sizes.reduce(1, *))
    let points = shape.dropFirst().reduce(1, *)
    var result = Tensor(shape)
    for point in 0..<points {
      var taps: [Tap] = [(0, 1)]
      for axis in sizes.indices {
        let number = sizes.count - 1 - axis
        let place = isPermuted ? number * points + point : point * sizes.count + number
        let found = self.taps(at: grid.values[place], of: sizes[axis])
        taps = taps.flatMap { tap in
          found.map { (tap.place + $0.place * steps[axis], tap.weight * $0.weight) }
        }
      }
      for channel in 0..<shape[0] {
        result.values[channel * points + point] = taps.reduce(0) { sum, tap in
          sum + source.values[channel * size + tap.place] * tap.weight
        }
      }
    }
    return result
  }

  private typealias Tap = (place: Int, weight: Float)

  /// The pixels around a position along an axis, and their weights; zeros are left out.
  private func taps(at position: Float, of size: Int) -> [Tap] {
    let last = Float(size - 1)
    let pixel = alignsCorners ? (position + 1) / 2 * last : ((position + 1) * Float(size) - 1) / 2
    let start = method == .cubic ? pixel : inside(pixel, size)
    let first = (method == .nearest ? start + 0.5 : start).rounded(.down)
    return zip([-1, 0, 1, 2] as [Float], weights(start - first)).compactMap { offset, weight in
      let place = method == .cubic ? inside(first + offset, size) : first + offset
      guard weight != 0, place >= 0, place <= last, Int(place) < size else { return nil }
      return (Int(place), weight)
    }
  }

  /// The weights of four neighbours, for a position between the second and the third.
  private func weights(_ rest: Float) -> [Float] {
    switch method {
    case .nearest: return [0, 1, 0, 0]
    case .linear: return [0, 1 - rest, rest, 0]
    case .cubic:
      return [Cubic.far(1 + rest), Cubic.near(rest), Cubic.near(1 - rest), Cubic.far(2 - rest)]
    }
  }

  /// Where a position outside of the blob is read. As in ncnn, what is still outside once it is reflected at both edges
  /// is clamped.
  private func inside(_ pixel: Float, _ size: Int) -> Float {
    let last = Float(size - 1)
    func clamped(_ pixel: Float) -> Float { min(last, max(pixel, 0)) }
    switch outside {
    case .zeros: return pixel
    case .edge: return clamped(pixel)
    case .reflection:
      let margin: Float = alignsCorners ? 0 : 0.5
      let far = last + 2 * margin
      return clamped(far - abs(abs(pixel + margin) - far) - margin)
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let taps = method == .nearest ? 1 : method == .linear ? 1 << (output.count - 1) : 16
    return Cost(
      steps: product(output) * Int64(taps) + product(Array(output.dropFirst())) * 4
        * Cost.exponential,
      scratchElements: 64)
  }
}

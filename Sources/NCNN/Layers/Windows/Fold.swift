/// Parameters of Fold, which adds up what Unfold's rows hold of each pixel.
struct Fold: Hashable, Sendable {
  /// The windows; their border is cut off.
  var windows: Unfold
  /// The rows and columns of the result.
  var size: Extent

  init(_ reader: ParameterReader) throws(ModelError) {
    windows = try Unfold(reader)
    size = try Extent(reader, 20, 21, "output", default: 0)
    guard case .explicit = windows.border else {
      throw reader.refusal("a SAME border", expected: "numbers of pixels")
    }
  }
}

extension Fold: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(fourAxes: .none) }

  /// C · kernel × windows → C × H × W.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let taps = windows.kernel.width * windows.kernel.height
    let count = try windows.windows(rows: size.height, columns: size.width)
    guard input.count == 2, input[0] % taps == 0, input[1] == count.rows * count.columns else {
      throw InferenceError(
        .shape, found: "shape \(input)",
        expected: "a multiple of \(taps) rows of \(count.rows) × \(count.columns) windows")
    }
    return [input[0] / taps, size.height, size.width]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let count = try windows.windows(rows: size.height, columns: size.width)
    guard case .explicit(let left, let right, let top, let bottom) = windows.border else {
      return Tensor(shape)
    }
    let (rows, columns) = (size.height + top + bottom, size.width + left + right)
    var whole = Tensor([shape[0], rows, columns])
    var index = 0
    forEachPlace(windows.places(channels: shape[0], rows: rows, columns: columns, windows: count)) {
      whole.values[$0] += inputs[0].values[index]
      index += 1
    }
    return whole.gathered(
      shape,
      [
        (0..<shape[0]).map { ($0 * rows + top) * columns + left },
        (0..<size.height).map { $0 * columns }, Array(0..<size.width),
      ])
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let bordered = windows.border.sizes(
      rows: size.height, columns: size.width, window: windows.kernel, stride: windows.stride)
    return Cost(
      steps: product(inputs[0]) + product(output),
      scratchElements: work(output[0], bordered.rows, bordered.columns) + 4
        * (Int64(inputs[0][0]) + Int64(inputs[0].last ?? 1)))
  }
}

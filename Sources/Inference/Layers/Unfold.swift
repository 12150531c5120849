import NCNN

extension Unfold: SingleOutputKind {
  /// C × H × W → C · kernel × windows; fewer axes are one channel.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let sizes = [1, 1, 1].dropLast(input.count) + input
    let (rows, columns) = try windows(rows: sizes[sizes.count - 2], columns: sizes[sizes.count - 1])
    let taps = elementCount([input.count < 3 ? 1 : input[0], kernel.width, kernel.height])
    guard let taps else {
      throw InferenceError(
        .limit, found: "\(input[0]) channels of \(kernel.width) × \(kernel.height)",
        expected: "a number that fits an Int")
    }
    return [taps, rows * columns]
  }

  /// The rows and columns of windows.
  func windows(rows: Int, columns: Int) throws(InferenceError) -> (rows: Int, columns: Int) {
    try border.requireOneSense(rows: rows, columns: columns, window: window, stride: stride)
    let size = border.sizes(rows: rows, columns: columns, window: window, stride: stride)
    guard size.rows >= window.height, size.columns >= window.width,
      let count = elementCount([size.rows, size.columns]), count < 1 << 29
    else {
      throw InferenceError(
        .shape, found: "\(size.rows) × \(size.columns) pixels with the border",
        expected: "at least the window of \(window.height) × \(window.width), below 2²⁹")
    }
    return (
      (size.rows - window.height) / stride.height + 1,
      (size.columns - window.width) / stride.width + 1
    )
  }

  private var window: Extent {
    Extent(
      width: dilation.width * (kernel.width - 1) + 1,
      height: dilation.height * (kernel.height - 1) + 1)
  }

  /// Where windows and the places in them are, in a blob with its border.
  fileprivate func places(
    channels: Int, rows: Int, columns: Int, windows: (rows: Int, columns: Int)
  ) -> [[Int]] {
    let taps = (0..<channels).flatMap { channel in
      (0..<kernel.height).flatMap { y in
        (0..<kernel.width).map { x in
          (channel * rows + y * dilation.height) * columns + x * dilation.width
        }
      }
    }
    let starts = (0..<windows.rows).flatMap { y in
      (0..<windows.columns).map { y * stride.height * columns + $0 * stride.width }
    }
    return [taps, starts]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let windows = try windows(rows: inputs[0].rows, columns: inputs[0].columns)
    let source = bordered(inputs[0], border, value: borderValue, window: window, stride: stride)
    return source.gathered(
      shape,
      places(
        channels: source.channels, rows: source.rows, columns: source.columns, windows: windows))
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let input = inputs[0]
    let size = border.sizes(
      rows: input.dropLast().last ?? 1, columns: input.last ?? 1, window: window, stride: stride)
    let copied = work(input.count < 3 ? 1 : input[0], size.rows, size.columns)
    return Cost(
      steps: product(output) + copied,
      scratchElements: copied + 4 * (Int64(output[0]) + Int64(output[1])))
  }
}

extension Fold: SingleOutputKind {
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

/// Parameters of Unfold: the windows of each channel as rows, one for each place in a window.
struct Unfold: Hashable, Sendable {
  /// The window, in samples.
  var kernel: Extent
  /// The distance between neighbouring samples of a window.
  var dilation: Extent
  /// The distance between neighbouring windows.
  var stride: Extent
  /// The border added to the input first.
  var border: Border
  /// The value of the border's pixels.
  var borderValue: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    kernel = try Extent(reader, 1, 11, "kernel", default: 0)
    dilation = try Extent(reader, 2, 12, "dilation", default: 1)
    stride = try Extent(reader, 3, 13, "stride", default: 1)
    border = try Border(reader, left: 4, top: 14, right: 15, bottom: 16)
    borderValue = try reader.real(18, "pad_value", default: 0)
    guard checkedProduct(dilation.width, kernel.width) != nil,
      checkedProduct(dilation.height, kernel.height) != nil,
      let taps = checkedProduct(kernel.width, kernel.height), taps <= Limits.integerParameter
    else {
      throw reader.refusal(
        "kernel \(kernel.width) × \(kernel.height)", expected: "a window whose sides fit an Int")
    }
  }
}

extension Unfold: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(fourAxes: .none) }

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
  func places(
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

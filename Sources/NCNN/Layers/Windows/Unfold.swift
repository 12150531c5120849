// SPDX-License-Identifier: Apache-2.0

/// The windows of each channel as rows, one for each place in a window: C × H × W → C · kernel × windows.
/// Fewer axes are one channel.
struct Unfold: SingleOutputKind, Hashable {
  let kernel: Extent
  let dilation: Extent
  let stride: Extent
  let border: Border
  let borderValue: Float

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

  var traits: LayerTraits { LayerTraits(fourAxes: nil) }

  private var window: Extent { kernel.dilated(by: dilation) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let windows = try windows(over: input)
    let taps = elementCount([input.count < 3 ? 1 : input[0], kernel.width, kernel.height])
    guard let taps else {
      throw InferenceError(
        .limit, found: "\(input[0]) channels of \(kernel.width) × \(kernel.height)",
        expected: "a number that fits an Int")
    }
    return [taps, windows[0] * windows[1]]
  }

  /// The rows and columns of windows over a shape.
  func windows(over shape: [Int]) throws(InferenceError) -> [Int] {
    let size = try border.checkedSizes(of: shape, window: window, stride: stride)
    guard size.rows >= window.height, size.columns >= window.width,
      let count = elementCount([size.rows, size.columns]), count < 1 << 29
    else {
      throw .shape(
        "\(size.rows) × \(size.columns) pixels with the border",
        expected: "at least the window of \(window.text), below 2²⁹")
    }
    return try window.windows(over: size, of: shape, stride: stride)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    let windows = try windows(over: inputs[0].shape)
    let source = border.added(to: inputs[0], value: borderValue, window: window, stride: stride)
    return source.gathered(shape, places(in: source.shape, windows))
  }

  /// Where the places in windows are, and the windows, in a blob with its border.
  func places(in shape: [Int], _ windows: [Int]) -> [[Int]] {
    let (rows, columns) = (shape[1], shape[2])
    let taps = (0..<shape[0]).flatMap { channel in
      (0..<kernel.height).flatMap { y in
        (0..<kernel.width).map { x in
          (channel * rows + y * dilation.height) * columns + x * dilation.width
        }
      }
    }
    let starts = (0..<windows[0]).flatMap { y in
      (0..<windows[1]).map { y * stride.height * columns + $0 * stride.width }
    }
    return [taps, starts]
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let size = border.sizes(of: inputs[0], window: window, stride: stride)
    let copied = product([inputs[0].count < 3 ? 1 : inputs[0][0], size.rows, size.columns])
    return Cost(
      steps: product(output) + copied,
      scratchElements: copied + 4 * (Int64(output[0]) + Int64(output[1])))
  }
}

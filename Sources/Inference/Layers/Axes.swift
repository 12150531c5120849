import LibC
import NCNN

/// The distances between neighbours along each axis.
func strides(of shape: [Int]) -> [Int] {
  var step = 1
  return shape.reversed().map { size in
    defer { step *= size }
    return step
  }.reversed()
}

/// The sums of one number of each list, the last list running fastest: where elements are, if each axis adds
/// a distance of its own.
private func forEachPlace(_ places: [[Int]], _ body: (Int) -> Void) {
  let outer = places.dropLast().reduce([0]) { sums, axis in
    sums.flatMap { sum in axis.map { sum + $0 } }
  }
  for start in outer {
    for place in places[places.count - 1] { body(start + place) }
  }
}

extension Tensor {
  /// The elements at places that are sums of one number for each axis of the result.
  func gathered(_ shape: [Int], _ places: [[Int]]) -> Tensor {
    var result: [Float] = []
    result.reserveCapacity(shape.reduce(1, *))
    forEachPlace(places) { result.append(values[$0]) }
    return Tensor(shape, result)
  }
}

extension Cost {
  /// That of moving the elements of an output, whose places are listed but along the innermost axis.
  fileprivate static func moving(_ output: [Int]) -> Cost {
    Cost(steps: product(output), scratchElements: 2 * product(output.dropLast()))
  }
}

extension Squeeze: SingleOutputKind {
  /// Selected axes of more elements stay; one axis of 1 where none remains.
  func outputShape(_ inputs: [[Int]]) -> [Int] {
    let axes = axes(of: inputs[0].count)
    let rest = inputs[0].enumerated().filter { !axes.contains($0.offset) || $0.element > 1 }
    return rest.isEmpty ? [1] : rest.map { $0.element }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(shape, inputs[0].values)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    inputs[0] == output ? .sameElement : .moved
  }
}

/// A blob with further axes of one element.
struct ExpandDims: SingleOutputKind {
  /// Their numbers in the result, negative ones from the innermost.
  let axes: [Int]

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let count = inputs[0].count + axes.count
    let added = Set(axes.map { $0 < 0 ? count + $0 : $0 })
    guard added.count == axes.count, added.allSatisfy((0..<count).contains) else {
      throw InferenceError(
        .shape, found: "axes \(axes) added to shape \(inputs[0])",
        expected: "different ones of the \(count) axes")
    }
    var rest = inputs[0][...]
    return (0..<count).map { added.contains($0) ? 1 : rest.removeFirst() }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(shape, inputs[0].values)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    inputs[0] == output ? .sameElement : .moved
  }
}

extension Tile: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (sizes, counts) = try aligned(inputs[0])
    var shape: [Int] = []
    for (size, count) in zip(sizes, counts) {
      let (product, overflow) = size.multipliedReportingOverflow(by: count)
      guard !overflow else {
        throw InferenceError(
          .limit, found: "\(size) elements \(count) times", expected: "a size that fits an Int")
      }
      shape.append(product)
    }
    return shape
  }

  /// The sizes, and how often each axis is repeated; axes that the blob lacks are added where they are.
  private func aligned(_ input: [Int]) throws(InferenceError) -> (sizes: [Int], counts: [Int]) {
    var counts = [Int](repeating: 1, count: input.count)
    if let axis {
      counts[try resolvedAxis(axis, of: input)] = repeats[0]
      return (input, counts)
    }
    let missing = max(0, repeats.count - input.count)
    counts = [Int](repeating: 1, count: max(0, input.count - repeats.count)) + repeats
    return ([Int](repeating: 1, count: missing) + input, counts)
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let sizes = try aligned(inputs[0].shape).sizes
    let steps = strides(of: sizes)
    return inputs[0].gathered(
      shape,
      shape.indices.map { axis in (0..<shape[axis]).map { $0 % sizes[axis] * steps[axis] } })
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }
}

/// A blob with the elements along some axes in reverse.
struct Flip: SingleOutputKind {
  let axes: [Int]

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    for axis in axes { _ = try resolvedAxis(axis, of: inputs[0]) }
    return inputs[0]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    var flipped: Set<Int> = []
    for axis in axes { flipped.insert(try resolvedAxis(axis, of: shape)) }
    let steps = strides(of: shape)
    return inputs[0].gathered(
      shape,
      shape.indices.map { axis in
        (0..<shape[axis]).map { (flipped.contains(axis) ? shape[axis] - 1 - $0 : $0) * steps[axis] }
      })
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }
}

extension CopyTo: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    _ = try positions(inputs)
    return inputs[0]
  }

  /// Where the second blob goes, along each axis.
  private func positions(_ shapes: [[Int]]) throws(InferenceError) -> [Range<Int>] {
    let (whole, part) = (shapes[0], shapes[1])
    var positions = [Int](repeating: 0, count: whole.count)
    if whole != part {
      for start in starts where -whole.count..<whole.count ~= start.axis {
        let axis = try resolvedAxis(start.axis, of: whole)
        positions[axis] = start.position < 0 ? whole[axis] + start.position : start.position
      }
    }
    guard whole.count == part.count,
      whole.indices.allSatisfy({
        positions[$0] >= 0 && part[$0] <= whole[$0] && positions[$0] <= whole[$0] - part[$0]
      })
    else {
      throw InferenceError(
        .shape, found: "shape \(part) at \(positions) of shape \(whole)", expected: "a part of it")
    }
    return whole.indices.map { positions[$0]..<positions[$0] + part[$0] }
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    var result = inputs[0]
    let steps = strides(of: shape)
    let positions = try positions(inputs.map { $0.shape })
    var index = 0
    forEachPlace(positions.enumerated().map { axis, range in range.map { $0 * steps[axis] } }) {
      result.values[$0] = inputs[1].values[index]
      index += 1
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .wholeInput }
}

/// A vector as a diagonal of a matrix of zeros, or a diagonal of a matrix as a vector.
struct Diag: SingleOutputKind {
  /// Of the columns right of the main diagonal.
  let offset: Int

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let (down, across) = (max(0, -offset), max(0, offset))
    if input.count == 1 { return [input[0] + down + across, input[0] + down + across] }
    guard input.count == 2, input[0] > down, input[1] > across else {
      throw InferenceError(
        .shape, found: "diagonal \(offset) of shape \(input)",
        expected: "one or two axes, and a diagonal within")
    }
    return [min(input[0] - down, input[1] - across)]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (input, columns) = (inputs[0], inputs[0].shape.count == 1 ? shape[1] : inputs[0].columns)
    let start = max(0, -offset) * columns + max(0, offset)
    var result = Tensor(shape)
    if input.shape.count == 1 {
      for (index, value) in input.values.enumerated() {
        result.values[start + index * (columns + 1)] = value
      }
    } else {
      for index in 0..<shape[0] {
        result.values[index] = input.values[start + index * (columns + 1)]
      }
    }
    return result
  }
}

/// Pixels rearranged into channels: the reverse of PixelShuffle.
struct Reorg: SingleOutputKind {
  let factor: Int
  let isInterleaved: Bool

  /// C × H × W → f² · C × H/f × W/f.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3, input[1] >= factor, input[2] >= factor else {
      throw InferenceError(
        .shape, found: "shape \(input)", expected: "three axes of at least \(factor) pixels")
    }
    return [input[0] * factor * factor, input[1] / factor, input[2] / factor]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (rows, columns) = (inputs[0].rows, inputs[0].columns)
    let parts = factor * factor
    let channels = (0..<shape[0]).map { index in
      let (channel, part) =
        isInterleaved
        ? (index % inputs[0].channels, index / inputs[0].channels)
        : (index / parts, index % parts)
      return (channel * rows + part / factor) * columns + part % factor
    }
    return inputs[0].gathered(
      shape,
      [
        channels, (0..<shape[1]).map { $0 * factor * columns }, (0..<shape[2]).map { $0 * factor },
      ])
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }
}

extension Unfold: SingleOutputKind {
  /// C × H × W → C · kernel × windows; fewer axes are one channel.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let sizes = [1, 1, 1].dropLast(input.count) + input
    let (rows, columns) = try windows(rows: sizes[sizes.count - 2], columns: sizes[sizes.count - 1])
    return [(input.count < 3 ? 1 : input[0]) * kernel.width * kernel.height, rows * columns]
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
    let source = bordered(
      inputs[0], border, value: borderValue, window: window, stride: stride)
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
    forEachPlace(
      windows.places(channels: shape[0], rows: rows, columns: columns, windows: count)
    ) {
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

/// The sums of all elements up to each, along an axis.
struct CumulativeSum: SingleOutputKind {
  let axis: Int

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    _ = try resolvedAxis(axis, of: inputs[0])
    return inputs[0]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let axis = try resolvedAxis(axis, of: shape)
    let step = strides(of: shape)[axis]
    var result = inputs[0]
    for index in result.values.indices where index / step % shape[axis] > 0 {
      result.values[index] += result.values[index - step]
    }
    return result
  }
}

/// The first half of an axis times the logistic function of the second (Dauphin et al., 2017).
struct GLU: SingleOutputKind {
  let axis: Int

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    var shape = inputs[0]
    let axis = try resolvedAxis(axis, of: shape)
    guard shape[axis] % 2 == 0 else {
      throw InferenceError(
        .shape, found: "\(shape[axis]) elements along axis \(axis)", expected: "an even number")
    }
    shape[axis] /= 2
    return shape
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let half = shape[try resolvedAxis(axis, of: shape)...].reduce(1, *)
    let values = inputs[0].values
    return Tensor(
      shape,
      (0..<values.count / 2).map { index in
        let place = index / half * half + index
        return values[place] / (1 + exp(-values[place + half]))
      })
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: output, steps: Cost.exponential)
  }
}

import LibC
import NCNN

/// The sums of one number of each list, the last list running fastest: where elements are, if each axis adds
/// a distance of its own.
func forEachPlace(_ places: [[Int]], _ body: (Int) -> Void) {
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
  /// That of moving the elements of an output; the places of its rows, and in a row, are listed.
  fileprivate static func moving(_ output: [Int]) -> Cost {
    let places = product(output.dropLast()) + Int64(output.last ?? 1)
    return Cost(steps: product(output), scratchElements: 2 * places)
  }
}

extension Squeeze: ReshapingKind {
  /// Selected axes of more elements stay; one axis of 1 where none remains.
  func outputShape(_ inputs: [[Int]]) -> [Int] {
    let axes = axes.compactMap { $0.index(among: inputs[0].count) }
    let rest = inputs[0].enumerated().filter { !axes.contains($0.offset) || $0.element > 1 }
    return rest.isEmpty ? [1] : rest.map { $0.element }
  }
}

/// A blob with further axes of one element.
struct ExpandDims: ReshapingKind {
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
    if (input.count, repeats.count) == (3, 4) {
      // Upstream's second repeat is that of the depth, which three axes lack.
      return ([input[0], 1, input[1], input[2]], repeats)
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
      for start in starts {
        guard let axis = start.axis.index(among: whole.count) else { continue }
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

/// Parameters of CopyTo: the first blob, with the second in place of a part of it.
struct CopyTo: Hashable, Sendable {
  /// Where the part begins along an axis; negative positions count from the end, as negative axes do.
  struct Start: Hashable, Sendable {
    /// The axis.
    var axis: AxisReference
    /// The first position.
    var position: Int
  }

  /// Where the part begins along the axes that are named; 0 along the others.
  var starts: [Start]

  init(_ reader: ParameterReader) throws(ModelError) {
    let positions = -Limits.integerParameter...Limits.integerParameter
    let starts = try reader.integers(9, "starts", in: positions)
    guard !starts.isEmpty else {
      self.starts = []
      let keys: [(Int, BlobAxis)] = [(0, .columns), (1, .rows), (13, .depth), (2, .channels)]
      for (key, name) in keys {
        let position = try reader.integer(key, "offset", default: 0)
        if position != 0 { self.starts.append(Start(axis: .named(name), position: position)) }
      }
      return
    }
    let axes = try reader.integers(11, "axes", in: axisRange)
    guard axes.isEmpty || axes.count == starts.count, starts.count <= 4,
      Set(axes).count == axes.count
    else {
      throw reader.refusal(
        "\(starts.count) starts and axes \(axes)", expected: "distinct axes, as many as starts")
    }
    self.starts = starts.enumerated().map { index, start in
      Start(
        axis: .number(axes.isEmpty ? index : axes[index]),
        position: start == ParamFormat.placeholder ? 0 : start)
    }
  }
}

extension CopyTo: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(inputs: 2...2, movement: .picks) }

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

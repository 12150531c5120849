// SPDX-License-Identifier: Apache-2.0

/// The first blob, with the second in place of a part of it.
struct CopyTo: SingleOutputKind, Hashable {
  /// Axes along which the part need not begin at 0.
  let axes: [AxisReference]
  /// Where it begins along each of them; negative positions count from the end.
  let starts: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    let positions = -Limits.integerParameter...Limits.integerParameter
    let starts = try reader.integers(9, "starts", in: positions)
    guard !starts.isEmpty else {
      axes = [.named(.columns), .named(.rows), .named(.depth), .named(.channels)]
      self.starts = try [0, 1, 13, 2].map { key throws(ModelError) in
        try reader.integer(key, "offset", default: 0)
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
    self.axes = (axes.isEmpty ? Array(starts.indices) : axes).map { .number($0) }
    self.starts = starts.map { $0 == ParamFormat.placeholder ? 0 : $0 }
  }

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
      for (axis, start) in zip(axes, starts) {
        guard let axis = axis.index(among: whole.count) else { continue }
        positions[axis] = start < 0 ? whole[axis] + start : start
      }
    }
    guard whole.count == part.count,
      whole.indices.allSatisfy({
        positions[$0] >= 0 && part[$0] <= whole[$0] && positions[$0] <= whole[$0] - part[$0]
      })
    else {
      throw .shape("shape \(part) at \(positions) of shape \(whole)", expected: "a part of it")
    }
    return whole.indices.map { positions[$0]..<positions[$0] + part[$0] }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    let positions = try positions(inputs.map { $0.shape })
    var result = inputs[0]
    forEachPlace(zip(positions, strides(of: shape)).map { range, step in range.map { $0 * step } })
    {
      result.values[$1] = inputs[1].values[$0]
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }
}

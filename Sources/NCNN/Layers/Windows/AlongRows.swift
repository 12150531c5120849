// SPDX-License-Identifier: Apache-2.0

/// A kind for rows and columns applied to rows of numbers: H × W stands for H × 1 × W.
struct AlongRows<Kind: SingleOutputKind & Hashable>: SingleOutputKind, Hashable {
  let kind: Kind

  var traits: LayerTraits { LayerTraits(weights: kind.traits.weights, fourAxes: nil) }

  var attributes: [LayerAttribute]? { kind.attributes }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    (kind as? Convolution).map(Lowering.rowConvolution) ?? .plain
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs[0].count == 2 else {
      throw InferenceError(.shape, found: "shape \(inputs[0])", expected: "two axes")
    }
    let shape = try kind.outputShape([raised(inputs[0])])
    return shape.count == 3 ? [shape[0], shape[2]] : shape
  }

  private func raised(_ shape: [Int]) -> [Int] {
    shape.count == 2 ? [shape[0], 1, shape[1]] : shape
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    let input = Tensor(raised(inputs[0].shape), inputs[0].values)
    return Tensor(shape, try kind.apply([input], weights: weights, shape: raised(shape)).values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    kind.cost(inputs: [raised(inputs[0])], output: raised(output))
  }
}

extension AlongRows: BlobWeightsKind where Kind: BlobWeightsKind {
  static var hasInputsFirst: Bool { Kind.hasInputsFirst }
  static var kernelAxes: Int { 1 }

  init(_ reader: ParameterReader, grouped: Bool) throws(ModelError) {
    try reader.requireUnused(8, "int8_scale_term")
    kind = try Kind(
      reader.alongRows(ones: [11, 12, 13, 21], zeros: [19], border: [14, 16]), grouped: grouped)
  }
}

extension AlongRows<Pooling> {
  init(_ reader: ParameterReader) throws(ModelError) {
    kind = try Pooling(reader.alongRows(ones: [11, 12, 18], border: [13, 15]))
  }
}

extension ParameterReader {
  /// The parameters with what would be read of rows: ones, and no border unless it is SAME.
  fileprivate func alongRows(ones: [Int], zeros: [Int] = [], border: [Int]) -> ParameterReader {
    let isSame = if case .integer(..<0)? = parameters[4] { true } else { false }
    return replacing(ones, by: .integer(1)).replacing(zeros, by: .integer(0))
      .replacing(border, by: isSame ? nil : .integer(0))
  }

  /// The parameters with another value, or none, for some keys.
  func replacing(_ keys: [Int], by value: ParameterValue?) -> ParameterReader {
    var all = parameters
    for key in keys { all[key] = value }
    return ParameterReader(parameters: all, kind: kind, file: file, line: line)
  }
}

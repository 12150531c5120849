// SPDX-License-Identifier: Apache-2.0

/// A kind whose weights, and with them channels and kernel, may come from a blob.
protocol BlobWeightsKind: SingleOutputKind, Hashable {
  /// Whether a blob of weights is inputs × outputs of a group × kernel, not outputs × inputs of a group × kernel.
  static var hasInputsFirst: Bool { get }
  /// The axes of a kernel: rows and columns, or one.
  static var kernelAxes: Int { get }

  init(_ reader: ParameterReader, grouped: Bool) throws(ModelError)
}

extension BlobWeightsKind {
  static var kernelAxes: Int { 2 }
}

/// A layer of windows whose second input has the weights, and whose third the bias, if any.
struct BlobWeights<Kind: BlobWeightsKind>: SingleOutputKind, Hashable {
  private let name: String
  private let parameters: Parameters
  private let isGrouped: Bool
  private let group: Int
  private let hasBias: Bool

  /// - Parameter flag: the key that says that the weights come from a blob.
  init(_ reader: ParameterReader, grouped: Bool, flag: Int) throws(ModelError) {
    try reader.requireUnused(8, "int8_scale_term")
    (name, isGrouped) = (reader.kind, grouped)
    parameters = reader.replacing([flag], by: nil).parameters
    group = grouped ? try reader.size(7, "group", default: 1) : 1
    hasBias = try reader.flag(5, "bias_term")
    _ = try kind(channels: group, kernel: .one, count: group)
  }

  /// The layer with weights of a number, which imply its inputs.
  private func kind(channels: Int, kernel: Extent, count: Int) throws(ModelError) -> Kind {
    var parameters = parameters
    for (key, number) in [
      (0, channels), (1, kernel.width), (11, kernel.height), (6, count),
    ] {
      parameters[key] = .integer(number)
    }
    return try Kind(
      ParameterReader(parameters: parameters, kind: name, file: "", line: 0), grouped: isGrouped)
  }

  /// The layer with weights of this shape; without the second axis, it is 1.
  private func kind(weights shape: [Int]) throws(InferenceError) -> Kind {
    let sizes = sizes(shape)
    guard sizes.count == 2 + Kind.kernelAxes, let count = elementCount(sizes),
      let channels = Kind.hasInputsFirst ? checkedProduct(sizes[1], group) : sizes[0]
    else {
      throw .shape("weights of \(shape)", expected: "outputs, inputs, and a kernel")
    }
    let kernel = Extent(width: sizes[sizes.count - 1], height: sizes.count > 3 ? sizes[2] : 1)
    do throws(ModelError) {
      return try kind(channels: channels, kernel: kernel, count: count)
    } catch {
      throw .shape("weights of \(shape): \(error.found)", expected: error.expected)
    }
  }

  private func sizes(_ shape: [Int]) -> [Int] {
    shape.count == 1 + Kind.kernelAxes ? [shape[0], 1] + shape[1...] : shape
  }

  var traits: LayerTraits { LayerTraits(inputs: hasBias ? 3...3 : 2...3, fourAxes: 1...) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let shape = try kind(weights: inputs[1]).outputShape([inputs[0]])
    guard !hasBias || elementCount(inputs[2]) == shape[0] else {
      throw .shape("a bias of \(inputs[2])", expected: "\(shape[0]) numbers")
    }
    return shape
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    try kind(weights: inputs[1].shape).apply(
      [inputs[0]], weights: [ordered(inputs[1])] + inputs.dropFirst(2).map { $0.values },
      shape: shape)
  }

  /// The weights as outputs × inputs of a group × kernel.
  private func ordered(_ weights: Tensor) -> [Float] {
    guard Kind.hasInputsFirst else { return weights.values }
    let sizes = sizes(weights.shape)
    let (inputs, outputs) = (sizes[0] / group, sizes[1])
    let taps = sizes[2...].reduce(1, *)
    return weights.strided(
      [group, outputs, inputs, taps],
      by: [inputs * outputs * taps, taps, outputs * taps, 1]
    ).values
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    guard let kind = try? kind(weights: inputs[1]) else { return Cost() }
    var cost = kind.cost(inputs: [inputs[0]], output: output)
    cost.steps += product(inputs[1])
    cost.scratchElements += product(inputs[1])
    return cost
  }
}

import NCNN

/// The shapes and the arithmetic of a network for given input shapes, found without running it.
public struct ShapeInference: Sendable {
  /// The shape of every blob, the outermost axis first.
  public private(set) var shapes: [String: [Int]] = [:]
  /// The multiply-adds of each layer's convolution or matrix product, in the order of the layers;
  /// 0 for the other kinds.
  public private(set) var multiplyAdds: [Int64]
  /// Why shapes are missing, in the order of execution: a layer that cannot work on the shapes that
  /// come up, or whose kind is unknown.
  public private(set) var failures: [InferenceError] = []

  /// Infers as many shapes as can be: all but those that depend on a layer that fails.
  ///
  /// - Parameters:
  ///   - network: of which no weights are needed.
  ///   - inputs: the shapes of the input blobs; where one is missing the network's own declaration
  ///     is taken.
  public init(partial network: Network, inputs: [String: [Int]]) {
    self.init(network, layers: network.executionOrder, partialInputs: inputs)
  }

  /// Infers all shapes.
  ///
  /// - Parameters:
  ///   - network: of which no weights are needed.
  ///   - inputs: the shapes of the input blobs; where one is missing the network's own declaration
  ///     is taken.
  /// - Throws: `InferenceError` where a layer cannot work on the shapes that come up or is unknown,
  ///   or where the multiply-adds exceed 2⁵⁰.
  public init(_ network: Network, inputs: [String: [Int]]) throws(InferenceError) {
    try self.init(network, layers: network.executionOrder, inputs: inputs)
  }

  /// Infers the shapes of some layers' outputs; those they depend on come before.
  init(
    _ network: Network, layers: [Int], inputs: [String: [Int]]
  ) throws(InferenceError) {
    self.init(network, layers: layers, partialInputs: inputs)
    if let failure = failures.first { throw failure }
  }

  private init(_ network: Network, layers: [Int], partialInputs inputs: [String: [Int]]) {
    multiplyAdds = Array(repeating: 0, count: network.layers.count)
    var total: Int64 = 0
    for index in layers {
      let layer = network.layers[index]
      do throws(InferenceError) {
        guard let outputs = try inferred(layer, inputs) else { continue }
        let count = outputs.first.map(layer.operation.multiplyAdds) ?? 0
        guard total + count <= 1 << 50 else {
          throw InferenceError(
            .limit, found: "\(total + count) multiply-adds", expected: "at most 2⁵⁰")
        }
        total += count
        multiplyAdds[index] = count
        for (name, shape) in zip(layer.outputs, outputs) { shapes[name] = shape }
      } catch {
        failures.append(error.at(layer))
      }
    }
  }

  /// The shapes of a layer's outputs, or nil where those of its inputs could not be inferred.
  private func inferred(
    _ layer: Layer, _ inputs: [String: [Int]]
  ) throws(InferenceError) -> [[Int]]? {
    if case .input(let declared) = layer.operation {
      return [try checked(try declared.outputShape(of: layer.outputs[0], given: inputs))]
    }
    let known = layer.inputs.compactMap { shapes[$0] }
    guard known.count == layer.inputs.count || layer.operation == .unknown else { return nil }
    return try outputShapes(layer, inputs: known)
  }
}

/// The shapes of a layer's outputs for the shapes of its inputs; empty for an Input layer, whose
/// shape the caller decides.
///
/// - Throws: `InferenceError` where the layer cannot work on these shapes.
func outputShapes(_ layer: Layer, inputs: [[Int]]) throws(InferenceError) -> [[Int]] {
  let shapes: [[Int]] =
    switch layer.operation {
    case .input: []
    case .memoryData(let memory): [memory.outputShape]
    case .convolution(let convolution): [try convolution.outputShape(inputs[0])]
    case .innerProduct(let product): [try product.outputShape(inputs[0])]
    case .pooling(let pooling): [try pooling.outputShape(inputs[0])]
    case .interp(let interp): [try interp.outputShape(inputs[0])]
    case .concat(let axis): [try concatShape(inputs, axis: axis)]
    case .slice(let slice): try slice.outputShapes(inputs[0])
    case .split: splitShapes(inputs[0], into: layer.outputs.count)
    case .shuffleChannel(let shuffle): [try shuffle.outputShape(inputs[0])]
    case .reshape(let reshape): [try reshape.outputShape(inputs[0])]
    case .permute(let permute): [try permute.outputShape(inputs[0])]
    case .flatten: [flattenedShape(inputs[0])]
    case .padding(let padding): [try padding.outputShape(inputs[0])]
    case .crop(let crop): [try crop.outputShape(inputs)]
    case .batchNorm(let norm): [try norm.outputShape(inputs[0])]
    case .scale(let scale): [try scale.outputShape(inputs)]
    case .groupNorm(let norm): [try norm.outputShape(inputs[0])]
    case .prelu(let count): [try preluShape(inputs[0], slopeCount: count)]
    case .relu, .swish, .sigmoid, .hardSwish, .hardSigmoid, .dropout, .clip, .elu, .gelu, .mish,
      .unaryOp:
      [inputs[0]]
    case .bias(let channels): [try biasShape(inputs[0], channels: channels)]
    case .reduction(let reduction): [try reduction.outputShape(inputs[0])]
    case .pixelShuffle(let shuffle): [try shuffle.outputShape(inputs[0])]
    case .softmax(let axis): [try softmaxShape(inputs[0], axis: axis)]
    case .binaryOp(let operation): [try operation.outputShape(inputs)]
    case .eltwise(let eltwise): [try eltwise.outputShape(inputs)]
    case .unknown:
      throw InferenceError(.unsupported, found: "an unknown kind", expected: "a known one")
    }
  for shape in shapes { _ = try checked(shape) }
  return shapes
}

/// Passes a shape on if its elements can be counted and stay below 2³¹.
private func checked(_ shape: [Int]) throws(InferenceError) -> [Int] {
  guard let count = elementCount(shape), count <= Int(Int32.max) else {
    throw InferenceError(
      .limit, found: "shape \(shape)", expected: "one to three positive sizes, below 2³¹ elements")
  }
  return shape
}

/// Resolves an axis that may count from the end; as in ncnn, any axis of a blob that has one alone
/// is that one.
func resolvedAxis(_ axis: Int, of shape: [Int]) throws(InferenceError) -> Int {
  if shape.count == 1 { return 0 }
  let resolved = axis < 0 ? axis + shape.count : axis
  guard shape.indices.contains(resolved) else {
    throw InferenceError(
      .shape, found: "axis \(axis) of shape \(shape)", expected: "one of its \(shape.count) axes")
  }
  return resolved
}

extension Operation {
  /// The multiplications with weights that the operation makes for an output of this shape; below
  /// 2⁶⁰, since an output has less than 2³¹ elements and a layer at most 2²⁸ weights.
  func multiplyAdds(output: [Int]) -> Int64 {
    let count = product(output)
    return switch self {
    case .convolution(let convolution):
      count * Int64(convolution.weightCount / convolution.outputChannels)
    case .innerProduct(let product): count * Int64(product.inputCount)
    default: 0
    }
  }
}

/// The product of sizes that have been checked, in 64 bits whatever `Int` has.
func product(_ sizes: [Int]) -> Int64 { sizes.reduce(1) { $0 * Int64($1) } }

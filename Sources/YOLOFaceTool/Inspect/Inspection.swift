import Inference
import NCNN
import YOLOFace

/// A network, and what can be told of it without running it.
struct Inspection {
  let network: Network
  let hasWeights: Bool
  let inference: ShapeInference
  let receptiveFields: ReceptiveFieldInference
  /// Why layers cannot work on this size, though they can on `fittingSize`.
  let misfits: [InferenceError]
  /// The next larger size that all layers can work on, where that is the trouble.
  let fittingSize: ImageSize?

  /// - Parameters:
  ///   - param: the path of the `.param` file; nil takes the embedded model, with its weights.
  ///   - bin: the path of the `.bin` file; it is not read where layers are of unknown kinds.
  ///   - size: rows and columns of inputs with three axes.
  init(param: String?, bin: String?, size: ImageSize?) throws {
    if let param {
      let structure = try Network(param: param)
      // The weights of unknown kinds cannot be told from those of the layers after them.
      hasWeights = bin != nil && structure.unknownLayers.isEmpty
      network = if let bin, hasWeights { try Network(param: param, bin: bin) } else { structure }
    } else {
      network = try Network.embedded()
      hasWeights = true
    }
    inference = ShapeInference(
      partial: network, inputs: inputShapes(of: network, size: size))
    receptiveFields = ReceptiveFieldInference(of: network, shapes: inference.shapes)
    let misfits = inference.failures.filter { $0.reason == .shape }
    fittingSize = misfits.isEmpty ? nil : YOLOFaceTool.fittingSize(of: network, size: size)
    self.misfits = fittingSize == nil ? [] : misfits
  }

  /// Why layers cannot be run, whatever the size.
  var failures: [InferenceError] {
    inference.failures.filter { misfits.isEmpty || $0.reason != .shape }
      + network.layers.compactMap(refusal)
  }

  func shape(_ blob: String) -> [Int]? { inference.shapes[blob] }

  /// How the engine lays out memory: for a detection model as a detector runs it, for any other
  /// network as `run` does to compute all outputs.
  ///
  /// - Throws: `ModelError` or `InferenceError` where the engine cannot run the network, `Misfit` where
  ///   it can on inputs of another size.
  func memoryPlan() throws -> MemoryPlan {
    let recipe = try? ModelRecipe.matching(network)
    let engine = try recipe.map { try Engine(network, recipe: $0) } ?? Engine(network)
    if let misfit = misfits.first, let fittingSize {
      throw Misfit(failure: misfit, fittingSize: fittingSize)
    }
    if let failure = inference.failures.first { throw failure }
    if let recipe, network.inputs == [recipe.input],
      let shape = shape(recipe.input), shape.count == 3, shape[0] == 3
    {
      return try engine.memoryPlan(rows: shape[1], columns: shape[2])
    }
    let inputs = network.inputs.map { ($0, shape($0) ?? []) }
    return try engine.memoryPlan(
      Dictionary(uniqueKeysWithValues: inputs), extracting: network.outputs)
  }
}

/// A layer that cannot work on this size of the input.
private struct Misfit: Error, CustomStringConvertible {
  var failure: InferenceError
  var fittingSize: ImageSize

  var description: String { "\(failure); --size \(fittingSize) fits" }
}

/// The shapes of inputs that differ from what the file declares.
private func inputShapes(of network: Network, size: ImageSize?) -> [String: [Int]] {
  var shapes: [String: [Int]] = [:]
  for layer in network.layers {
    guard case .input(let declared) = layer.operation else { continue }
    let isOpen = declared.sizes.isEmpty
    guard isOpen || (size != nil && declared.sizes.count == 3) else { continue }
    let size = size ?? ImageSize(width: 640, height: 480)
    shapes[layer.outputs[0]] = [declared.channels ?? 3, size.height, size.width]
  }
  return shapes
}

/// The next larger size whose sides are multiples of 32, 64 or 128, as most networks ask for, where no
/// layer fails by a shape; nil where there is none, or no input that has a size.
private func fittingSize(of network: Network, size: ImageSize?) -> ImageSize? {
  let sizes =
    inputShapes(of: network, size: size).values
    + network.layers.compactMap { layer in
      guard case .input(let declared) = layer.operation else { return nil }
      return declared.sizes.count == 3 ? declared.sizes : nil
    }
  guard let shape = sizes.first(where: { $0.count == 3 }) else { return nil }
  for multiple in [32, 64, 128] {
    func rounded(_ side: Int) -> Int { (side + multiple - 1) / multiple * multiple }
    let size = ImageSize(width: rounded(shape[2]), height: rounded(shape[1]))
    let inference = ShapeInference(
      partial: network, inputs: inputShapes(of: network, size: size))
    if !inference.failures.contains(where: { $0.reason == .shape }) { return size }
  }
  return nil
}

private func refusal(_ layer: Layer) -> InferenceError? {
  do throws(InferenceError) {
    try requireFloatingPoint(layer)
    return nil
  } catch {
    return error
  }
}

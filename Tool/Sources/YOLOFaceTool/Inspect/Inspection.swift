// SPDX-License-Identifier: Apache-2.0
import YOLOFace
@_spi(Tool) import YOLOFaceInference
@_spi(Tool) import YOLOFaceNCNN

/// A network, and what can be determined about it without running it.
struct Inspection {
  let network: Network
  let hasWeights: Bool
  let inference: ShapeInference
  let receptiveFields: ReceptiveFieldInference
  /// How a detector feeds and reads the network; nil where it is of no known family.
  let family: FamilyRecipe?
  /// Why layers cannot process an input of this size.
  let misfits: [InferenceError]
  /// Sizes that all layers can process, if there are misfits; empty where none is found.
  let fittingSizes: [ImageSize]

  /// Reads the embedded model without a path. The `.bin` file is not read if any layer is of an unknown kind;
  /// the size is that of inputs with three axes, by default the detector's own, if it has one.
  init(
    param: String?, bin: String?, precision: FaceDetector.Precision = .fp32, size: ImageSize?
  ) throws {
    if let param {
      let structure = try Network(param: param)
      // It is not known where the weights of a layer of unknown kind end.
      hasWeights = bin != nil && structure.unknownLayers.isEmpty
      network = if let bin, hasWeights { try Network(param: param, bin: bin) } else { structure }
      printWarnings(of: network)
    } else {
      network = try Network.embedded(precision)
      hasWeights = true
    }
    family = FamilyRecipe.recognizing(network)
    let recipe = try? family?.recipe()
    if let recipe { printSize(of: recipe, for: network) }
    let style = recipe?.letterbox
    let size = size ?? style.flatMap { $0.hasSizeOfItsOwn ? $0.usualSize : nil }
    inference = ShapeInference(partial: network, inputs: network.inputShapes(size: size))
    receptiveFields = ReceptiveFieldInference(of: network, shapes: inference.shapes)
    misfits = inference.failures.filter { $0.reason == .shape }
    fittingSizes = network.fittingSizes(
      near: size ?? network.declaredImageSize ?? .usual, misfit: misfits.first)
  }

  /// Why layers cannot be run, whatever the size.
  var failures: [InferenceError] {
    var failures = inference.failures.filter { $0.reason != .shape }
    for layer in network.layers {
      do throws(InferenceError) { try requireScales(layer) } catch { failures.append(error) }
    }
    do throws(InferenceError) { _ = try network.int8Blobs() } catch { failures.append(error) }
    return failures
  }

  /// Inputs that have as many channels as declared, but not as the convolution that reads them has weights for.
  var wrongDeclarations: [String] {
    let readers = network.readersOfInputs
    return network.layers.flatMap { input -> [String] in
      guard let channels = input.input?.channels else { return [] }
      return input.outputs.filter { shape($0)?.first == channels }.flatMap {
        readers[$0, default: []]
      }
      .filter { $0.channels != channels }.map {
        "\(input.title): declares \(channels) channels, but the weights of \($0.layer.title) are for "
          + "\($0.channels): one of them is wrong"
      }
    }
  }

  func shape(_ blob: String) -> [Int]? { inference.shapes[blob] }

  /// How the engine lays out memory: for a detection model as a detector runs it, for any other
  /// network as `run` does when it computes all outputs. One that runs only on inputs of another size is an error.
  func memoryPlan() throws -> MemoryPlan {
    let recipe = try family?.recipe()
    let engine = try recipe.map { try Engine(network, recipe: $0) } ?? Engine(network)
    if let misfit = misfits.first, let size = fittingSizes.first {
      throw Failure("\(misfit); --size \(size) fits")
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

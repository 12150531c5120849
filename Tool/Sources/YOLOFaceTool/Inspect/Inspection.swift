import Inference
import NCNN
import YOLOFace

/// A network, and what can be determined about it without running it.
struct Inspection {
  let network: Network
  let hasWeights: Bool
  let inference: ShapeInference
  let receptiveFields: ReceptiveFieldInference
  /// How a detector feeds and reads the network; nil where it is of no known family.
  let family: FamilyRecipe?
  /// Why layers cannot process an input of this size, if they can process `fittingSize`, the next larger.
  let misfits: [InferenceError]
  let fittingSize: ImageSize?

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
    family = FamilyRecipe.recognising(network)
    let recipe = try? family?.recipe()
    if let recipe { printSize(of: recipe, for: network) }
    let style = recipe?.letterbox
    let size = size ?? style.flatMap { $0.hasSizeOfItsOwn ? $0.usualSize : nil }
    inference = ShapeInference(partial: network, inputs: inputShapes(of: network, size: size))
    receptiveFields = ReceptiveFieldInference(of: network, shapes: inference.shapes)
    let misfits = inference.failures.filter { $0.reason == .shape }
    fittingSize = misfits.isEmpty ? nil : YOLOFaceTool.fittingSize(of: network, size: size)
    self.misfits = fittingSize == nil ? [] : misfits
  }

  /// Why layers cannot be run, whatever the size.
  var failures: [InferenceError] {
    var failures = inference.failures.filter { misfits.isEmpty || $0.reason != .shape }
    for layer in network.layers {
      do throws(InferenceError) { try requireScales(layer) } catch { failures.append(error) }
    }
    do throws(InferenceError) { _ = try network.int8Blobs() } catch { failures.append(error) }
    return failures
  }

  /// Inputs that are declared with other channels than the convolution that reads them has weights for.
  var wrongDeclarations: [String] {
    let readers = network.readersOfInputs
    return network.layers.flatMap { input -> [String] in
      guard let channels = input.input?.channels else { return [] }
      return input.outputs.flatMap { readers[$0, default: []] }.filter { $0.channels != channels }
        .map {
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
    if let misfit = misfits.first, let fittingSize {
      throw Failure("\(misfit); --size \(fittingSize) fits")
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

extension Network {
  /// The convolutions that read each input or a copy of it, and the channels that their weights are for.
  fileprivate var readersOfInputs: [String: [(layer: Layer, channels: Int)]] {
    var origins: [String: String] = [:]
    var readers: [String: [(layer: Layer, channels: Int)]] = [:]
    for layer in layers {
      let origin = layer.inputs.first.flatMap { origins[$0] }
      if layer.isInput {
        for name in layer.outputs { origins[name] = name }
      } else if layer.isSplit {
        for copy in layer.outputs { origins[copy] = origin }
      } else if let convolution = layer.convolution, let origin {
        readers[origin, default: []].append((layer, convolution.inputChannels))
      }
    }
    return readers
  }
}

/// The shapes of the inputs whose shape the file leaves open or the size overrides: colour, unless the weights
/// that read them are for other channels.
private func inputShapes(of network: Network, size: ImageSize?) -> [String: [Int]] {
  var shapes: [String: [Int]] = [:]
  let readers = network.readersOfInputs
  for layer in network.layers {
    guard let declared = layer.input else { continue }
    let isOpen = declared.sizes.isEmpty
    guard isOpen || (size != nil && declared.sizes.count == 3) else { continue }
    let size = size ?? ImageSize(width: 640, height: 480)
    for name in layer.outputs {
      let channels = declared.channels ?? readers[name]?.first?.channels ?? 3
      shapes[name] = [channels, size.height, size.width]
    }
  }
  return shapes
}

/// The next larger size with sides that are multiples of 32, 64 or 128, as most networks require, or else a
/// usual square, on which no layer rejects its input's shape; nil if there is none, or if no input has a size.
private func fittingSize(of network: Network, size: ImageSize?) -> ImageSize? {
  let shapes =
    inputShapes(of: network, size: size).values + network.layers.compactMap { $0.input?.sizes }
  guard let shape = shapes.first(where: { $0.count == 3 }) else { return nil }
  let larger = [32, 64, 128].map { multiple in
    func rounded(_ side: Int) -> Int { (side + multiple - 1) / multiple * multiple }
    return ImageSize(width: rounded(shape[2]), height: rounded(shape[1]))
  }
  let squares = [640, 320, 512, 416, 300, 256, 224, 192, 160, 128, 112, 96, 64, 48, 32, 24, 12]
  for size in larger + squares.map({ ImageSize(width: $0, height: $0) }) {
    let inference = ShapeInference(partial: network, inputs: inputShapes(of: network, size: size))
    if !inference.failures.contains(where: { $0.reason == .shape }) { return size }
  }
  return nil
}

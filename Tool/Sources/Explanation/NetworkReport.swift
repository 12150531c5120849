// SPDX-License-Identifier: Apache-2.0
import YOLOFace
@_spi(Tool) import YOLOFaceInference
@_spi(Tool) import YOLOFaceNCNN

struct NetworkReport: Encodable, Sendable {
  struct Blob: Encodable, Sendable {
    var name: String
    var shape: [Int]
    /// The index of its feature maps; nil where it has none.
    var maps: Int?
  }

  struct Layer: Encodable, Sendable {
    struct Weights: Encodable, Sendable {
      var name: String
      var shape: [Int]
    }

    var name, kind: String
    /// What its parameters say: names and values in turn.
    var attributes: [String]
    var weights: [Weights]
    var line: Int
    /// Indices of blobs.
    var inputs, outputs: [Int]
    var parameters: Int
    var multiplyAdds: Int64
    /// The layer's time as a step of its own; nil where it needs no step.
    var microseconds: Double?
  }

  struct Step: Encodable, Sendable {
    var name, kind, shape: String
    /// Indices of the layers that the step computes; none where it only copies a blob.
    var layers: [Int]
    var multiplyAdds: Int64
    var microseconds: Double
  }

  private(set) var blobs: [Blob] = []
  private(set) var maps: [FeatureMaps] = []
  private(set) var layers: [Layer] = []
  private(set) var steps: [Step] = []

  private static let repetitions = 5

  /// - Parameter withMaps: whether feature maps are kept; a page that holds the engine computes them.
  init(of input: RGBImage, by detector: FaceDetector, steps: [StepTime], withMaps: Bool) throws {
    let network = detector.engine.network
    let names = network.layers.flatMap(\.outputs)
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    let layerNumbers = Dictionary(
      uniqueKeysWithValues: zip(network.layers.map(\.name), network.layers.indices))
    blobs = names.map { Blob(name: $0, shape: []) }
    let pixels = FeatureMaps.pixels(forEachOf: names.count)
    let shared = sharedBlobs(of: network)
    let heads = HeadBlob.all(of: detector.recipe, in: network, originals: shared, for: input)
    let moved = Set(
      network.layers.filter { $0.operation.traits.movement == .rearranges }.flatMap(\.outputs))
    let inputTensor = try detector.recipe.tensor(input)
    let times = try detector.engine.runLayers(
      [detector.recipe.input: inputTensor], repetitions: Self.repetitions
    ) { name, tensor in
      guard let number = numbers[name] else { return }
      blobs[number].shape = tensor.shape
      guard withMaps else { return }
      if let original = shared[name].flatMap({ numbers[$0] }) {
        blobs[number].maps = blobs[original].maps
      } else {
        blobs[number].maps = maps.count
        // Another blob's maps already show the same elements.
        let size = moved.contains(name) ? pixels / 4 : pixels
        maps.append(try FeatureMaps(of: tensor, head: heads[name], pixels: size))
      }
    }

    let layerTimes = times.microsecondsByLayer
    let inference = try ShapeInference(network, inputs: [detector.recipe.input: inputTensor.shape])
    layers = zip(network.layers, inference.multiplyAdds).map { layer, multiplyAdds in
      Layer(
        name: layer.name, kind: layer.kind,
        attributes: layer.attributes.flatMap { [$0.name, $0.value] },
        weights: layer.weightShapes.map { Layer.Weights(name: $0.name, shape: $0.shape) },
        line: layer.line,
        inputs: layer.inputs.compactMap { numbers[$0] },
        outputs: layer.outputs.compactMap { numbers[$0] },
        parameters: layer.parameterCount, multiplyAdds: multiplyAdds,
        microseconds: layerTimes[layer.name])
    }
    self.steps = steps.map { step in
      Step(
        name: step.name, kind: step.kind, shape: step.shape,
        layers: step.layers.compactMap { layerNumbers[$0] }, multiplyAdds: step.multiplyAdds,
        microseconds: step.time.microseconds)
    }
  }
}

extension Network {
  /// The model's file without its folders, which are nobody's business where a page is shared.
  var fileName: String { source.split(separator: "/").last.map(String.init) ?? source }
}

extension ModelRecipe {
  /// The planes of the network's input, in order.
  var inputColors: [String] {
    switch normalization.order {
    case .rgb: ["red", "green", "blue"]
    case .bgr: ["blue", "green", "red"]
    }
  }
}

/// For each output of a Split, the blob that it copies.
private func sharedBlobs(of network: Network) -> [String: String] {
  var originals: [String: String] = [:]
  for layer in network.executionOrder.map({ network.layers[$0] }) where layer.isSplit {
    for output in layer.outputs {
      originals[output] = originals[layer.inputs[0]] ?? layer.inputs[0]
    }
  }
  return originals
}

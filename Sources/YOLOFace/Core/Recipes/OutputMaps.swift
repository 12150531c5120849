// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceUntrusted

/// A blob of channels × rows × columns from which a network's output comes, by movement, a logistic
/// function, a softmax or the arithmetic that decodes boxes.
///
/// Exports of the same detector end in different ways: with and without these layers, with all cells
/// in one blob or a blob for each stride. Behind all of them are the same maps.
struct OutputMap: Hashable, CustomStringConvertible {
  var blob: String
  var channels: Int
  /// The blobs that this one joins; none where it is a convolution's output.
  var parts: [Part]
  /// Input pixels from one cell to the next.
  var stride: Int
  /// Whether the convolution that makes it applies the logistic function.
  var isProbability: Bool
  /// The layers from it to the output, the nearest first.
  var layers: [LayerOperation]
  var output: String

  /// A blob that is joined to others along the channels.
  struct Part: Hashable {
    var blob: String
    var channels: Int
  }

  var description: String { "\(blob) (\(channels) channels, stride \(stride))" }
}

/// The maps of a network, and the sizes of input that give them.
struct OutputMaps {
  var maps: [OutputMap] = []
  /// The only size of input that the network can work on; nil where there are many.
  var fixedSize: (rows: Int, columns: Int)?

  /// Finds the maps of a network with one input; there are none where it cannot work on pictures.
  init(of network: Network) {
    guard network.inputs.count == 1 else { return }
    // Different sides, so that rows and columns cannot be confused.
    let probe = (rows: 512, columns: 640)
    var search = MapSearch(network: network, size: probe)
    for size in [probe] + sizesOfConstants(in: network) {
      search.size = size
      search.shapes =
        ShapeInference(
          partial: network, inputs: [network.inputs[0]: [3, size.rows, size.columns]]
        ).shapes
      guard let found = search.maps() else { continue }
      maps = found
      fixedSize = size == probe ? nil : size
      return
    }
  }
}

/// The sizes of input at which a constant of the network has as many rows and columns as a map, or a blob that it
/// resizes or reshapes to a constant size, as attention does. Layers that add one to a map work on one size only.
///
/// At most 48, and fewer where a network has thousands of layers, far more than any detector: the shapes of all its
/// layers are inferred for each.
private func sizesOfConstants(in network: Network) -> [(rows: Int, columns: Int)] {
  let most = min(48, 200_000 / max(1, network.layers.count))
  var sizes: [(rows: Int, columns: Int)] = []
  for layer in network.layers {
    let maps: [(rows: Int, columns: Int)]
    if let data = layer.operation.as(MemoryData.self), data.sizes.count == 3 {
      maps = [(data.sizes[1], data.sizes[2])]
    } else if let sizes = layer.operation.as(Reshape.self)?.sizes, sizes.count == 3 {
      // Channels come first or last.
      maps = [(sizes[1], sizes[2]), (sizes[0], sizes[1])]
    } else if case .size(let size)? = layer.operation.as(Interp.self)?.target {
      maps = [(size.height, size.width)]
    } else {
      continue
    }
    for map in maps where (1...2048).contains(map.rows) && (1...2048).contains(map.columns) {
      for stride in [8, 16, 32, 64] {
        let size = (rows: map.rows * stride, columns: map.columns * stride)
        if !sizes.contains(where: { $0 == size }) { sizes.append(size) }
        if sizes.count >= most { return sizes }
      }
    }
  }
  return sizes
}

/// The search from a network's outputs back to the maps that they come from.
private struct MapSearch {
  let producers: [String: Layer]
  let outputs: [String]
  /// For an input of the size.
  var shapes: [String: [Int]] = [:]
  var size: (rows: Int, columns: Int)

  init(network: Network, size: (rows: Int, columns: Int)) {
    var producers: [String: Layer] = [:]
    for layer in network.layers {
      for blob in layer.outputs { producers[blob] = layer }
    }
    self.producers = producers
    outputs = network.outputs
    self.size = size
  }

  /// The maps of all outputs, each once; nil where an output comes from anything else.
  func maps() -> [OutputMap]? {
    var found: [OutputMap] = []
    var seen: Set<String> = []
    var open = outputs.reversed().map { Step(blob: $0, output: $0, behind: []) }
    while let step = open.popLast() {
      guard seen.insert(step.blob).inserted else { continue }
      guard let layer = producers[step.blob], step.behind.count < MapSearch.longestWay else {
        return nil
      }
      if layer.inputs.isEmpty && !layer.isInput { continue }
      if leads(layer, to: step.blob) {
        let behind = layer.isSplit ? step.behind : [layer.operation] + step.behind
        open += layer.inputs.reversed().map { Step(blob: $0, output: step.output, behind: behind) }
      } else if let map = map(step, layer) {
        found.append(map)
      } else {
        return nil
      }
    }
    return found
  }

  /// The most layers between a map and an output; the longest known way has twenty.
  private static let longestWay = 64

  /// A blob on the way back from an output, and the layers behind it.
  private struct Step {
    var blob: String
    var output: String
    var behind: [LayerOperation]
  }

  /// Whether a layer turns maps into a blob that is not a map itself.
  private func leads(_ layer: Layer, to blob: String) -> Bool {
    // What a kind that is not known computes, it computes of its inputs.
    guard layer.operation.isKnown else { return true }
    // The means of distributions.
    if let convolution = layer.convolution {
      return convolution.outputChannels == 1 && isBehindMaps(layer, blob)
    }
    // The search for peaks of a heatmap.
    if let pooling = layer.operation.as(Pooling.self), pooling.method == .maximum {
      return layer.inputs.contains { stride(of: $0) != nil && stride(of: $0) == stride(of: blob) }
    }
    return switch UntrustedText(layer.kind) {
    case "Split", "Dropout", "Cast", "DeepCopy", "Noop", "Packing", "Sigmoid", "Softmax", "Reshape",
      "Permute", "Flatten", "Squeeze", "ExpandDims", "LayerNorm", "RMSNorm", "Normalize", "LRN",
      "MVN":
      true
    case "Concat": stride(of: blob) == nil
    case "Slice", "Crop", "BinaryOp", "Eltwise", "UnaryOp", "AbsVal", "TanH", "Erf", "Clip":
      isBehindMaps(layer, blob)
    default: false
    }
  }

  /// Whether neither a layer's output nor an input is a map: arithmetic on a map makes another one.
  private func isBehindMaps(_ layer: Layer, _ blob: String) -> Bool {
    (layer.inputs + [blob]).allSatisfy { stride(of: $0) == nil }
  }

  private func map(_ step: Step, _ layer: Layer) -> OutputMap? {
    guard let stride = stride(of: step.blob), let shape = shapes[step.blob] else { return nil }
    return OutputMap(
      blob: step.blob, channels: shape[0], parts: parts(of: layer), stride: stride,
      isProbability: layer.convolution?.activation == .sigmoid, layers: step.behind,
      output: step.output)
  }

  private func parts(of layer: Layer) -> [OutputMap.Part] {
    guard UntrustedText(layer.kind) == "Concat" else { return [] }
    return layer.inputs.compactMap { blob in
      shapes[blob].map { OutputMap.Part(blob: blob, channels: $0[0]) }
    }
  }

  /// The stride of a blob that has a row and a column for each cell.
  private func stride(of blob: String) -> Int? {
    guard let shape = shapes[blob], shape.count == 3 else { return nil }
    return [4, 8, 16, 32, 64, 128].first { stride in
      shape[1] == (size.rows + stride - 1) / stride
        && shape[2] == (size.columns + stride - 1) / stride
    }
  }
}

import Inference
import NCNN

/// A blob of channels × rows × columns from which a network's output comes, by nothing but movement
/// and, for scores, a logistic function or a softmax.
///
/// Exports of the same detector end in different ways: with and without these layers, with all cells
/// in one blob or a blob for each stride. Behind all of them are the same maps.
struct OutputMap: Hashable, CustomStringConvertible {
  /// The blob's name.
  var blob: String
  var channels: Int
  /// Those of the blobs that are joined to this one; the channels themselves where none are.
  var parts: [Int]
  /// Input pixels from one cell to the next.
  var stride: Int
  /// Whether the convolution that makes it applies the logistic function.
  var isProbability: Bool
  /// The layers behind it on the way to the output, the nearest first.
  var layers: [Operation]
  /// The output.
  var output: String

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
    for size in [probe] + sizesOfConstants(in: network) {
      let shapes = ShapeInference(
        partial: network, inputs: [network.inputs[0]: [3, size.rows, size.columns]]
      ).shapes
      let search = MapSearch(network: network, shapes: shapes, size: size)
      guard let found = search.maps() else { continue }
      maps = found
      fixedSize = size == probe ? nil : size
      return
    }
  }
}

/// The sizes of input on which constants of a network could be maps. Layers that add one to a map
/// work on one size only.
private func sizesOfConstants(in network: Network) -> [(rows: Int, columns: Int)] {
  var sizes: [(rows: Int, columns: Int)] = []
  for layer in network.layers {
    guard case .memoryData(let data) = layer.operation, data.sizes.count == 3,
      data.sizes[1] <= 2048, data.sizes[2] <= 2048
    else { continue }
    for stride in [8, 16, 32, 64] {
      let size = (rows: data.sizes[1] * stride, columns: data.sizes[2] * stride)
      if !sizes.contains(where: { $0 == size }) { sizes.append(size) }
      if sizes.count == 16 { return sizes }
    }
  }
  return sizes
}

/// The search from a network's outputs back to the maps that they come from.
private struct MapSearch {
  let producers: [String: Layer]
  let outputs: [String]
  let shapes: [String: [Int]]
  let size: (rows: Int, columns: Int)

  init(network: Network, shapes: [String: [Int]], size: (rows: Int, columns: Int)) {
    var producers: [String: Layer] = [:]
    for layer in network.layers {
      for blob in layer.outputs { producers[blob] = layer }
    }
    self.producers = producers
    outputs = network.outputs
    self.shapes = shapes
    self.size = size
  }

  /// The maps of all outputs, each once; nil where an output comes from anything else.
  func maps() -> [OutputMap]? {
    var found: [OutputMap] = []
    for output in outputs {
      guard let maps = maps(of: output, from: output, behind: []) else { return nil }
      for map in maps where !found.contains(where: { $0.blob == map.blob }) { found.append(map) }
    }
    return found
  }

  private func maps(of output: String, from blob: String, behind: [Operation]) -> [OutputMap]? {
    guard let layer = producers[blob] else { return nil }
    let operation = layer.operation
    switch operation {
    case .split: return maps(of: output, from: layer.inputs[0], behind: behind)
    case .dropout, .sigmoid, .softmax, .reshape, .permute, .flatten:
      return maps(of: output, from: layer.inputs[0], behind: [operation] + behind)
    case .concat where stride(of: blob) == nil:
      var found: [OutputMap] = []
      for input in layer.inputs {
        guard let maps = maps(of: output, from: input, behind: [operation] + behind) else {
          return nil
        }
        found += maps
      }
      return found
    default:
      guard let stride = stride(of: blob), let shape = shapes[blob] else { return nil }
      return [
        OutputMap(
          blob: blob, channels: shape[0], parts: parts(of: layer) ?? [shape[0]], stride: stride,
          isProbability: operation.endsInSigmoid,
          layers: behind, output: output)
      ]
    }
  }

  private func parts(of layer: Layer) -> [Int]? {
    guard case .concat = layer.operation else { return nil }
    return layer.inputs.compactMap { shapes[$0]?[0] }
  }

  /// The stride of a blob that has a row and a column for each cell.
  private func stride(of blob: String) -> Int? {
    guard let shape = shapes[blob], shape.count == 3 else { return nil }
    return [8, 16, 32, 64, 128].first { stride in
      shape[1] == (size.rows + stride - 1) / stride
        && shape[2] == (size.columns + stride - 1) / stride
    }
  }
}

extension Operation {
  fileprivate var endsInSigmoid: Bool {
    if case .convolution(let convolution) = self {
      convolution.activation == .sigmoid
    } else {
      false
    }
  }
}

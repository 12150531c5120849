import Kernels
import NCNN

extension Graph {
  /// Joins convolutions of the same form that read the same blob into one with several outputs.
  ///
  /// 1 × 1 convolutions then read the blob once. Larger windows gain only where the joint channels
  /// fill fewer blocks, as those of a detection head's scores, boxes and landmarks do.
  func joiningSiblings() -> Graph {
    var graph = self
    graph.nodes = []
    var siblings: [ConvolutionForm: Int] = [:]
    for node in nodes {
      guard let form = ConvolutionForm(node), runsInKernels(node) else {
        graph.nodes.append(node)
        continue
      }
      if let index = siblings[form], graph.nodes[index].canBeJoined(with: node) {
        graph.nodes[index].join(node)
      } else {
        siblings[form] = graph.nodes.count
        graph.nodes.append(node)
      }
    }
    return graph
  }
}

/// What convolutions must have in common to be joined.
private struct ConvolutionForm: Hashable {
  let input: String
  let inputChannels: Int
  let extents: [Extent]
  let border: Border
  let borderValue: Float
  let activation: VectorActivation

  /// Nil for what cannot be joined to any other.
  init?(_ node: Graph.Node) {
    guard let convolution = node.convolution, convolution.operation.group == 1,
      case .none = node.prelude
    else { return nil }
    let operation = convolution.operation
    input = node.inputs[0]
    inputChannels = operation.inputChannels
    extents = [operation.kernel, operation.dilation, operation.stride]
    border = operation.border
    borderValue = operation.borderValue
    activation = convolution.activation
  }
}

extension Graph.Node {
  /// Channels of a block with the widest vectors. With narrower ones, too, joining changes no result.
  private static let lanes = 16

  fileprivate func canBeJoined(with other: Graph.Node) -> Bool {
    guard let first = convolution?.operation, let second = other.convolution?.operation else {
      return false
    }
    func blocks(_ channels: Int) -> Int { (channels + Self.lanes - 1) / Self.lanes }
    let sum = first.outputChannels + second.outputChannels
    return sum <= Graph.maximumChannels
      && (first.isPointwise
        || blocks(sum) < blocks(first.outputChannels) + blocks(second.outputChannels))
  }

  /// Adds the other convolution's channels, in place: there may be many others. Channels that fill
  /// whole blocks come before those that do not, so that they stay in blocks of their own.
  fileprivate mutating func join(_ other: Graph.Node) {
    guard let second = other.convolution else { return }
    let isFirst =
      second.operation.outputChannels % Self.lanes == 0
      && outputChannels.contains { $0 % Self.lanes > 0 }
    if isFirst, var joint = Optional(second), let first = convolution {
      joint.append(first)
      convolution = joint
    } else {
      convolution?.append(second)
    }
    outputs.insert(contentsOf: other.outputs, at: isFirst ? 0 : outputs.count)
    outputChannels.insert(
      contentsOf: other.outputChannels, at: isFirst ? 0 : outputChannels.count)
    layers += other.layers
  }
}

extension WeightedConvolution {
  fileprivate mutating func append(_ other: WeightedConvolution) {
    weights += other.weights
    biases.append(contentsOf: repeatElement(0, count: operation.outputChannels - biases.count))
    operation.outputChannels += other.operation.outputChannels
    biases += other.biases
    biases.append(contentsOf: repeatElement(0, count: operation.outputChannels - biases.count))
    operation.hasBias = true
  }
}

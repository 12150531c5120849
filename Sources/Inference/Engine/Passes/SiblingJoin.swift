// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

extension Graph {
  /// Joins convolutions of the same form that read the same blob into one with several outputs.
  ///
  /// 1 × 1 convolutions then read the blob once. Larger windows gain only where the joint channels
  /// fill fewer blocks, as those of a detection head's scores, boxes and landmarks do.
  func joiningSiblings() -> Graph {
    var graph = self
    var groups: [SiblingGroup] = []
    var siblings: [ConvolutionForm: Int] = [:]
    for node in nodes {
      guard let form = ConvolutionForm(node), runsInKernels(node) else {
        groups.append(SiblingGroup(node))
        continue
      }
      if let index = siblings[form], groups[index].mayTake(node) {
        groups[index].take(node)
      } else {
        siblings[form] = groups.count
        groups.append(SiblingGroup(node))
      }
    }
    graph.nodes = groups.map { $0.joint }
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

/// Nodes that become one, at the place of the first.
private struct SiblingGroup {
  private var nodes: [Graph.Node]
  private var outputChannels: Int

  init(_ node: Graph.Node) {
    nodes = [node]
    outputChannels = node.convolution?.operation.outputChannels ?? 0
  }

  /// Channels of a block with the widest vectors. With narrower ones, too, joining changes no result.
  private static let lanes = 16

  func mayTake(_ node: Graph.Node) -> Bool {
    guard let convolution = node.convolution?.operation else { return false }
    func blocks(_ channels: Int) -> Int { (channels + Self.lanes - 1) / Self.lanes }
    let sum = outputChannels + convolution.outputChannels
    return sum <= Graph.maximumChannels
      && (convolution.isPointwise
        || blocks(sum) < blocks(outputChannels) + blocks(convolution.outputChannels))
  }

  mutating func take(_ node: Graph.Node) {
    nodes.append(node)
    outputChannels += node.convolution?.operation.outputChannels ?? 0
  }

  /// The nodes as one. Channels that fill whole blocks come before those that do not, so that they stay in
  /// blocks of their own.
  var joint: Graph.Node {
    func fillsBlocks(_ node: Graph.Node) -> Bool {
      node.outputChannels.allSatisfy { $0 % Self.lanes == 0 }
    }
    guard nodes.count > 1 else { return nodes[0] }
    let ordered = nodes.filter(fillsBlocks) + nodes.filter { !fillsBlocks($0) }
    var joint = nodes[0]
    joint.convolution = ordered[0].convolution
    for convolution in ordered.dropFirst().compactMap({ $0.convolution }) {
      joint.convolution?.append(convolution)
    }
    joint.outputs = ordered.flatMap { $0.outputs }
    joint.outputChannels = ordered.flatMap { $0.outputChannels }
    joint.layers = nodes.flatMap { $0.layers }
    return joint
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

import NCNN

extension Graph {
  /// Joins two 1 × 1 convolutions with the same activation that read the same blob into one with
  /// two outputs, which reads it once.
  func joiningSiblings() -> Graph {
    var graph = self
    graph.nodes = []
    var siblings: [String: Int] = [:]
    for node in nodes {
      guard let convolution = node.convolution, convolution.operation.isPointwise,
        case .none = node.prelude, runsInKernels(node)
      else {
        graph.nodes.append(node)
        continue
      }
      let key = "\(node.inputs[0]) \(convolution.activation)"
      if let index = siblings[key], let sibling = graph.nodes[index].convolution?.operation,
        sibling.outputChannels + convolution.operation.outputChannels <= Self.maximumChannels
      {
        graph.nodes[index].join(node)
      } else {
        siblings[key] = graph.nodes.count
        graph.nodes.append(node)
      }
    }
    return graph
  }
}

extension Graph.Node {
  /// Appends the other convolution's channels, in place: there may be many others.
  fileprivate mutating func join(_ other: Graph.Node) {
    guard let second = other.convolution else { return }
    convolution?.append(second)
    outputs += other.outputs
    layers += other.layers
    outputChannels += other.outputChannels
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

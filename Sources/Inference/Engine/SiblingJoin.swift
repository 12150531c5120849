import NCNN

extension Graph {
  /// Two 1 × 1 convolutions with the same activation that read the same blob become one with two
  /// outputs, which reads it once.
  func joiningSiblings() -> Graph {
    var graph = self
    graph.nodes = []
    var siblings: [String: Int] = [:]
    for node in nodes {
      guard let convolution = node.convolution, convolution.isPointwise, node.depthwise == nil,
        runsInKernels(node)
      else {
        graph.nodes.append(node)
        continue
      }
      let key = "\(node.inputs[0]) \(node.activation)"
      if let index = siblings[key], let sibling = graph.nodes[index].convolution,
        sibling.outputChannels + convolution.outputChannels <= Self.maximumChannels
      {
        graph.nodes[index] = graph.nodes[index].joined(with: node)
      } else {
        siblings[key] = graph.nodes.count
        graph.nodes.append(node)
      }
    }
    return graph
  }
}

extension Graph.Node {
  /// Both convolutions' channels one after the other.
  fileprivate func joined(with other: Graph.Node) -> Graph.Node {
    guard var first = convolution, let second = other.convolution else { return self }
    var node = self
    let biases = [(self, first), (other, second)].map { node, convolution in
      convolution.hasBias
        ? node.weights[1] : [Float](repeating: 0, count: convolution.outputChannels)
    }
    node.weights = [weights[0] + other.weights[0], biases[0] + biases[1]]
    first.outputChannels += second.outputChannels
    first.hasBias = true
    node.layer.operation = .convolution(first)
    node.outputs += other.outputs
    node.outputChannels += other.outputChannels
    return node
  }
}

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
    guard var first = convolution, let second = other.convolution else { return }
    if !first.hasBias { weights.append([Float](repeating: 0, count: first.outputChannels)) }
    weights[0] += other.weights[0]
    weights[1] +=
      second.hasBias ? other.weights[1] : [Float](repeating: 0, count: second.outputChannels)
    first.outputChannels += second.outputChannels
    first.hasBias = true
    layer.operation = .convolution(first)
    outputs += other.outputs
    layers += other.layers
    outputChannels += other.outputChannels
  }
}

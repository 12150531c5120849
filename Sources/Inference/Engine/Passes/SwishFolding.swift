import Kernels

extension Graph {
  /// Convolutions before a Swish get the factor −log₂e of its exponent into their weights.
  func foldingSwish() -> Graph {
    var graph = self
    for index in nodes.indices where nodes[index].convolution?.activation == .swish {
      graph.nodes[index].convolution?.activation = .foldedSwish
      graph.nodes[index].convolution?.scale = swishFactor
    }
    return graph
  }
}

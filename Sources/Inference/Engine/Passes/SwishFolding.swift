import Kernels

extension Graph {
  /// Convolutions before a Swish get the factor −log₂e of its exponent into their weights.
  func foldingSwish() -> Graph {
    var graph = self
    for index in nodes.indices where nodes[index].activation == .swish {
      graph.nodes[index].activation = .foldedSwish
      graph.nodes[index].scale = swishFactor
    }
    return graph
  }
}

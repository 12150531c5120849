import Kernels

extension Graph {
  /// Folds the factor −log₂e of Swish's exponent into the weights of the convolution before it.
  func foldingSwish() -> Graph {
    var graph = self
    for index in nodes.indices
    where nodes[index].convolution?.activation == .swish
      && nodes[index].convolution?.quantisation == nil
    {
      graph.nodes[index].convolution?.activation = .foldedSwish
      graph.nodes[index].convolution?.scale = swishFactor
    }
    return graph
  }
}

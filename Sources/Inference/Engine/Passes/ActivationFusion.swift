import Kernels
import NCNN

extension Graph {
  /// Fuses activations into the convolution before them, where nothing else reads its result.
  func fusingActivations() -> Graph {
    var graph = self
    graph.nodes = []
    let counts = readCounts
    var producers: [String: Int] = [:]
    for node in nodes {
      if let activation = VectorActivation(node.lowering), node.inputs.count == 1,
        counts[node.inputs[0]] == 1, let producer = producers[node.inputs[0]],
        runsInKernels(graph.nodes[producer]) || writesFloatsFromBytes(graph.nodes[producer]),
        graph.nodes[producer].convolution?.activation == VectorActivation.none
      {
        graph.nodes[producer].convolution?.activation = activation
        graph.nodes[producer].outputs = node.outputs
        graph.nodes[producer].layers += node.layers
        producers[node.outputs[0]] = producer
        continue
      }
      for output in node.outputs { producers[output] = graph.nodes.count }
      graph.nodes.append(node)
    }
    return graph
  }

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

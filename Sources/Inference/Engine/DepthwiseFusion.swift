import NCNN

extension Graph {
  /// Depthwise convolutions become part of the 1 × 1 convolution that alone reads their result, so
  /// that it never leaves the cache.
  func fusingDepthwise() -> Graph {
    var graph = self
    graph.nodes = []
    let counts = readCounts
    var producers: [String: Int] = [:]
    var fused: Set<Int> = []
    for var node in nodes {
      if let convolution = node.convolution, convolution.isPointwise,
        counts[node.inputs[0]] == 1, let producer = producers[node.inputs[0]],
        let depthwise = graph.nodes[producer].convolution, depthwise.isDepthwise
      {
        let before = graph.nodes[producer]
        node.depthwise = Depthwise(
          convolution: depthwise, weights: before.weights, activation: before.activation)
        node.inputs = before.inputs
        fused.insert(producer)
      }
      for output in node.outputs { producers[output] = graph.nodes.count }
      graph.nodes.append(node)
    }
    graph.nodes = graph.nodes.indices.filter { !fused.contains($0) }.map { graph.nodes[$0] }
    return graph
  }
}

extension Convolution {
  /// One channel in, one channel out, each with a window of its own; the border is zero.
  var isDepthwise: Bool {
    group > 1 && group == inputChannels && group == outputChannels && hasPlainBorder
  }

  /// A matrix product at every pixel.
  var isPointwise: Bool {
    group == 1 && kernel == Extent(width: 1, height: 1) && stride == Extent(width: 1, height: 1)
      && border == .explicit(left: 0, right: 0, top: 0, bottom: 0)
  }

  /// Whether kernels can run it: no border but one of zeros, and an activation that they know.
  var hasPlainBorder: Bool {
    let hasNoBorder = border == .explicit(left: 0, right: 0, top: 0, bottom: 0)
    return borderValue == 0 || hasNoBorder
  }
}

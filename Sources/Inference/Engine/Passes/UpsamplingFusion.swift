// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

extension Graph {
  /// Where a 1 × 1 convolution reads a Concat that includes a blob doubled in width and height by
  /// repeating pixels, computes that part's products once for each pixel of the small blob, not for
  /// its four copies.
  func fusingUpsampling() -> Graph {
    var graph = self
    let counts = readCounts
    var producers: [String: Int] = [:]
    var fused: Set<Int> = []
    for (index, node) in nodes.enumerated() {
      for output in node.outputs { producers[output] = index }
      guard let convolution = node.convolution, convolution.operation.isPointwise,
        runsInKernels(node), case .none = node.prelude, counts[node.inputs[0]] == 1,
        let concat = producers[node.inputs[0]], nodes[concat].isConcatOfTwoBlobs,
        let part = nodes[concat].inputs.firstIndex(where: { name in
          counts[name] == 1 && producers[name].map { doublesPixels(nodes[$0]) } ?? false
        }),
        let upsampling = producers[nodes[concat].inputs[part]],
        inputs.isDisjoint(with: nodes[concat].inputs + nodes[upsampling].inputs)
      else { continue }
      let first = self.channels(of: nodes[concat].inputs[0])
      let channels = [0..<first, first..<convolution.operation.inputChannels]
      graph.nodes[index].convolution = convolution.reading(channels[1 - part])
      graph.nodes[index].prelude = .upsampled(
        nodes[upsampling].inputs[0], convolution.reading(channels[part]).sumsOnly)
      graph.nodes[index].inputs = [nodes[concat].inputs[1 - part]]
      graph.nodes[index].layers = nodes[upsampling].layers + nodes[concat].layers + node.layers
      fused.formUnion([concat, upsampling])
    }
    graph.nodes = graph.nodes.indices.filter { !fused.contains($0) }.map { graph.nodes[$0] }
    return graph
  }

  /// Whether a node is an Interp that repeats every pixel of its input twice in both directions.
  private func doublesPixels(_ node: Node) -> Bool {
    guard case .resize = node.lowering else { return false }
    return node.suitsKernels && isBlockable(node.inputs[0])
  }
}

extension Graph.Node {
  fileprivate var isConcatOfTwoBlobs: Bool {
    guard case .join(axis: 0) = lowering else { return false }
    return inputs.count == 2
  }
}

extension WeightedConvolution {
  /// A 1 × 1 convolution of some of the input channels.
  fileprivate func reading(_ channels: Range<Int>) -> WeightedConvolution {
    var part = self
    part.operation.inputChannels = channels.count
    part.weights = stride(from: 0, to: weights.count, by: operation.inputChannels)
      .flatMap { weights[$0 + channels.lowerBound..<$0 + channels.upperBound] }
    return part
  }

  /// The convolution without biases and activation, which are applied to the complete sums.
  fileprivate var sumsOnly: WeightedConvolution {
    var sums = self
    sums.operation.hasBias = false
    sums.biases = []
    sums.activation = .none
    return sums
  }
}

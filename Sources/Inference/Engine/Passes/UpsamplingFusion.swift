import Kernels
import NCNN

extension Graph {
  /// Where a 1 × 1 convolution reads a Concat that includes a blob doubled in width and height by
  /// repeating pixels, computes that part's products once for each pixel of the small blob, not for
  /// its four copies.
  func fusingUpsampling() -> Graph {
    var graph = self
    let counts = readCounts
    var producers: [String: Int] = [:]
    var fused: Set<Int> = []
    // Rows and columns, each of which takes time; a plan with more in its tables is refused.
    var compared = 0
    for (index, node) in nodes.enumerated() {
      for output in node.outputs { producers[output] = index }
      guard let convolution = node.convolution, convolution.operation.isPointwise,
        runsInKernels(node), case .none = node.prelude, counts[node.inputs[0]] == 1,
        let concat = producers[node.inputs[0]], nodes[concat].isConcatOfTwoBlobs,
        let part = nodes[concat].inputs.firstIndex(where: { name in
          counts[name] == 1
            && producers[name].map { doublesPixels(nodes[$0], &compared) } ?? false
        }),
        let upsampling = producers[nodes[concat].inputs[part]],
        inputs.isDisjoint(with: nodes[concat].inputs + nodes[upsampling].inputs)
      else { continue }
      let first = shapes[nodes[concat].inputs[0]]?.first ?? 0
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
  ///
  /// - Parameter compared: counts the rows and columns; false where they are too many.
  private func doublesPixels(_ node: Node, _ compared: inout Int) -> Bool {
    guard case .interp(let interp) = node.layer.operation, interp.method == .nearest,
      isBlockable(node.inputs[0]), let old = shapes[node.inputs[0]],
      let new = shapes[node.outputs[0]],
      new == [old[0], 2 * old[1], 2 * old[2]]
    else { return false }
    compared += new[1] + new[2]
    guard compared <= Planner.mostTableEntries else { return false }
    return [1, 2].allSatisfy { axis in
      interp.nearestSources(vertically: axis == 1, from: old[axis], to: new[axis])
        .enumerated().allSatisfy { $1 == $0 / 2 }
    }
  }
}

extension Graph.Node {
  fileprivate var isConcatOfTwoBlobs: Bool {
    guard case .concat(axis: 0) = layer.operation else { return false }
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

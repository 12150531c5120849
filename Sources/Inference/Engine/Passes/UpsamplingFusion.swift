import NCNN

extension Graph {
  /// Where a 1 × 1 convolution reads a Concat of which one part is another blob made twice as wide
  /// and high by repeating pixels, that part's products are computed once for each pixel of the small
  /// blob, not for its four copies.
  func fusingUpsampling() -> Graph {
    var graph = self
    let counts = readCounts
    var producers: [String: Int] = [:]
    var fused: Set<Int> = []
    for (index, node) in nodes.enumerated() {
      for output in node.outputs { producers[output] = index }
      guard let convolution = node.convolution, convolution.isPointwise, runsInKernels(node),
        node.depthwise == nil, counts[node.inputs[0]] == 1,
        let concat = producers[node.inputs[0]], nodes[concat].isConcatOfTwoBlobs,
        let part = nodes[concat].inputs.firstIndex(where: { name in
          counts[name] == 1 && producers[name].map { doublesPixels(nodes[$0]) } ?? false
        }),
        let upsampling = producers[nodes[concat].inputs[part]],
        inputs.isDisjoint(with: nodes[concat].inputs + nodes[upsampling].inputs)
      else { continue }
      graph.nodes[index] = node.split(
        convolution, coarse: nodes[upsampling].inputs[0], part,
        of: nodes[concat].inputs.map { shapes[$0]?.first ?? 0 })
      graph.nodes[index].inputs = [nodes[concat].inputs[1 - part]]
      graph.nodes[index].layers = nodes[upsampling].layers + nodes[concat].layers + node.layers
      fused.formUnion([concat, upsampling])
    }
    graph.nodes = graph.nodes.indices.filter { !fused.contains($0) }.map { graph.nodes[$0] }
    return graph
  }

  /// Whether a node is an Interp that repeats every pixel of its input twice in both directions.
  private func doublesPixels(_ node: Node) -> Bool {
    guard case .interp(let interp) = node.layer.operation, interp.method == .nearest,
      isBlockable(node.inputs[0]), let old = shapes[node.inputs[0]],
      let new = shapes[node.outputs[0]],
      new == [old[0], 2 * old[1], 2 * old[2]]
    else { return false }
    return [1, 2].allSatisfy { axis in
      interp.nearestSources(vertically: axis == 1, from: old[axis], to: new[axis])
        == (0..<new[axis]).map { $0 / 2 }
    }
  }
}

extension Graph.Node {
  fileprivate var isConcatOfTwoBlobs: Bool {
    guard case .concat(axis: 0) = layer.operation else { return false }
    return inputs.count == 2
  }

  /// A 1 × 1 convolution whose input channels are parted in two, of which one part comes from a blob
  /// half as wide and high.
  fileprivate func split(
    _ convolution: Convolution, coarse input: String, _ part: Int, of channels: [Int]
  ) -> Graph.Node {
    let ranges = [0..<channels[0], channels[0]..<channels[0] + channels[1]]
    func half(_ index: Int) -> (convolution: Convolution, weights: [Float]) {
      var half = convolution
      half.inputChannels = channels[index]
      let rows = stride(from: 0, to: weights[0].count, by: channels[0] + channels[1])
      return (
        half,
        rows.flatMap { weights[0][$0 + ranges[index].lowerBound..<$0 + ranges[index].upperBound] }
      )
    }
    var node = self
    let fine = half(1 - part)
    node.layer.operation = .convolution(fine.convolution)
    node.weights[0] = fine.weights
    var coarse = half(part)
    coarse.convolution.hasBias = false
    node.coarse = Graph.Coarse(
      input: input,
      prelude: Graph.Prelude(
        convolution: coarse.convolution, weights: [coarse.weights], activation: .none,
        scale: scale))
    return node
  }
}

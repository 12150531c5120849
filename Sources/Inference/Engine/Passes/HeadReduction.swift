import NCNN

/// A detection head's output: for each anchor a group of values at every cell, of which one, the
/// objectness, decides whether the others are looked at.
public struct HeadLayout: Hashable, Sendable {
  /// The blob: anchors × (rows · columns) × 16.
  public let blob: String
  /// Anchors at each cell.
  public let anchors: Int
  /// Which of the 16 values is the objectness.
  public let objectness: Int
  /// Input pixels from one cell to the next.
  public let stride: Int

  /// Values for each anchor.
  public static let values = 16

  /// Makes a layout from its parts.
  ///
  /// - Precondition: `anchors` and `stride` are positive, `objectness` is within 0 ..< 16.
  public init(blob: String, anchors: Int, objectness: Int, stride: Int) {
    precondition(anchors > 0, "a head needs at least one anchor, not \(anchors)")
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    precondition((0..<HeadLayout.values).contains(objectness), "no value \(objectness) in a head")
    self.blob = blob
    self.anchors = anchors
    self.objectness = objectness
    self.stride = stride
  }
}

extension Graph {
  /// The 1 × 1 convolution that makes a head's output, of which only the objectness is computed
  /// everywhere.
  struct ReducedHead {
    /// The blob of the objectness: anchors × rows × columns.
    var objectness: String
    /// The whole convolution.
    var convolution: Node
  }

  /// Heads that end in a 1 × 1 convolution, Reshape and Permute keep of it only the channels with
  /// the objectness; the rest is left to be computed at single cells.
  ///
  /// - Returns: nil unless all heads are of that form, and nothing else reads what goes.
  func reducingHeads(_ layouts: [HeadLayout]) -> (graph: Graph, heads: [ReducedHead])? {
    var graph = self
    var heads: [ReducedHead] = []
    let counts = readCounts
    for layout in layouts {
      let name = resolved(layout.blob)
      guard let permute = graph.producer(of: name),
        case .permute(let order) = graph.nodes[permute].layer.operation, order.order == 1,
        let reshape = graph.producer(of: graph.nodes[permute].inputs[0]),
        case .reshape(let sizes) = graph.nodes[reshape].layer.operation,
        sizes.sizes == [layout.anchors, HeadLayout.values, -1],
        let index = graph.producer(of: graph.nodes[reshape].inputs[0]),
        let convolution = graph.nodes[index].convolution, convolution.isPointwise,
        runsInKernels(graph.nodes[index]), !inputs.contains(graph.nodes[index].inputs[0]),
        graph.nodes[index].activation == .none, graph.nodes[index].depthwise == nil,
        convolution.outputChannels == layout.anchors * HeadLayout.values,
        [permute, reshape, index].allSatisfy({ counts[graph.nodes[$0].outputs[0]] == 1 })
      else { return nil }
      let whole = graph.nodes[index]
      let objectness = "\(whole.outputs[0]) objectness"
      graph.nodes[index] = whole.keeping(
        (0..<layout.anchors).map { $0 * HeadLayout.values + layout.objectness }, as: objectness)
      graph.nodes[index].layers += graph.nodes[reshape].layers + graph.nodes[permute].layers
      graph.nodes = graph.nodes.indices.filter { $0 != permute && $0 != reshape }
        .map { graph.nodes[$0] }
      graph.wanted.remove(name)
      graph.wanted.formUnion([objectness, whole.inputs[0]])
      heads.append(ReducedHead(objectness: objectness, convolution: whole))
    }
    return (graph, heads)
  }

  private func producer(of name: String) -> Int? {
    nodes.firstIndex { $0.outputs.contains(name) }
  }
}

extension Graph.Node {
  /// The convolution with some of its output channels only, under another name.
  fileprivate func keeping(_ channels: [Int], as name: String) -> Graph.Node {
    guard var convolution else { return self }
    var node = self
    let inputs = convolution.inputChannels
    node.weights[0] = channels.flatMap { weights[0][$0 * inputs..<($0 + 1) * inputs] }
    if convolution.hasBias { node.weights[1] = channels.map { weights[1][$0] } }
    convolution.outputChannels = channels.count
    node.layer.operation = .convolution(convolution)
    node.outputs = [name]
    node.outputChannels = [channels.count]
    return node
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

extension Graph {
  /// Fuses depthwise convolutions into a 1 × 1 convolution that is the only one to read their
  /// result, which then never leaves the cache.
  func fusingDepthwise() -> Graph {
    fusingProducers { producer, node in
      guard let convolution = node.convolution?.operation, convolution.isPointwise,
        let before = producer.convolution, before.operation.isDepthwise,
        joinsInInt8(before, node)
      else { return nil }
      var fused = node
      fused.prelude = .depthwise(before)
      return fused
    }
  }

  /// Whether a depthwise convolution's result can be held in int8 for the node that reads it.
  private func joinsInInt8(_ before: WeightedConvolution, _ node: Node) -> Bool {
    guard before.quantization != nil, let after = node.convolution?.quantization else {
      return true
    }
    return before.byteActivation(scale: after.inputScale, curves) != nil
  }

  /// Fuses 1 × 1 convolutions into a convolution with stride 2 that is the only one to read their
  /// result: their blob, four times as large as that convolution's, is never written. Rows at the
  /// seams between tasks are computed twice, which at stride 1 would cost more than it saves.
  func fusingPointwise() -> Graph {
    fusingProducers { producer, node in
      guard let convolution = node.convolution?.operation, !convolution.isPointwise,
        convolution.group == 1, convolution.stride.height > 1, convolution.hasZeroBorder,
        node.convolution?.quantization == nil,
        case .none = node.prelude, let before = producer.convolution, before.operation.isPointwise,
        case .none = producer.prelude, producer.outputs.count == 1,
        !inputs.contains(producer.inputs[0])
      else { return nil }
      var fused = node
      fused.prelude = .pointwise(before)
      return fused
    }
  }

  /// Replaces each pair of a producer and the only node that reads it by the result of `fuse`, or
  /// keeps both where that is nil.
  private func fusingProducers(_ fuse: (_ producer: Node, _ node: Node) -> Node?) -> Graph {
    var graph = self
    graph.nodes = []
    let counts = readCounts
    var producers: [String: Int] = [:]
    var fused: Set<Int> = []
    for var node in nodes {
      if node.inputs.count == 1, counts[node.inputs[0]] == 1,
        let producer = producers[node.inputs[0]],
        runsInKernels(graph.nodes[producer]) && runsInKernels(node)
          || runsInBytes(graph.nodes[producer]) && runsInBytes(node),
        let replacement = fuse(graph.nodes[producer], node)
      {
        node = replacement
        node.inputs = graph.nodes[producer].inputs
        node.layers = graph.nodes[producer].layers + node.layers
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
    group > 1 && group == inputChannels && group == outputChannels && hasZeroBorder
  }

  /// A matrix product at every pixel.
  var isPointwise: Bool {
    group == 1 && kernel == .one && stride == .one && border == .none
  }

  /// Whether Winograd's algorithm saves enough products to be worth its transforms.
  var suitsWinograd: Bool {
    let three = Extent(width: 3, height: 3)
    let two = Extent(width: 2, height: 2)
    let channels = min(inputChannels, outputChannels)
    return kernel == three && dilation == .one
      && (stride == .one && channels >= 16 || stride == two && channels >= 32)
  }

  /// Whether the windows of a row reach past the border on the left. They do unless the border is
  /// wider than the window and the stride skips the rest of it.
  func readsBeyondLeftBorder(_ input: [Int]) -> Bool {
    let (rows, columns) = (input[1], input[2])
    let left = border.sides(rows: rows, columns: columns, window: window, stride: stride).left
    let size = border.sizes(rows: rows, columns: columns, window: window, stride: stride)
    let rest = (size.columns - window.width) % stride.width
    return left <= size.columns - rest
  }

  /// Whether its border, if any, is of zeros, the only one that kernels make.
  var hasZeroBorder: Bool { borderValue == 0 || border == .none }
}

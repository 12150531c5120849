// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// Plans layers that move or resample pixels and channels.
extension Planner {
  /// Whether a node's channels can be moved by listing their places anew: all its blobs are in blocks.
  func movesChannels(_ node: Graph.Node) -> Bool {
    (node.inputs + node.outputs).allSatisfy { graph.isBlockable($0) && !isInput($0) }
  }

  mutating func lowerConcat(_ node: Graph.Node, axis: Int) throws(InferenceError) {
    guard try resolvedAxis(axis, of: shape(node.inputs[0])) == 0 else { return lowerFallback(node) }
    var blob = blocked(node.inputs[0])
    // Every channel has a place of its own: what is listed twice, or in part, is copied.
    var places = Set(blob.channels)
    for name in node.inputs.dropFirst() {
      let next = blocked(name)
      let isNew = next.channels.allSatisfy { places.insert($0).inserted }
      blob.channels += isNew ? next.channels : try copied(next, for: node).channels
    }
    define(node.outputs[0], blob)
  }

  mutating func lowerSlice(_ node: Graph.Node, axis: Int) throws(InferenceError) {
    guard try resolvedAxis(axis, of: shape(node.inputs[0])) == 0 else {
      return lowerFallback(node)
    }
    let blob = blocked(node.inputs[0])
    var start = 0
    for name in node.outputs {
      var part = blob
      part.channels = Array(blob.channels[start..<start + shape(name)[0]])
      start += part.channels.count
      define(name, part)
    }
  }

  mutating func lowerShuffle(_ node: Graph.Node, _ shuffle: ShuffleChannel) {
    var blob = blocked(node.inputs[0])
    let places = blob.channels
    for (channel, place) in places.enumerated() {
      blob.channels[shuffle.target(of: channel, of: places.count)] = place
    }
    define(node.outputs[0], blob)
  }

  /// Plans Crop: channels as a part of the list, rows and columns as a copy.
  mutating func lowerCrop(_ node: Graph.Node, _ crop: Crop) throws(InferenceError) {
    let kept = try crop.kept(node.inputs.map(shape))
    var input = blocked(node.inputs[0])
    input.channels = Array(input.channels[kept[0]])
    guard kept[1].count < input.rows || kept[2].count < input.columns else {
      return define(node.outputs[0], input)
    }
    try countTables(kept[1].count, kept[2].count)
    let output = gathered(input, for: node, rows: Array(kept[1]), columns: Array(kept[2]))
    define(node.outputs[0], output)
  }

  private mutating func copied(
    _ blob: BlockedBlob, for node: Graph.Node
  ) throws(InferenceError) -> BlockedBlob {
    try countTables(blob.rows, blob.columns)
    try requireBounds()
    return gathered(blob, for: node, rows: Array(0..<blob.rows), columns: Array(0..<blob.columns))
  }

  /// Plans a blob whose pixels are some of another's: the row and column of each.
  private mutating func gathered(
    _ input: BlockedBlob, for node: Graph.Node, rows: [Int], columns: [Int]
  ) -> BlockedBlob {
    let isBytes = graph.heldBytes[node.outputs[0]] != nil
    let output = makeBlob(like: input, rows: rows.count, columns: columns.count, isBytes: isBytes)
    add(
      node.layer.name,
      GatherStep(
        reads: input.blocks, writes: output.blocks, rows: rows, columns: columns,
        inputColumns: input.columns, isBytes: isBytes))
    return output
  }

  mutating func lowerInterp(_ node: Graph.Node, _ interp: Interp) throws(InferenceError) {
    let input = blocked(node.inputs[0])
    let shape = shape(node.outputs[0])
    if shape == self.shape(node.inputs[0]) { return define(node.outputs[0], input) }
    try countTables(shape[1], shape[2])
    let axes = interp.axes(from: self.shape(node.inputs[0]), to: shape)
    if interp.method == .nearest {
      let output = gathered(
        input, for: node, rows: axes.rows.nearest, columns: axes.columns.nearest)
      return define(node.outputs[0], output)
    }
    let output = makeBlob(like: input, rows: shape[1], columns: shape[2])
    add(
      node.layer.name,
      BilinearStep(
        reads: input.blocks, writes: output.blocks, rows: axes.rows.linear.map(BilinearSample.init),
        columns: axes.columns.linear.map(BilinearSample.init), inputColumns: input.columns))
    define(node.outputs[0], output)
  }
}

extension BilinearSample {
  fileprivate init(_ sample: LinearSample) {
    self.init(first: sample.first, second: sample.second, weight: sample.weight)
  }
}

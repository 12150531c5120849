// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

extension Planner {
  /// Plans a convolution that runs in kernels, see `Graph.runsInKernels`.
  mutating func lowerConvolution(_ node: Graph.Node) throws(InferenceError) {
    guard let convolution = node.convolution else { return }
    let name = node.inputs[0]
    var windows = WindowGeometry(convolution.operation, over: shape(name))
    if convolution.operation.group > 1 {
      let output = try convolve(blocked(name), node, convolution, windows)
      return define(node.outputs[0], output)
    }
    if case .depthwise(let before) = node.prelude {
      let whole = WindowGeometry(before.operation, over: shape(name))
      (windows.outputRows, windows.outputColumns) = (whole.outputRows, whole.outputColumns)
    }
    let output = makeBlob(
      channels: convolution.operation.outputChannels, rows: windows.outputRows,
      columns: windows.outputColumns)
    var packed = PackedConvolution(convolution, windows, lanes: plan.lanes)
    packed.addOutputs(output.blocks, channels: 0)
    try choose(packed, node, convolution)
    var start = 0
    for (name, count) in zip(node.outputs, node.outputChannels) {
      var part = output
      part.channels = Array(output.channels[start..<start + count])
      start += count
      define(name, part)
    }
  }

  /// Chooses a strategy and plans the step.
  private mutating func choose(
    _ packed: PackedConvolution, _ node: Graph.Node, _ convolution: WeightedConvolution
  ) throws(InferenceError) {
    let name = node.inputs[0]
    switch node.prelude {
    case .none where isInput(name) && shape(name)[0] <= 4:
      try lowerFirstConvolution(packed, node, convolution)
    case .none:
      try add(node, convolution, packed, of: blocked(name))
    case .depthwise(let before):
      let input = blocked(name)
      var depthwise = try pack(
        before, input, WindowGeometry(before.operation, over: shape(name)))
      // Several pixels read each weight.
      let rows = (15 + packed.windows.outputColumns) / packed.windows.outputColumns
      depthwise.chunk = max(packed.rowsPerTask, min(rows, packed.windows.outputRows))
      let first = DepthwiseFirst(convolution: packed, depthwise: depthwise)
      try add(node, convolution, first, input.sourceChannels)
    case .pointwise(let before):
      let channels = before.operation.outputChannels
      let lanes = hasHalves && channels <= plan.lanes / 2 ? plan.lanes / 2 : plan.lanes
      let pointwise = PointwiseFirst(packed, after: try planPrelude(before, of: name, lanes: lanes))
      let sources = (0..<channels).map { SourceChannel(block: $0 / lanes, lane: $0 % lanes) }
      try add(node, convolution, pointwise, sources)
    case .upsampled(let small, let before):
      try countTables(packed.windows.outputColumns)
      let input = blocked(name)
      let upsampled = UpsampledConvolution(
        packed, input.blocks, coarse: try planPrelude(before, of: small, lanes: plan.lanes))
      try add(node, convolution, upsampled, input.sourceChannels)
    }
  }

  /// Plans a convolution of one group that reads a blob in blocks.
  mutating func add(
    _ node: Graph.Node, _ convolution: WeightedConvolution, _ packed: PackedConvolution,
    of input: BlockedBlob
  ) throws(InferenceError) {
    if convolution.operation.isPointwise && packed.windows.coverInput {
      let direct = DirectConvolution(packed, input.blocks)
      try add(node, convolution, direct, input.sourceChannels)
    } else if convolution.operation.suitsWinograd {
      let tiled = WinogradConvolution(packed, input.blocks, lanes: plan.lanes)
      try add(node, convolution, tiled, input.sourceChannels)
    } else {
      let bordered = BorderedConvolution(
        convolution: packed, reads: input.blocks,
        copy: BorderedCopy(packed, pixelElements: plan.lanes))
      try add(node, convolution, bordered, input.sourceChannels)
    }
  }

  /// Plans a convolution that reads the caller's picture or tensor of few channels, without blocks of it.
  private mutating func lowerFirstConvolution(
    _ packed: PackedConvolution, _ node: Graph.Node, _ convolution: WeightedConvolution
  ) throws(InferenceError) {
    let channels = shape(node.inputs[0])[0]
    if let normalization {
      let sources = (0..<channels).map {
        SourceChannel(block: 0, lane: normalization.order.byte(ofPlane: $0))
      }
      let picture = PictureConvolution(
        convolution: packed, normalization: normalization,
        copy: BorderedCopy(packed, pixelElements: 3))
      try add(node, convolution, picture, sources)
    } else {
      let tensor = TensorConvolution(
        convolution: packed, tensor: tensor(node.inputs[0]),
        copy: BorderedCopy(packed, pixelElements: channels))
      try add(node, convolution, tensor, (0..<channels).map { SourceChannel(block: 0, lane: $0) })
    }
  }

  private mutating func add(
    _ node: Graph.Node, _ convolution: WeightedConvolution,
    _ strategy: some ConvolutionStrategy<PackedConvolution>, _ channels: [SourceChannel]
  ) throws(InferenceError) {
    var strategy = strategy
    try pack(convolution, channels, &strategy)
    addStep(node, convolution, strategy)
  }

  /// Plans the step of a strategy whose sources and weights are packed.
  mutating func addStep<Strategy: ConvolutionStrategy>(
    _ node: Graph.Node, _ convolution: WeightedConvolution, _ strategy: Strategy
  ) {
    requireScratch(bytes: strategy.scratchSize * MemoryLayout<Strategy.Convolution.Element>.size)
    preparedElements += Double(strategy.taskCount) * Double(strategy.preparedElements)
    let windows = strategy.convolution.windows
    add(
      node.layer.name, strategy, multiplyAdds: multiplyAdds(node, convolution, windows),
      shape: [convolution.operation.outputChannels, windows.outputRows, windows.outputColumns])
  }

  /// Gives each thread at least so much scratch memory.
  mutating func requireScratch(bytes: Int) {
    let size = MemoryLayout<Float>.size
    plan.scratchSize = max(plan.scratchSize, (bytes + size - 1) / size)
  }

  /// Multiply-adds of the plain convolutions, including the one that was fused.
  private func multiplyAdds(
    _ node: Graph.Node, _ convolution: WeightedConvolution, _ windows: WindowGeometry
  ) -> Int64 {
    let output = [windows.outputRows, windows.outputColumns]
    let own =
      product(output + [convolution.operation.weightCount]) / Int64(convolution.joinedGroups)
    switch node.prelude {
    case .none: return own
    case .depthwise(let before), .upsampled(_, let before):
      return own + product(output + [before.operation.weightCount])
    case .pointwise(let before):
      return own + product([windows.inputRows, windows.inputColumns, before.operation.weightCount])
    }
  }

  /// Plans a 1 × 1 convolution of a blob whose result stays in scratch memory, where its blocks, of
  /// `lanes` channels each, count from 0.
  private mutating func planPrelude(
    _ convolution: WeightedConvolution, of name: String, lanes: Int
  ) throws(InferenceError) -> DirectConvolution<PackedConvolution> {
    let channels = convolution.operation.outputChannels
    return try planDirect(convolution, of: name, lanes: lanes) {
      $0.addOutputs(Array(0..<(channels + lanes - 1) / lanes), channels: 0)
    }
  }

  /// Plans a 1 × 1 convolution as a part of a step.
  private mutating func planDirect(
    _ convolution: WeightedConvolution, of name: String, lanes: Int,
    addingOutputs: (inout PackedConvolution) -> Void
  ) throws(InferenceError) -> DirectConvolution<PackedConvolution> {
    let input = blocked(name)
    var packed = PackedConvolution(
      convolution, WindowGeometry(convolution.operation, over: shape(name)), lanes: lanes)
    addingOutputs(&packed)
    var direct = DirectConvolution(packed, input.blocks)
    try pack(convolution, input.sourceChannels, &direct)
    return direct
  }

  /// Plans what computes all values of a reduced output at one cell.
  ///
  /// - Throws: `InferenceError` where the packed weights exceed what a plan may have.
  mutating func planGroups(
    of reduced: Graph.ReducedOutput
  ) throws(InferenceError) -> Plan.ReducedOutput {
    let gates = blocked(reduced.gates)
    let convolution = reduced.convolution
    let blocksPerGroup = (reduced.width + plan.lanes - 1) / plan.lanes
    if convolution.quantization != nil {
      let cell = try planByteCell(convolution, of: reduced.input, width: reduced.width)
      let count = cell.groups.count / gates.channels.count
      return Plan.ReducedOutput(gates: gates, blocksPerGroup: blocksPerGroup) {
        cell.compute($0, cell.groups[$1 * count..<($1 + 1) * count], cell: $2, into: $3)
      }
    }
    let step = try planDirect(convolution, of: reduced.input, lanes: plan.lanes) { packed in
      // No blocks of the arena: the executor gives the cell's values a place of their own.
      for first in stride(from: 0, to: convolution.operation.outputChannels, by: reduced.width) {
        packed.addOutputs(Array(0..<blocksPerGroup), channels: first)
      }
    }
    let count = (blocksPerGroup + 1) / 2
    return Plan.ReducedOutput(gates: gates, blocksPerGroup: blocksPerGroup) {
      step.compute($0, step.convolution.outputs[$1 * count..<($1 + 1) * count], cell: $2, into: $3)
    }
  }
}

extension DirectConvolution<PackedConvolution> {
  /// Computes some groups of output blocks at one cell, block after block.
  func compute(
    _ executor: Executor, _ groups: ArraySlice<PackedConvolution.OutputGroup>, cell: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let lanes = executor.plan.lanes
    for group in groups {
      convolution.run(
        executor, group, input: executor.arena.start + cell * lanes, step: lanes, output: output,
        pixels: 0..<1
      ) { $0 * lanes }
    }
  }
}

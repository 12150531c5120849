import Kernels
import NCNN

extension Planner {
  /// Plans a convolution that runs in kernels, see `Graph.runsInKernels`.
  mutating func lowerConvolution(_ node: Graph.Node) {
    guard let convolution = node.convolution else { return }
    let operation = convolution.operation
    if operation.isDepthwise { return lowerDepthwise(node, convolution) }
    var step = makeStep(convolution, of: node.inputs[0], after: node.prelude)
    let output = makeBlob(
      channels: operation.outputChannels, rows: step.windows.outputRows,
      columns: step.windows.outputColumns)
    let channels = chooseSource(of: convolution, node.inputs[0], after: node.prelude, &step)
    packSources(channels, &step)
    packWeights(convolution, of: output.blocks, &step)
    plan.scratchSize = max(plan.scratchSize, scratchSize(step))

    let unit = if case .blocks = step.source { output.rows * output.columns } else { output.rows }
    let tasks = (unit + step.chunk - 1) / step.chunk
    countPreparation(step, tasks: tasks)
    add(
      node.layer.name, .convolution(step), tasks: tasks, reads: step.source.blocks,
      writes: output.blocks, multiplyAdds: multiplyAdds(step, operation, after: node.prelude),
      shape: [operation.outputChannels, output.rows, output.columns])

    var start = 0
    for (name, count) in zip(node.outputs, node.outputChannels) {
      var part = output
      part.channels = Array(output.channels[start..<start + count])
      start += count
      define(name, part)
    }
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
    let groups = convolution.operation.outputChannels / reduced.width
    try requireRoom(
      forWeights: groups * blocksPerGroup * plan.lanes * convolution.operation.inputChannels)
    if convolution.quantisation != nil {
      let cell = planByteCell(convolution, of: reduced.input, width: reduced.width)
      return Plan.ReducedOutput(gates: gates, cell: .bytes(cell), blocksPerGroup: blocksPerGroup)
    }
    var step = makeStep(convolution, of: reduced.input)
    packSources(chooseSource(of: convolution, reduced.input, &step), &step)
    // No blocks of the arena: the executor gives the cell's values a place of their own.
    for group in 0..<groups {
      packWeights(
        convolution, of: Array(0..<blocksPerGroup), from: group * reduced.width, &step)
    }
    return Plan.ReducedOutput(
      gates: gates, cell: .floats(step), blocksPerGroup: blocksPerGroup)
  }

  /// Plans a 1 × 1 convolution of a blob whose result stays in scratch memory, where its blocks, of
  /// `lanes` channels each, count from 0.
  private mutating func planPrelude(
    _ convolution: WeightedConvolution, of input: String, lanes: Int
  ) -> ConvolutionStep {
    var step = makeStep(convolution, of: input)
    packSources(chooseSource(of: convolution, input, &step), &step)
    step.lanes = lanes
    let blocks = (convolution.operation.outputChannels + lanes - 1) / lanes
    packWeights(convolution, of: Array(0..<blocks), &step)
    return step
  }

  private func makeStep(
    _ convolution: WeightedConvolution, of name: String, after prelude: Graph.Prelude = .none
  ) -> ConvolutionStep {
    let operation = convolution.operation
    var windows = Windows(operation, over: shape(name))
    if case .depthwise(let depthwise) = prelude {
      let whole = Windows(depthwise.operation, over: shape(name))
      (windows.outputRows, windows.outputColumns) = (whole.outputRows, whole.outputColumns)
    }
    return ConvolutionStep(
      source: .blocks([]), lanes: plan.lanes, windows: windows,
      inputChannels: operation.inputChannels, sources: 0, sourceCount: 0, outputs: [],
      activation: convolution.activation, chunk: 1)
  }

  /// Multiply-adds of the plain convolutions, including the one that was fused.
  private func multiplyAdds(
    _ step: ConvolutionStep, _ operation: Convolution, after prelude: Graph.Prelude
  ) -> Int64 {
    let output = [step.windows.outputRows, step.windows.outputColumns]
    let own = product(output + [operation.weightCount])
    switch prelude {
    case .none: return own
    case .depthwise(let before), .upsampled(_, let before):
      return own + product(output + [before.operation.weightCount])
    case .pointwise(let before):
      return own
        + product([step.windows.inputRows, step.windows.inputColumns, before.operation.weightCount])
    }
  }

  /// Chooses where the kernel reads from and how much one task does; returns the input's channels.
  private mutating func chooseSource(
    of convolution: WeightedConvolution, _ name: String, after prelude: Graph.Prelude = .none,
    _ step: inout ConvolutionStep
  ) -> [SourceChannel] {
    if case .none = prelude, isInput(name), shape(name)[0] <= 4 {
      return readInput(name, &step)
    }
    let input = blocked(name)
    let blocks = input.blocks
    switch prelude {
    case .none: chooseSource(of: convolution.operation, blocks, &step)
    case .depthwise(let depthwise):
      step.source = .depthwise(blocks, packDepthwise(depthwise, input))
      step.chunk = rowsPerTask(step)
    case .upsampled(let name, let coarse):
      step.chunk = (rowsPerTask(step) + 1) / 2 * 2
      step.source = .upsampled(
        blocks, planPrelude(coarse, of: name, lanes: plan.lanes),
        columns: (0..<step.windows.outputColumns).map { $0 / 2 })
    case .pointwise(let pointwise):
      let channels = pointwise.operation.outputChannels
      let lanes = hasHalves && channels <= plan.lanes / 2 ? plan.lanes / 2 : plan.lanes
      step.chunk = max(1, min(8, (step.windows.outputRows + 7) / 8))
      step.source = .pointwise(blocks, planPrelude(pointwise, of: name, lanes: lanes))
      return (0..<channels).map { SourceChannel(block: $0 / lanes, lane: $0 % lanes) }
    }
    let positions = Dictionary(uniqueKeysWithValues: zip(blocks, blocks.indices))
    return input.channels.map {
      SourceChannel(block: positions[$0.block] ?? 0, lane: $0.lane)
    }
  }

  /// Reads the caller's picture or tensor of few channels, without blocks of it.
  private mutating func readInput(
    _ name: String, _ step: inout ConvolutionStep
  ) -> [SourceChannel] {
    let channels = shape(name)[0]
    step.chunk = rowsPerTask(step)
    guard let normalisation else {
      step.source = .interleaved(tensor: tensor(name), channels: channels)
      return (0..<channels).map { SourceChannel(block: 0, lane: $0) }
    }
    step.source = .picture(normalisation)
    return (0..<channels).map {
      SourceChannel(block: 0, lane: normalisation.order.byte(ofPlane: $0))
    }
  }

  /// Chooses where a convolution without a prelude reads blocks from.
  private func chooseSource(
    of operation: Convolution, _ blocks: [Int], _ step: inout ConvolutionStep
  ) {
    if operation.isPointwise {
      step.source = .blocks(blocks)
      step.chunk = min(step.cachedPixels, step.windows.outputRows * step.windows.outputColumns)
    } else if operation.suitsWinograd {
      let tile = WinogradTile(stride: step.windows.stride.width)
      step.source = .winograd(blocks, tile)
      // Two wide tiles' worth, so that a task's transformed tiles stay in the L2 cache.
      let columns = tile.count(over: step.windows.outputColumns)
      let tileRows = min((23 + columns) / columns, tile.count(over: step.windows.outputRows) / 4)
      step.chunk = tile.outputSide * max(1, tileRows)
    } else {
      step.source = .bordered(blocks)
      step.chunk = rowsPerTask(step)
    }
  }

  /// Enough rows that a task has at least 192 pixels, and no fewer than four, so that few input
  /// rows are copied twice; but at most an eighth of all rows.
  private func rowsPerTask(_ step: ConvolutionStep) -> Int {
    let rows = max(4, (191 + step.windows.outputColumns) / step.windows.outputColumns)
    return max(1, min(rows, (step.windows.outputRows + 7) / 8))
  }

  /// Elements of scratch memory that one task's input takes.
  private func scratchSize(_ step: ConvolutionStep) -> Int {
    switch step.source {
    case .blocks: 0
    case .upsampled(_, let coarse, _):
      coarse.blockCount * step.chunk / 2 * coarse.windows.outputColumns * plan.lanes
    case .bordered(let blocks):
      blocks.count * step.borderedRows * step.borderedColumns * plan.lanes
    case .winograd(let blocks, let tile):
      blocks.count * step.borderedRows * step.borderedColumns * plan.lanes
        + tile.positions
        * (step.positionStride(tile, blocks: blocks.count) + step.positionStride(tile, blocks: 2))
    case .pointwise(_, let prelude):
      prelude.blockCount * step.borderedRows * step.borderedColumns * prelude.lanes
    case .depthwise(let blocks, _):
      blocks.count * step.chunk * step.windows.outputColumns * plan.lanes
    case .interleaved(_, let channels): step.borderedRows * step.borderedColumns * channels
    case .picture: step.borderedRows * step.borderedColumns * 3
    }
  }
}

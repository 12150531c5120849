import Kernels
import NCNN

extension Planner {
  mutating func lowerConvolution(_ node: Graph.Node, _ convolution: Convolution) {
    var step = makeStep(node, convolution)
    let output = makeBlob(
      channels: convolution.outputChannels, rows: step.outputRows, columns: step.outputColumns)
    let channels = sourceChannels(node, &step)
    packSources(channels, &step)
    packWeights(node, convolution, of: output.blocks, &step)
    plan.scratchSize = max(plan.scratchSize, scratchSize(step))

    let unit = if case .blocks = step.source { output.rows * output.columns } else { output.rows }
    let tasks = (unit + step.chunk - 1) / step.chunk
    countPreparation(step, tasks: tasks)
    var multiplyAdds = product([output.rows, output.columns, convolution.weightCount])
    if let coarse = node.coarse {
      multiplyAdds += product([
        output.rows, output.columns, coarse.prelude.convolution.weightCount,
      ])
    }
    if let pointwise = node.pointwise {
      multiplyAdds += product([
        step.inputRows, step.inputColumns, pointwise.convolution.weightCount,
      ])
    }
    if let depthwise = node.depthwise {
      multiplyAdds += product([
        output.rows, output.columns, depthwise.convolution.weightCount,
      ])
    }
    let reads: [Int] =
      switch step.source {
      case .blocks(let blocks), .bordered(let blocks), .depthwise(let blocks, _),
        .pointwise(let blocks, _), .winograd(let blocks, _):
        blocks
      case .upsampled(let blocks, let coarse, _): blocks + coarse.blockOfSource
      case .interleaved, .picture: []
      }
    add(
      node.layer.name, .convolution(step), tasks: tasks, reads: reads, writes: output.blocks,
      multiplyAdds: multiplyAdds,
      shape: [convolution.outputChannels, output.rows, output.columns])

    var start = 0
    for (name, count) in zip(node.outputs, node.outputChannels) {
      var part = output
      part.channels = Array(output.channels[start..<start + count])
      start += count
      define(name, part)
    }
  }

  /// Plans a 1 × 1 convolution of a blob whose result stays in scratch memory; its blocks, of so many
  /// channels, count from 0 there.
  private mutating func plan(
    _ prelude: Graph.Prelude, of input: String, for node: Graph.Node, lanes: Int
  ) -> ConvolutionStep {
    let convolution = prelude.convolution
    var node = node
    node.inputs = [input]
    node.layer.operation = .convolution(convolution)
    node.weights = prelude.weights
    node.activation = prelude.activation
    node.scale = prelude.scale
    node.pointwise = nil
    node.coarse = nil
    var step = makeStep(node, convolution)
    packSources(sourceChannels(node, &step), &step)
    step.lanes = lanes
    let blocks = (convolution.outputChannels + step.lanes - 1) / step.lanes
    packWeights(node, convolution, of: Array(0..<blocks), &step)
    return step
  }

  /// Plans what computes all values of a reduced head at one cell.
  mutating func addHead(_ head: Graph.ReducedHead) {
    guard let convolution = head.convolution.convolution,
      let objectness = plan.values[head.objectness]?.blocked
    else { return }
    var step = makeStep(head.convolution, convolution)
    let channels = sourceChannels(head.convolution, &step)
    packSources(channels, &step)
    // No blocks of the arena: the executor gives the cell's values a place of their own.
    let blocksPerAnchor = HeadLayout.values / plan.lanes
    let blocks = Array(0..<convolution.outputChannels / plan.lanes)
    for first in stride(from: 0, to: blocks.count, by: blocksPerAnchor) {
      packWeights(
        head.convolution, convolution, of: Array(blocks[first..<first + blocksPerAnchor]),
        from: first * plan.lanes, &step)
    }
    plan.heads.append(
      Plan.Head(
        objectness: objectness, cell: step, groupsPerAnchor: (blocksPerAnchor + 1) / 2))
  }

  private func makeStep(_ node: Graph.Node, _ convolution: Convolution) -> ConvolutionStep {
    let input = shape(node.inputs[0])
    let whole = node.depthwise?.convolution ?? convolution
    let size = whole.border.sizes(
      rows: input[1], columns: input[2], window: whole.window, stride: whole.stride)
    let sides = convolution.border.sides(
      rows: input[1], columns: input[2], window: convolution.window, stride: convolution.stride)
    return ConvolutionStep(
      source: .blocks([]), lanes: plan.lanes, inputRows: input[1], inputColumns: input[2],
      outputRows: (size.rows - whole.window.height) / whole.stride.height + 1,
      outputColumns: (size.columns - whole.window.width) / whole.stride.width + 1,
      kernel: convolution.kernel, stride: convolution.stride, dilation: convolution.dilation,
      padTop: sides.top, padLeft: sides.left, sources: 0, sourceCount: 0, outputs: [],
      activation: node.activation, chunk: 1)
  }

  /// One input channel as the kernel finds it.
  struct SourceChannel {
    /// The position of its block in the step's list, or of the row in an interleaved copy.
    var block: Int
    var lane: Int
  }

  /// Chooses where the kernel reads from, how much one task does, and returns the input's channels.
  private mutating func sourceChannels(
    _ node: Graph.Node, _ step: inout ConvolutionStep
  ) -> [SourceChannel] {
    let name = node.inputs[0]
    if isInput(name) && shape(name)[0] <= 4 && node.depthwise == nil && node.pointwise == nil {
      let channels = shape(name)[0]
      step.source =
        takesPicture ? .picture : .interleaved(tensor: tensor(name), channels: channels)
      step.chunk = rowsPerTask(step)
      return (0..<channels).map { SourceChannel(block: 0, lane: $0) }
    }
    let input = blocked(name)
    let blocks = input.blocks
    let positions = Dictionary(uniqueKeysWithValues: zip(blocks, blocks.indices))
    if let pointwise = node.pointwise {
      let channels = pointwise.convolution.outputChannels
      let lanes = hasHalves && channels <= plan.lanes / 2 ? plan.lanes / 2 : plan.lanes
      step.chunk = max(1, min(8, (step.outputRows + 7) / 8))
      step.source = .pointwise(blocks, plan(pointwise, of: name, for: node, lanes: lanes))
      return (0..<channels).map { SourceChannel(block: $0 / lanes, lane: $0 % lanes) }
    }
    if let depthwise = node.depthwise {
      step.source = .depthwise(blocks, packDepthwise(depthwise, input))
      step.chunk = rowsPerTask(step)
    } else if let coarse = node.coarse {
      step.chunk = (rowsPerTask(step) + 1) / 2 * 2
      step.source = .upsampled(
        blocks, plan(coarse.prelude, of: coarse.input, for: node, lanes: plan.lanes),
        columns: (0..<step.outputColumns).map { $0 / 2 })
    } else if node.convolution?.isPointwise == true {
      step.source = .blocks(blocks)
      // Multiples of the widest tile; small enough that a task's input stays in the first cache.
      let pixels = max(48, 6144 / max(1, blocks.count * plan.lanes) / 48 * 48)
      step.chunk = min(pixels, step.outputRows * step.outputColumns)
    } else if node.convolution?.suitsWinograd == true {
      let tile = WinogradTile(stride: step.stride.width)
      step.source = .winograd(blocks, tile)
      // Two wide tiles' worth, so that the numbers that stand for a task's tiles stay in the second
      // cache.
      let columns = tile.count(over: step.outputColumns)
      let tileRows = min((23 + columns) / columns, tile.count(over: step.outputRows) / 4)
      step.chunk = tile.outputSide * max(1, tileRows)
    } else {
      step.source = .bordered(blocks)
      step.chunk = rowsPerTask(step)
    }
    return input.channels.map {
      SourceChannel(block: positions[$0.block] ?? 0, lane: $0.lane)
    }
  }

  /// As many rows as give tasks of at least some hundred pixels, four rows where that is less, so
  /// that few input rows are copied twice; but at least eight tasks.
  private func rowsPerTask(_ step: ConvolutionStep) -> Int {
    let rows = max(4, (191 + step.outputColumns) / step.outputColumns)
    return max(1, min(rows, (step.outputRows + 7) / 8))
  }

  /// Elements that one task's input takes in scratch memory.
  private func scratchSize(_ step: ConvolutionStep) -> Int {
    switch step.source {
    case .blocks: 0
    case .upsampled(_, let coarse, _):
      coarse.blockCount * step.chunk / 2 * coarse.outputColumns * plan.lanes
    case .bordered(let blocks):
      blocks.count * step.borderedRows * step.borderedColumns * plan.lanes
    case .winograd(let blocks, let tile):
      blocks.count * step.borderedRows * step.borderedColumns * plan.lanes
        + tile.positions * (blocks.count + 2) * step.taskTiles(tile) * plan.lanes
    case .pointwise(_, let prelude):
      prelude.blockCount * step.borderedRows * step.borderedColumns * prelude.lanes
    case .depthwise(let blocks, _): blocks.count * step.chunk * step.outputColumns * plan.lanes
    case .interleaved(_, let channels): step.borderedRows * step.borderedColumns * channels
    case .picture: step.borderedRows * step.borderedColumns * 3
    }
  }

  /// Writes the offset of every source: for each channel the taps, row by row.
  private mutating func packSources(_ channels: [SourceChannel], _ step: inout ConvolutionStep) {
    step.sources = plan.sources.count
    if case .winograd(_, let tile) = step.source {
      plan.sources += channels.map { $0.block * step.taskTiles(tile) * plan.lanes + $0.lane }
      step.sourceCount = channels.count
      return
    }
    for channel in channels {
      for ky in 0..<step.kernel.height {
        for kx in 0..<step.kernel.width {
          let (row, column) = (ky * step.dilation.height, kx * step.dilation.width)
          let offset: Int
          switch step.source {
          case .blocks, .upsampled:
            // Relative to the block, which the executor adds.
            offset = channel.lane
          case .bordered, .pointwise, .winograd:
            let lanes =
              if case .pointwise(_, let prelude) = step.source { prelude.lanes } else { plan.lanes }
            offset =
              ((channel.block * step.borderedRows + row) * step.borderedColumns + column) * lanes
              + channel.lane
          case .depthwise:
            offset = channel.block * step.chunk * step.outputColumns * plan.lanes + channel.lane
          case .interleaved, .picture:
            offset = (row * step.borderedColumns + column) * channels.count + channel.lane
          }
          plan.sources.append(offset)
        }
      }
    }
    step.sourceCount = plan.sources.count - step.sources
    switch step.source {
    case .blocks(let blocks), .upsampled(let blocks, _, _):
      step.blockOfSource = channels.map { blocks[$0.block] }
    default: break
    }
  }

  /// Packs the weights of one or two output blocks at a time, see `PackedWeights`.
  private mutating func packWeights(
    _ node: Graph.Node, _ convolution: Convolution, of blocks: [Int], from firstChannel: Int = 0,
    _ step: inout ConvolutionStep
  ) {
    var packed = PackedWeights(
      weights: node.weights[0], biases: convolution.hasBias ? node.weights[1] : [],
      channels: convolution.outputChannels, sources: step.sourceCount)
    packed.biasScale = node.scale
    packed.scale = node.scale
    if case .picture = step.source { packed.scale /= 255 }
    if case .winograd(_, let tile) = step.source {
      packed.weights = tile.weights(packed.weights)
      packed.positions = tile.positions
    }
    for first in stride(from: 0, to: blocks.count, by: 2) {
      let group = Array(blocks[first..<min(first + 2, blocks.count)])
      let start = firstChannel + first * step.lanes
      let channels = start..<start + group.count * step.lanes
      let weights = plan.weights.count
      packed.append(weightsOf: channels, to: &plan.weights)
      let bias = plan.weights.count
      plan.weights += packed.biases(of: channels)
      step.outputs.append(
        ConvolutionStep.OutputGroup(blocks: group, weights: weights, bias: bias))
    }
  }

  mutating func lowerDepthwise(_ node: Graph.Node, _ convolution: Convolution) {
    let input = blocked(node.inputs[0])
    let shape = shape(node.outputs[0])
    let output = makeBlob(like: input, rows: shape[1], columns: shape[2])
    let depthwise = Graph.Prelude(
      convolution: convolution, weights: node.weights, activation: node.activation,
      scale: node.scale)
    let step = DepthwiseStep(
      from: input.blocks, to: output.blocks, parameters: packDepthwise(depthwise, input),
      inputRows: input.rows, inputColumns: input.columns, outputColumns: output.columns)
    add(
      node.layer.name, .depthwise(step), tasks: output.rows, reads: step.from, writes: step.to,
      multiplyAdds: product([output.rows, output.columns, convolution.weightCount]))
    define(node.outputs[0], output)
  }

  /// Packs the weights of each block of the input, lane by lane.
  private mutating func packDepthwise(
    _ depthwise: Graph.Prelude, _ input: BlockedBlob
  ) -> DepthwiseParameters {
    let convolution = depthwise.convolution
    plan.zeroCount = max(plan.zeroCount, input.columns * plan.lanes)
    let sides = convolution.border.sides(
      rows: input.rows, columns: input.columns, window: convolution.window,
      stride: convolution.stride)
    var parameters = DepthwiseParameters(
      weights: [], biases: [], kernel: convolution.kernel, stride: convolution.stride,
      dilation: convolution.dilation, padTop: sides.top, padLeft: sides.left,
      activation: depthwise.activation)
    let taps = convolution.kernel.width * convolution.kernel.height
    var starts: [Int: Int] = [:]
    for block in input.blocks {
      starts[block] = plan.weights.count
      parameters.weights.append(plan.weights.count)
      parameters.biases.append(plan.weights.count + taps * plan.lanes)
      plan.weights += [Float](repeating: 0, count: (taps + 1) * plan.lanes)
    }
    for (channel, place) in input.channels.enumerated() {
      guard let start = starts[place.block] else { continue }
      for tap in 0..<taps {
        plan.weights[start + tap * plan.lanes + place.lane] =
          depthwise.weights[0][channel * taps + tap] * depthwise.scale
      }
      if convolution.hasBias {
        plan.weights[start + taps * plan.lanes + place.lane] =
          depthwise.weights[1][channel] * depthwise.scale
      }
    }
    return parameters
  }
}

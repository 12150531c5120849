import Kernels
import NCNN

/// Plans convolutions in int8, see `Graph.runsInBytes`.
extension Planner {
  mutating func lowerByteConvolution(_ node: Graph.Node) {
    guard let convolution = node.convolution, let scales = convolution.quantisation else { return }
    if convolution.operation.isDepthwise { return lowerByteDepthwise(node, convolution) }
    let name = node.inputs[0]
    let whole = node.prelude.convolution?.operation ?? convolution.operation
    let (output, blob) = makeOutput(
      of: convolution, node.outputs[0], Windows(whole, over: shape(name)))
    var step: ByteConvolutionStep
    var channels: [SourceChannel] = []
    if case .depthwise(let before) = node.prelude {
      var depthwise = planDepthwise(before, of: name)
      guard let activation = before.byteActivation(scale: scales.inputScale) else {
        preconditionFailure("the passes fuse only what becomes int8 directly")
      }
      let zero = UInt8(-min(0, Int(activation.smallest)))
      depthwise.output.form = byteForm(activation, zero: zero)
      packFactors(before, &depthwise)
      step = ByteConvolutionStep(
        source: .depthwise(depthwise), windows: depthwise.windows, zero: zero, output: output)
      step.windows.kernel = Extent(width: 1, height: 1)
      step.chunk = depthwise.chunk
      channels = sourceChannels(of: name, scale: before.quantisation?.inputScale)
    } else {
      step = chooseByteSource(of: convolution, name, output)
      if case .picture = step.source {
      } else {
        channels = sourceChannels(of: name, scale: scales.inputScale)
      }
    }
    packByteSources(convolution, channels, &step)
    add(node, step, convolution.operation)
    define(node.outputs[0], blob, step.output, of: convolution)
  }

  /// Chooses where a convolution without a prelude reads from, and how much one task does.
  private mutating func chooseByteSource(
    of convolution: WeightedConvolution, _ name: String, _ output: ByteOutput
  ) -> ByteConvolutionStep {
    let operation = convolution.operation
    let scale = convolution.quantisation?.inputScale ?? 1
    let shape = shape(name)
    if let normalisation, isInput(name), shape[0] == 3,
      operation.dilation == Extent(width: 1, height: 1)
    {
      let (tables, zero) = addTables(of: normalisation, scale: scale)
      var step = ByteConvolutionStep(
        source: .picture(tables: tables), windows: Windows(operation, over: shape), zero: zero,
        output: output)
      step.chunk = step.windows.rowsPerByteTask
      return step
    }
    let (blob, zero) = byteBlob(name, scale: scale)
    let windows = Windows(operation, over: shape)
    guard operation.isPointwise else {
      var step = ByteConvolutionStep(
        source: .bordered(blob.blocks), windows: windows, zero: zero, output: output)
      step.chunk = windows.rowsPerByteTask
      return step
    }
    var step = ByteConvolutionStep(
      source: .blocks(blob.blocks), windows: windows, zero: zero, output: output)
    // Multiples of the widest tile; small enough that a task's input stays in the L1 cache.
    let pixels = max(96, 24576 / max(1, blob.blocks.count * 16) / 96 * 96)
    step.chunk = min(pixels, windows.outputRows * windows.outputColumns)
    return step
  }

  private mutating func add(
    _ node: Graph.Node, _ step: ByteConvolutionStep, _ operation: Convolution
  ) {
    let (rows, columns) = (step.windows.outputRows, step.windows.outputColumns)
    let unit = if case .blocks = step.source { rows * columns } else { rows }
    let tasks = (unit + step.chunk - 1) / step.chunk
    plan.scratchSize = max(plan.scratchSize, (step.scratchBytes + 3) / 4)
    countPreparation(step, tasks: tasks)
    let weightCounts = [
      operation.weightCount, node.prelude.convolution?.operation.weightCount ?? 0,
    ]
    add(
      node.layer.name, .byteConvolution(step), tasks: tasks, reads: step.source.blocks,
      writes: step.output.blocks,
      multiplyAdds: weightCounts.reduce(0) { $0 + product([rows, columns, $1]) },
      shape: [operation.outputChannels, rows, columns])
  }

  /// Plans what computes all values of a reduced output's group at one cell: blocks of 16 channels,
  /// group by group.
  mutating func planByteCell(
    _ convolution: WeightedConvolution, of name: String, width: Int
  ) -> ByteConvolutionStep {
    let scale = convolution.quantisation?.inputScale
    let output = ByteOutput(form: .floats(.none), blocks: [], targets: nil)
    var step = chooseByteSource(of: convolution, name, output)
    // Not the blob's own blocks where it is held in fp32.
    kept.formUnion(step.source.blocks)
    let channels = sourceChannels(of: name, scale: scale)
    for first in stride(from: 0, to: convolution.operation.outputChannels, by: width) {
      packByteSources(convolution.keeping(Array(first..<first + width)), channels, &step)
    }
    return step
  }

  /// Plans a depthwise convolution as a step of its own.
  private mutating func lowerByteDepthwise(
    _ node: Graph.Node, _ convolution: WeightedConvolution
  ) {
    var step = planDepthwise(convolution, of: node.inputs[0])
    // The same channels at the same lanes.
    let input = byteBlob(
      node.inputs[0], scale: convolution.quantisation?.inputScale ?? 1
    ).blob
    let (rows, columns) = (step.windows.outputRows, step.windows.outputColumns)
    let blob: BlockedBlob
    if let form = directForm(of: convolution, node.outputs[0]) {
      blob = makeByteBlob(like: input, rows: rows, columns: columns)
      step.output.form = form
      step.output.blocks = blob.blocks
    } else {
      (blob, step.output.blocks) = makeFloatBlob(like: input, rows: rows, columns: columns)
      step.output.form = .floats(convolution.activation)
    }
    step.output.targets = addTargets(step.output.blocks)
    packFactors(convolution, &step)
    let tasks = (rows + step.chunk - 1) / step.chunk
    plan.scratchSize = max(plan.scratchSize, (step.copyBytes + 3) / 4)
    countPreparation(step, tasks: tasks)
    add(
      node.layer.name, .byteDepthwise(step), tasks: tasks, reads: step.from,
      writes: step.output.blocks,
      multiplyAdds: product([rows, columns, convolution.operation.weightCount]))
    define(node.outputs[0], blob, step.output, of: convolution)
  }

  private mutating func planDepthwise(
    _ convolution: WeightedConvolution, of name: String
  ) -> ByteDepthwiseStep {
    let (blob, zero) = byteBlob(name, scale: convolution.quantisation?.inputScale ?? 1)
    var step = ByteDepthwiseStep(
      from: blob.blocks, places: blob.channels,
      windows: Windows(convolution.operation, over: shape(name)), zero: zero,
      output: ByteOutput(form: .floats(.none), blocks: [], targets: nil))
    step.chunk = step.windows.rowsPerByteTask
    packByteDepthwise(convolution, blob, &step)
    return step
  }

  /// What a convolution writes, and the blob that it makes.
  private mutating func makeOutput(
    of convolution: WeightedConvolution, _ name: String, _ windows: Windows
  ) -> (output: ByteOutput, blob: BlockedBlob) {
    let (rows, columns) = (windows.outputRows, windows.outputColumns)
    let channels = convolution.operation.outputChannels
    // Kernels write whole blocks of 16 channels.
    let rounded = (channels + 15) / 16 * 16
    let form: ByteOutput.Form
    var blob: BlockedBlob
    if let direct = directForm(of: convolution, name) {
      form = direct
      blob = makeByteBlob(channels: rounded, rows: rows, columns: columns)
    } else {
      form = .floats(convolution.activation)
      blob = makeBlob(channels: rounded, rows: rows, columns: columns)
    }
    let blocks = blob.blocks
    blob.channels = Array(blob.channels.prefix(channels))
    return (ByteOutput(form: form, blocks: blocks, targets: addTargets(blocks)), blob)
  }

  /// The form of int8 numbers, if the blob is held in them and the sums become them directly.
  private mutating func directForm(
    of convolution: WeightedConvolution, _ name: String
  ) -> ByteOutput.Form? {
    guard let held = graph.heldBytes[name] else { return nil }
    let activation = convolution.byteActivation(scale: held.scale ?? 1)
    return activation.map { byteForm($0, zero: held.zero) }
  }

  /// Names a convolution's result, which is quantised first if it is to be held in int8 and is not.
  private mutating func define(
    _ name: String, _ blob: BlockedBlob, _ output: ByteOutput, of convolution: WeightedConvolution
  ) {
    guard let held = graph.heldBytes[name], case .floats = output.form else {
      return define(name, blob)
    }
    let scale = held.scale ?? convolution.quantisation?.outputScale ?? 1
    define(name, quantise(blob, name, scale: scale, zero: held.zero))
  }

  private mutating func byteForm(
    _ activation: ByteActivation, zero: UInt8
  ) -> ByteOutput.Form {
    guard let curve = activation.curve else {
      return .bytes(activation, zero: zero)
    }
    plan.byteTables += curve.raised(by: Int(zero) + Int(activation.smallest)).bytes
    return .curve(activation, plan.byteTables.count - ByteCurve.byteCount)
  }

  /// The tables by which a picture's bytes become int8 numbers, and their zero.
  private mutating func addTables(
    of normalisation: Normalisation, scale: Float
  ) -> (tables: [Int], zero: UInt8) {
    let numbers = (0..<3).map { byte in
      (0..<256).map { value in
        Int(int8((Float(value) - normalisation.mean[byte]) / normalisation.divisor, scale: scale))
      }
    }
    let zero = max(0, -(numbers.joined().min() ?? 0))
    let tables = numbers[0] == numbers[1] && numbers[1] == numbers[2] ? [numbers[0]] : numbers
    let first = plan.byteTables.count
    for table in tables { plan.byteTables += table.map { UInt8($0 + zero) } }
    return (tables.indices.map { first + 256 * $0 }, UInt8(zero))
  }
}

extension ByteConvolutionStep {
  /// Bytes of scratch memory that one task's input takes.
  var scratchBytes: Int {
    let rows = windows.borderedRows(chunk)
    switch source {
    case .blocks: return 0
    case .bordered(let blocks): return blocks.count * rows * windows.borderedColumns * 16
    case .depthwise(let depthwise):
      return depthwise.from.count * chunk * windows.outputColumns * 16 + depthwise.copyBytes
    // The last quad may reach three bytes further than the window.
    case .picture: return rows * windows.borderedColumns * 3 + 4
    }
  }
}

extension ByteDepthwiseStep {
  /// Bytes of a task's bordered copy of one block.
  var copyBytes: Int { windows.borderedRows(chunk) * rowBytes }
}

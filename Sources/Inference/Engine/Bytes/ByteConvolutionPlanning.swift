// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// Plans convolutions in int8, see `Graph.runsInBytes`.
extension Planner {
  mutating func lowerByteConvolution(_ node: Graph.Node) throws(InferenceError) {
    guard let convolution = node.convolution, let scales = convolution.quantization else { return }
    if convolution.operation.isDepthwise { return try lowerByteDepthwise(node, convolution) }
    let name = node.inputs[0]
    var outer = convolution.operation
    if case .depthwise(let before) = node.prelude { outer = before.operation }
    let (output, blob) = makeOutput(
      of: convolution, node.outputs[0], WindowGeometry(outer, over: shape(name)))
    if case .depthwise(let before) = node.prelude {
      guard let activation = before.byteActivation(scale: scales.inputScale, graph.curves) else {
        preconditionFailure("the passes fuse only what becomes int8 directly")
      }
      let zero = UInt8(-min(0, Int(activation.smallest)))
      let depthwise = try planDepthwise(
        before, of: name, ByteOutput(form: .bytes(activation, zero: zero)))
      var packed = PackedByteConvolution(windows: depthwise.windows, zero: zero, output: output)
      packed.windows.kernel = .one
      try add(
        node, convolution, DepthwiseFirst(convolution: packed, depthwise: depthwise),
        byteBlob(name, scale: before.quantization?.inputScale ?? 1).blob.sourceChannels)
    } else if let normalization, isInput(name), shape(name)[0] == 3,
      convolution.operation.dilation == .one
    {
      let (tables, zero) = tables(of: normalization, scale: scales.inputScale)
      let packed = PackedByteConvolution(
        windows: WindowGeometry(convolution.operation, over: shape(name)), zero: zero,
        output: output)
      try add(
        node, convolution,
        PictureByteConvolution(
          convolution: packed, tables: tables, copy: BorderedCopy(packed, pixelElements: 3)),
        (0..<3).map { SourceChannel(block: 0, lane: normalization.order.byte(ofPlane: $0)) })
    } else {
      let (input, zero) = byteBlob(name, scale: scales.inputScale)
      let packed = PackedByteConvolution(
        windows: WindowGeometry(convolution.operation, over: shape(name)), zero: zero,
        output: output)
      if convolution.operation.isPointwise {
        let direct = DirectConvolution(packed, input.blocks)
        try add(node, convolution, direct, input.sourceChannels)
      } else {
        let bordered = BorderedConvolution(
          convolution: packed, reads: input.blocks,
          copy: BorderedCopy(packed, pixelElements: 16))
        try add(node, convolution, bordered, input.sourceChannels)
      }
    }
    define(node.outputs[0], blob, output, of: convolution)
  }

  private mutating func add(
    _ node: Graph.Node, _ convolution: WeightedConvolution,
    _ strategy: some ConvolutionStrategy<PackedByteConvolution>, _ channels: [SourceChannel]
  ) throws(InferenceError) {
    var strategy = strategy
    try pack(convolution, channels, [0..<convolution.operation.outputChannels], &strategy)
    addStep(node, convolution, strategy)
  }

  /// Writes the offsets of every quad, and the weights; those of an earlier plan where they are the same.
  private mutating func pack(
    _ convolution: WeightedConvolution, _ channels: [SourceChannel], _ parts: [Range<Int>],
    _ strategy: inout some ConvolutionStrategy<PackedByteConvolution>
  ) throws(InferenceError) {
    let weights = ByteWeights(
      convolution: convolution, channels: channels, tables: strategy.tables,
      zero: strategy.convolution.zero, form: strategy.convolution.output.form, parts: parts,
      arithmetic: byteArithmetic)
    try requireRoom(forWeights: weights.mostBytes / 4)
    let packed = store.packed(weights)
    plan.weightBytes += packed.byteCount
    strategy.convolution.weights = packed
    for group in packed.groups {
      let first = plan.sources.count
      for quad in group.quads {
        addSource(quad.source, row: quad.row, column: quad.column, strategy)
      }
      strategy.convolution.groups.append(
        PackedByteConvolution.OutputGroup(packed: group, sources: first..<plan.sources.count))
    }
  }

  /// Plans what computes all values of a reduced output's group at one cell: blocks of 16 channels,
  /// group by group.
  mutating func planByteCell(
    _ convolution: WeightedConvolution, of name: String, width: Int
  ) throws(InferenceError) -> PackedByteConvolution {
    let (input, zero) = byteBlob(name, scale: convolution.quantization?.inputScale ?? 1)
    // Not the blob's own blocks where it is held in fp32.
    kept.formUnion(input.blocks)
    let packed = PackedByteConvolution(
      windows: WindowGeometry(convolution.operation, over: shape(name)), zero: zero,
      output: ByteOutput(form: .floats(.none)))
    var direct = DirectConvolution(packed, input.blocks)
    let parts = stride(from: 0, to: convolution.operation.outputChannels, by: width).map {
      $0..<$0 + width
    }
    try pack(convolution, input.sourceChannels, parts, &direct)
    return direct.convolution
  }

  /// Plans a depthwise convolution as a step of its own.
  private mutating func lowerByteDepthwise(
    _ node: Graph.Node, _ convolution: WeightedConvolution
  ) throws(InferenceError) {
    let form = form(of: convolution, node.outputs[0])
    let windows = WindowGeometry(convolution.operation, over: shape(node.inputs[0]))
    let (rows, columns) = (windows.outputRows, windows.outputColumns)
    // The same channels at the same lanes.
    let input = byteBlob(node.inputs[0], scale: convolution.quantization?.inputScale ?? 1).blob
    let (blob, blocks): (BlockedBlob, [Int])
    if form.isFloats {
      (blob, blocks) = makeFloatBlob(like: input, rows: rows, columns: columns)
    } else {
      blob = makeBlob(like: input, rows: rows, columns: columns, isBytes: true)
      blocks = blob.blocks
    }
    let output = ByteOutput(form: form, blocks: blocks, targets: addTargets(blocks))
    let depthwise = try planDepthwise(convolution, of: node.inputs[0], output)
    addStep(node, convolution, depthwise)
    define(node.outputs[0], blob, output, of: convolution)
  }

  private mutating func planDepthwise(
    _ convolution: WeightedConvolution, of name: String, _ output: ByteOutput
  ) throws(InferenceError) -> PackedByteDepthwise {
    let (blob, zero) = byteBlob(name, scale: convolution.quantization?.inputScale ?? 1)
    let weights = ByteDepthwiseWeights(
      convolution: convolution, channels: blob.sourceChannels, zero: zero, form: output.form,
      arithmetic: byteArithmetic)
    try requireRoom(forWeights: weights.mostBytes / 4)
    let packed = store.packed(weights)
    plan.weightBytes += packed.byteCount
    return PackedByteDepthwise(
      reads: blob.blocks, windows: WindowGeometry(convolution.operation, over: shape(name)),
      zero: zero,
      packed, output)
  }

  /// What a convolution writes, and the blob that it makes.
  private mutating func makeOutput(
    of convolution: WeightedConvolution, _ name: String, _ windows: WindowGeometry
  ) -> (output: ByteOutput, blob: BlockedBlob) {
    let (rows, columns) = (windows.outputRows, windows.outputColumns)
    let channels = convolution.operation.outputChannels
    // Kernels write whole blocks of 16 channels.
    let rounded = (channels + 15) / 16 * 16
    let form = form(of: convolution, name)
    var blob = makeBlob(channels: rounded, rows: rows, columns: columns, isBytes: !form.isFloats)
    let blocks = blob.blocks
    blob.channels = Array(blob.channels.prefix(channels))
    return (ByteOutput(form: form, blocks: blocks, targets: addTargets(blocks)), blob)
  }

  /// The form of int8 numbers, if the blob is held in them and the sums become them directly; else
  /// floats.
  private func form(of convolution: WeightedConvolution, _ name: String) -> ByteOutput.Form {
    guard let held = graph.heldBytes[name],
      let activation = convolution.byteActivation(scale: held.scale ?? 1, graph.curves)
    else { return .floats(convolution.activation) }
    return .bytes(activation, zero: held.zero)
  }

  /// Names a convolution's result, which is quantised first if it is to be held in int8 and is not.
  private mutating func define(
    _ name: String, _ blob: BlockedBlob, _ output: ByteOutput, of convolution: WeightedConvolution
  ) {
    guard let held = graph.heldBytes[name], output.form.isFloats else {
      return define(name, blob)
    }
    let scale = held.scale ?? convolution.quantization?.outputScale ?? 1
    define(name, quantize(blob, name, scale: scale, zero: held.zero))
  }

  /// The tables by which a picture's bytes become int8 numbers, one after the other, and their zero.
  private func tables(
    of normalization: Normalization, scale: Float
  ) -> (tables: [UInt8], zero: UInt8) {
    let numbers = (0..<3).map { byte in
      (0..<256).map { value in
        Int(
          int8(
            (Float(value) - normalization.mean[byte]) / normalization.divisors[byte], scale: scale))
      }
    }
    let zero = max(0, -(numbers.joined().min() ?? 0))
    let areSame = numbers[0] == numbers[1] && numbers[1] == numbers[2]
    let tables = (areSame ? [numbers[0]] : numbers).joined().map { UInt8($0 + zero) }
    return (tables, UInt8(zero))
  }
}

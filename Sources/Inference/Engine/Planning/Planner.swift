// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// Turns a graph into a plan: blobs become places in blocks, nodes become steps.
struct Planner {
  var plan: Plan
  let graph: Graph
  /// The shape of every blob of the network, split and fused ones included.
  private let shapes: [String: [Int]]
  let store: PlanStore
  /// What the bytes become where the caller's input is a picture of 8-bit RGB; nil where it is a tensor.
  let normalization: Normalization?
  var takesPicture: Bool { normalization != nil }
  /// Whether there is a kernel for blobs of at most half a block's channels.
  let hasHalves: Bool
  let byteArithmetic: ByteArithmetic
  /// Blobs in int8 that were made of blobs in fp32.
  var quantized: [QuantizedBlob: BlockedBlob] = [:]
  /// Places of channels that all blobs list.
  private(set) var placeCount = 0
  /// Entries of all tables of rows and columns.
  var tableEntries = 0
  /// Blocks that are read after the run.
  var kept: Set<Int> = []
  /// Elements that all tasks copy or compute before they convolve, some more than once.
  var preparedElements = 0.0
  /// Steps of all layers without a kernel.
  private(set) var plainWork: Int64 = 0
  let maximumWork: Int64

  init(
    _ graph: Graph, shapes: [String: [Int]], reduced: [Graph.ReducedOutput?] = [],
    kernels: KernelTable, normalization: Normalization? = nil, store: PlanStore = PlanStore(),
    maximumWork: Int64 = RunLimit.defaultWork
  ) throws(InferenceError) {
    plan = Plan(lanes: kernels.lanes)
    plan.zeroCount = 2 * kernels.lanes
    hasHalves = kernels.convolveHalf != nil
    byteArithmetic = kernels.bytes.arithmetic
    self.graph = graph
    self.shapes = shapes
    self.store = store
    self.normalization = normalization
    self.maximumWork = maximumWork
    for node in graph.nodes {
      do throws(InferenceError) {
        let first = plan.steps.count
        try lower(node)
        describe(plan.steps.indices[first...], as: node)
        for name in node.outputs { placeCount += plan.values[name]?.blocked?.channels.count ?? 0 }
        try requireBounds()
      } catch {
        throw error.at(node.layer)
      }
    }
    for output in reduced {
      let planned: Plan.ReducedOutput? = if let output { try planGroups(of: output) } else { nil }
      plan.gated.append(planned)
    }
    for name in graph.wanted {
      if takesPicture && isInput(name) { _ = tensor(name) }
      kept.formUnion(plan.values[name]?.blocked?.blocks ?? [])
    }
    plan.placeBlocks(keeping: kept)
    plan.releaseTensors(keeping: graph.wanted.compactMap { plan.values[$0]?.tensor })
    for (alias, name) in graph.aliases { plan.values[alias] = plan.values[name] }
  }

  /// Names the layers, and if need be the result's shape, in the profile of a node's own steps.
  private mutating func describe(_ steps: Range<Int>, as node: Graph.Node) {
    for index in steps where plan.steps[index].profile.name == node.layer.name {
      plan.steps[index].profile.layers = node.layers
      if plan.steps[index].profile.shape.isEmpty {
        plan.steps[index].profile.shape = StepTime.text(of: shape(node.outputs[0]))
      }
    }
  }

  private mutating func lower(_ node: Graph.Node) throws(InferenceError) {
    switch node.lowering {
    case .input: lowerInput(node)
    case .convolution where graph.runsInKernels(node): try lowerConvolution(node)
    case .convolution where graph.runsInBytes(node): try lowerByteConvolution(node)
    case .deconvolution(let deconvolution) where graph.runsInPhases(node):
      try lowerDeconvolution(node, deconvolution)
    case .rowConvolution where graph.runsAlongRows(node): try lowerRowConvolution(node)
    case .pooling(let pooling):
      if !lowerPooling(node, pooling) { lowerFallback(node) }
    case .resize(let interp) where interp.method != .bicubic && readsBlob(node):
      try lowerInterp(node, interp)
    case .join(let axis) where movesChannels(node): try lowerConcat(node, axis: axis)
    case .cut(let axis) where movesChannels(node): try lowerSlice(node, axis: axis)
    case .shuffle(let shuffle) where movesChannels(node): lowerShuffle(node, shuffle)
    case .identity where movesChannels(node): define(node.outputs[0], blocked(node.inputs[0]))
    case .part(let crop) where readsBlob(node) && graph.isBlockable(node.outputs[0]):
      try lowerCrop(node, crop)
    case .function(let function): lowerFunction(node, function)
    case .rows(let apply): lowerRows(node, apply)
    case .arithmetic(let first, let rest): lowerArithmetic(node, first, rest)
    case .plain, .convolution, .deconvolution, .rowConvolution, .resize, .join, .cut, .part,
      .shuffle, .identity,
      .copies, .reshape, .transpose:
      lowerFallback(node)
    }
  }

  func shape(_ name: String) -> [Int] { plan.values[name]?.shape ?? shapes[name] ?? [] }

  func inputIsBlob(_ node: Graph.Node) -> Bool { node.inputs.count == 1 && readsBlob(node) }

  /// Whether the first input is in blocks, or can be copied to some.
  private func readsBlob(_ node: Graph.Node) -> Bool {
    graph.isBlockable(node.inputs[0]) && !(takesPicture && isInput(node.inputs[0]))
  }

  func isInput(_ name: String) -> Bool { graph.inputs.contains(name) }

  /// New blocks for a number of channels, lane by lane.
  mutating func makeBlob(
    channels: Int, rows: Int, columns: Int, isBytes: Bool = false
  ) -> BlockedBlob {
    let first = plan.blockSizes.count
    let lanes = isBytes ? UInt8.lanes(plan) : plan.lanes
    for _ in 0..<(channels + lanes - 1) / lanes { addBlock(rows * columns, isBytes: isBytes) }
    let places = (0..<channels).map {
      BlockedBlob.Place(block: first + $0 / lanes, lane: $0 % lanes)
    }
    return BlockedBlob(rows: rows, columns: columns, channels: places)
  }

  /// New blocks that take over the lanes of others: the same channels at the same lanes.
  mutating func makeBlob(
    like blob: BlockedBlob, rows: Int, columns: Int, isBytes: Bool = false
  ) -> BlockedBlob {
    var renamed: [Int: Int] = [:]
    for block in blob.blocks {
      renamed[block] = plan.blockSizes.count
      addBlock(rows * columns, isBytes: isBytes)
    }
    var copy = blob
    copy.rows = rows
    copy.columns = columns
    for index in copy.channels.indices {
      copy.channels[index].block = renamed[copy.channels[index].block] ?? 0
    }
    return copy
  }

  /// Adds a block of pixels of L floats, or of 16 bytes.
  private mutating func addBlock(_ pixels: Int, isBytes: Bool) {
    plan.blockSizes.append(
      pixels * (isBytes ? UInt8.lanes(plan) / MemoryLayout<Float>.size : plan.lanes))
  }

  mutating func define(_ name: String, _ blob: BlockedBlob, shape: [Int]? = nil) {
    plan.values[name] = Plan.Value(
      shape: shape ?? [blob.channels.count, blob.rows, blob.columns], blocked: blob)
  }

  mutating func makeTensor(_ shape: [Int]) -> Int {
    plan.tensorShapes.append(shape)
    return plan.tensorShapes.count - 1
  }

  /// The blob in blocks, one of one axis as C × 1 × 1; a tensor is packed first.
  mutating func blocked(_ name: String) -> BlockedBlob {
    if let blob = plan.values[name]?.blocked { return blob }
    let blob = copied(name)
    plan.values[name]?.blocked = blob
    return blob
  }

  /// The blob as a tensor; blocks are unpacked first.
  mutating func tensor(_ name: String) -> Int {
    if let tensor = plan.values[name]?.tensor { return tensor }
    let tensor = makeTensor(shape(name))
    if let normalization, isInput(name) {
      add(
        "picture \(name)", PictureStep(normalization: normalization, tensor: tensor),
        shape: shape(name))
    } else if let blob = plan.values[name]?.blocked {
      add("unpack \(name)", UnpackStep(blob: blob, tensor: tensor), shape: shape(name))
    }
    plan.values[name]?.tensor = tensor
    return tensor
  }

  /// A copy of the blob in blocks of its own; one of two axes as C × 1 × W.
  mutating func copied(_ name: String) -> BlockedBlob {
    let shape = shape(name)
    let tensor = tensor(name)
    let rows = shape.count == 3 ? shape[1] : 1
    let columns = shape.count > 1 ? shape[shape.count - 1] : 1
    let blob = makeBlob(channels: shape[0], rows: rows, columns: columns)
    add("pack \(name)", PackStep(tensor: tensor, blob: blob), shape: shape)
    return blob
  }

  /// Adds a step; without a shape of its own, that of the node's first output.
  mutating func add(
    _ name: String, _ step: some StepKind, multiplyAdds: Int64 = 0, shape: [Int] = []
  ) {
    // A block that is listed twice counts once on either side.
    let moved = [step.reads, step.writes].reduce(0) { sum, blocks in
      Set(blocks).reduce(sum) { $0 + plan.blockSizes[$1] }
    }
    let profile = StepTime(
      name: name, layers: [], multiplyAdds: multiplyAdds,
      bytes: moved * MemoryLayout<Float>.size + step.outerBytes(plan), kind: step.kind,
      shape: StepTime.text(of: shape), time: .zero)
    plan.steps.append(
      Plan.Step(
        profile: profile, taskCount: step.taskCount, reads: step.reads, writes: step.writes,
        tensorReads: step.tensorReads, tensorWrites: step.tensorWrites
      ) { executor, task, scratch in step.run(executor, task: task, scratch: scratch) })
  }

  private mutating func lowerInput(_ node: Graph.Node) {
    for name in node.outputs where shapes[name] != nil {
      plan.values[name] = Plan.Value(shape: shape(name))
      if !takesPicture {
        let tensor = makeTensor(shape(name))
        plan.inputTensors[name] = tensor
        plan.values[name]?.tensor = tensor
      }
    }
  }

  private mutating func lowerFunction(_ node: Graph.Node, _ function: Lowering.Function) {
    guard inputIsBlob(node) else {
      return lowerRows(node) { inputs, shapes, arithmetic in
        var values = inputs[0].values
        arithmetic.map(function, &values)
        return [Tensor(shapes[0], values)]
      }
    }
    let input = blocked(node.inputs[0])
    let output = makeBlob(like: input, rows: input.rows, columns: input.columns)
    add(
      node.layer.name,
      ActivationStep(
        reads: input.blocks, writes: output.blocks, activation: VectorActivation(function),
        pixels: input.rows * input.columns))
    define(node.outputs[0], output)
  }

  /// Plans a step that runs the interpreter's layer on tensors.
  mutating func lowerFallback(_ node: Graph.Node) {
    let readsInt8 = node.inputs.contains(where: graph.int8Blobs.contains)
    let layer = node.layer.operation.arithmetic(readsInt8: readsInt8)
    let weights = node.weights
    addLayer(node, layer, kind: "plain layer") { (inputs, shapes, _) throws(InferenceError) in
      try layer.apply(inputs, weights: weights, shapes: shapes)
    }
  }

  /// Plans a step that runs a layer on tensors with the kernels' arithmetic on rows.
  private mutating func lowerRows(_ node: Graph.Node, _ apply: @escaping Lowering.Rows) {
    let products = MatrixProducts(node.weights)
    plan.weightBytes += products.keptBytes
    // Operands are copied, packed ones filled up to whole vectors, and sums begin with biases.
    let copies = (node.inputs + node.outputs).reduce(Int64(2 * products.passingElements)) {
      $0 + 2 * product(shape($1))
    }
    addLayer(node, node.layer.operation.kind, kind: "row arithmetic", copies: copies) {
      (inputs, shapes, kernels) throws(InferenceError) in
      try apply(inputs, shapes, products.arithmetic(by: kernels))
    }
  }

  /// Adds a step of a layer on tensors, whose cost is counted.
  private mutating func addLayer(
    _ node: Graph.Node, _ layer: any AnyLayerKind, kind: String, copies: Int64 = 0,
    _ apply: @escaping LayerStep.Function
  ) {
    let inputs = node.inputs.map { tensor($0) }
    let cost = layer.cost(inputs: node.inputs.map(shape), outputs: node.outputs.map(shape))
    plainWork += cost.steps
    plan.plainScratchSize = max(plan.plainScratchSize, Int(clamping: cost.scratchElements + copies))
    let outputs = node.outputs.map { name in
      let tensor = makeTensor(shape(name))
      plan.values[name] = Plan.Value(shape: shape(name), tensor: tensor)
      return tensor
    }
    let weights = node.weights.reduce(0) { $0 + $1.count }
    add(
      node.layer.name,
      LayerStep(
        kind: kind, inputs: inputs, outputs: outputs,
        weightBytes: weights * MemoryLayout<Float>.size, apply: apply))
  }
}

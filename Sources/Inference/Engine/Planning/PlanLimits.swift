import Kernels
import NCNN

/// The overhead of handling a row, as a number of elements.
private let rowCost = 64

/// What a plan may ask for before it is refused: a model file of a few lines can ask for any number
/// of blocks, and its weights grow when they are packed.
extension Planner {
  /// Refuses a node whose packed weights exceed what `Plan.requireBounds` allows, or whose tables
  /// of rows and columns grow too long, before any memory is allocated for them.
  mutating func requireRoom(for node: Graph.Node) throws(InferenceError) {
    let isUpsampled = if case .upsampled = node.prelude { true } else { false }
    if isUpsampled || node.layer.operation.takesTables {
      tableEntries += shape(node.outputs[0]).dropFirst().reduce(0, +)
    }
    try requireShortTables()
    let convolutions = [node.convolution, node.prelude.convolution].compactMap { $0 }
    try requireRoom(
      forWeights: convolutions.reduce(0) { $0 + packedWeights($1, of: node) })
  }

  /// The most rows and columns in a plan's tables.
  static let mostTableEntries = 1 << 21

  private func requireShortTables() throws(InferenceError) {
    guard tableEntries <= Self.mostTableEntries else {
      throw InferenceError(
        .limit, found: "\(tableEntries) rows and columns in tables", expected: "at most 2²¹")
    }
  }

  /// Refuses packed weights that would exceed what a plan may have.
  func requireRoom(forWeights count: Int) throws(InferenceError) {
    let packed = plan.weights.count + plan.byteWeights.count / 4 + count
    guard 2 * packed <= Plan.maximumElements else {
      throw InferenceError(.limit, found: "\(packed) packed weights", expected: "at most 2²⁷")
    }
  }

  /// Counts what all tasks of a convolution prepare: where windows are much taller than a task's
  /// rows, tasks prepare the same rows again and again.
  mutating func countPreparation(_ step: ConvolutionStep, tasks: Int) {
    let elements: Int
    switch step.source {
    case .bordered(let blocks), .winograd(let blocks, _):
      elements = blocks.count * (step.borderedColumns * plan.lanes + rowCost)
    case .pointwise(_, let prelude):
      elements =
        prelude.blockCount
        * (step.borderedColumns * prelude.lanes * prelude.sourceCount + rowCost)
    case .interleaved, .picture: elements = step.borderedColumns * 4 + rowCost
    case .blocks, .upsampled, .depthwise: return
    }
    preparedElements += Double(tasks) * Double(step.borderedRows) * Double(elements)
  }

  /// Counts what all tasks of a convolution in int8 prepare.
  mutating func countPreparation(_ step: ByteConvolutionStep, tasks: Int) {
    let blocks: Int
    switch step.source {
    case .blocks: return
    case .bordered(let list): blocks = list.count
    case .picture: blocks = 1
    case .depthwise(let depthwise): return countPreparation(depthwise, tasks: tasks)
    }
    let rows = step.windows.borderedRows(step.chunk)
    let elements = blocks * (step.windows.borderedColumns * 16 + rowCost)
    preparedElements += Double(tasks) * Double(rows) * Double(elements)
  }

  /// Counts what all tasks of a depthwise convolution in int8 prepare.
  mutating func countPreparation(_ step: ByteDepthwiseStep, tasks: Int) {
    let elements = step.from.count * (step.rowBytes + rowCost)
    preparedElements +=
      Double(tasks) * Double(step.windows.borderedRows(step.chunk)) * Double(elements)
  }

  /// Refuses a plan whose lists have become too long, or whose tasks prepare too much.
  func requireBounds() throws(InferenceError) {
    try requireShortTables()
    guard preparedElements <= Double(Engine.maximumWork) else {
      throw InferenceError(
        .limit, found: "\(preparedElements) elements copied for windows",
        expected: "at most \(Engine.maximumWork)")
    }
    // Placing blocks takes time quadratic in their number.
    guard plan.blockSizes.count <= 1 << 14 else {
      throw InferenceError(
        .limit, found: "more than 2¹⁴ blocks of channels", expected: "at most 2¹⁴")
    }
    guard placeCount <= 1 << 22 else {
      throw InferenceError(
        .limit, found: "\(placeCount) channels in blobs", expected: "at most 2²²")
    }
  }

  /// Elements of a convolution's packed weights; four bytes are one.
  func packedWeights(_ weighted: WeightedConvolution, of node: Graph.Node) -> Int {
    let convolution = weighted.operation
    let passes = addsInSixteenBits ? 2 : 1
    if convolution.isDepthwise, weighted.quantisation != nil {
      // At most 128 bytes for four columns of a block, see `ByteDepthwiseStep.weightBytes`.
      let lanes = graph.heldBytes[node.inputs[0]] == nil ? plan.lanes : 16
      let blob = plan.values[node.inputs[0]]?.blocked
      let channels = blob.map { $0.blocks.count * lanes } ?? convolution.inputChannels
      let groups = convolution.kernel.height * ((convolution.kernel.width + 3) / 4)
      return (channels + 15) / 16 * groups * 32 * passes
    }
    if convolution.isDepthwise {
      let blob = plan.values[node.inputs[0]]?.blocked
      let blocks = blob.map { $0.blocks.count } ?? roundedUp(convolution.inputChannels) / plan.lanes
      return blocks * plan.lanes * (convolution.kernel.width * convolution.kernel.height + 1)
    }
    if weighted.quantisation != nil {
      let taps = convolution.kernel.width * convolution.kernel.height
      let terms = quadCount(of: convolution, node.inputs[0]) * taps * passes
      return terms * 16 * ((convolution.outputChannels + 15) / 16)
    }
    let weights =
      roundedUp(convolution.outputChannels) * (convolution.inputChannels / convolution.group)
      * convolution.kernel.width * convolution.kernel.height
    guard convolution.suitsWinograd else { return weights }
    return weights / 9 * WinogradTile(stride: convolution.stride.width).positions
  }

  /// The number of quads, four neighbouring lanes, in which int8 kernels find a blob's channels.
  private func quadCount(of convolution: Convolution, _ name: String) -> Int {
    guard let blob = plan.values[name]?.blocked else { return (convolution.inputChannels + 3) / 4 }
    return Set(blob.channels.map { SourceChannel(block: $0.block, lane: $0.lane / 4) }).count
  }

  /// A number of channels, the unused lanes of the last block included.
  private func roundedUp(_ channels: Int) -> Int {
    (channels + plan.lanes - 1) / plan.lanes * plan.lanes
  }
}

extension Operation {
  /// Whether its step has tables of rows and columns.
  fileprivate var takesTables: Bool {
    switch self {
    case .interp, .crop: true
    default: false
    }
  }
}

extension Plan {
  /// 1 GiB.
  static let maximumElements = 1 << 28

  /// Refuses a plan that would take more than 2²⁸ elements, 1 GiB, in all.
  func requireBounds(threads: Int) throws(InferenceError) {
    let tensors = tensorShapes.reduce(0) { $0 + $1.reduce(1, *) }
    let elements =
      arenaSize + tensors + scratchSize * threads + plainScratchSize
      + 2 * (weights.count + byteWeights.count / 4 + sources.count) + zeroCount
    guard elements <= Self.maximumElements else {
      throw InferenceError(
        .limit, found: "\(elements) elements in blobs and weights", expected: "at most 2²⁸")
    }
  }
}

import Kernels
import NCNN

/// Plans blobs in blocks of bytes, and what quantises others into them.
extension Planner {
  /// A blob in blocks of bytes, and its zero; one that is held in fp32 is quantised first.
  mutating func byteBlob(_ name: String, scale: Float) -> (blob: BlockedBlob, zero: UInt8) {
    if let form = graph.heldBytes[name] { return (blocked(name), form.zero) }
    let key = QuantisedBlob(name: name, scale: scale)
    let blob = quantised[key] ?? quantise(blocked(name), name, scale: scale, zero: 127)
    quantised[key] = blob
    return (blob, 127)
  }

  /// Plans the quantisation of a blob in fp32; the result keeps its order of lanes.
  mutating func quantise(
    _ input: BlockedBlob, _ name: String, scale: Float, zero: UInt8
  ) -> BlockedBlob {
    let parts = 16 / plan.lanes
    let blocks = input.blocks
    let count = (blocks.count + parts - 1) / parts
    let whole = makeByteBlob(channels: 16 * count, rows: input.rows, columns: input.columns)
    var blob = whole
    let positions = input.positions
    blob.channels = input.channels.map { place in
      whole.channels[(positions[place.block] ?? 0) * plan.lanes + place.lane]
    }
    // The last block's missing parts are read from its last one.
    let padded = (0..<count * parts).map { blocks[min($0, blocks.count - 1)] }
    add(
      "quantise \(name)",
      QuantiseStep(
        reads: blocks, writes: whole.blocks, targets: addTargets(padded), scale: scale, zero: zero,
        pixels: input.rows * input.columns))
    return blob
  }

  /// New blocks of bytes for a number of channels, lane by lane.
  mutating func makeByteBlob(channels: Int, rows: Int, columns: Int) -> BlockedBlob {
    let first = plan.blockSizes.count
    for _ in 0..<(channels + 15) / 16 { plan.blockSizes.append(rows * columns * 4) }
    let places = (0..<channels).map { BlockedBlob.Place(block: first + $0 / 16, lane: $0 % 16) }
    return BlockedBlob(rows: rows, columns: columns, channels: places)
  }

  /// New blocks of bytes that take over the lanes of others.
  mutating func makeByteBlob(like blob: BlockedBlob, rows: Int, columns: Int) -> BlockedBlob {
    makeBlob(like: blob, rows: rows, columns: columns, pixelElements: 4)
  }

  /// fp32 blocks for the channels of byte blocks, 16 / L for each, and a blob of the same channels.
  mutating func makeFloatBlob(
    like blob: BlockedBlob, rows: Int, columns: Int
  ) -> (blob: BlockedBlob, blocks: [Int]) {
    let blocks = blob.blocks
    let whole = makeBlob(channels: 16 * blocks.count, rows: rows, columns: columns)
    let positions = blob.positions
    var copy = whole
    copy.channels = blob.channels.map { whole.channels[16 * (positions[$0.block] ?? 0) + $0.lane] }
    return (copy, whole.blocks)
  }

  /// Keeps the blocks' numbers, which become offsets in bytes.
  mutating func addTargets(_ blocks: [Int]) -> Int {
    plan.targets += blocks
    return plan.targets.count - blocks.count
  }
}

/// A blob in fp32 and the scale with which a reader quantises it.
struct QuantisedBlob: Hashable {
  var name: String
  var scale: Float
}

/// A blob of fp32 blocks to hold in int8; a task is a block.
struct QuantiseStep: StepKind {
  let reads: [Int]
  let writes: [Int]
  /// Where the offsets of the fp32 blocks begin in the plan's targets, 16 / L for each block of 16
  /// channels.
  let targets: Int
  let scale: Float
  let zero: UInt8
  let pixels: Int

  var kind: String { "quantise" }

  var taskCount: Int { writes.count }

  func outerBytes(_ plan: Plan) -> Int { 0 }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let offsets = executor.targets.start + targets + task * (16 / executor.plan.lanes)
    executor.kernels.bytes.quantise(
      (UnsafeRawPointer(executor.arena.start), UnsafePointer(offsets)), scale, zero, pixels,
      executor.byteAddress(writes[task]))
  }
}

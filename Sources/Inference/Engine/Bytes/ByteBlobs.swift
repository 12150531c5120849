// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// Plans blobs in blocks of bytes, and what quantises others into them.
extension Planner {
  /// A blob in blocks of bytes, and its zero; one that is held in fp32 is quantised first.
  mutating func byteBlob(_ name: String, scale: Float) -> (blob: BlockedBlob, zero: UInt8) {
    if let form = graph.heldBytes[name] { return (blocked(name), form.zero) }
    let key = QuantizedBlob(name: name, scale: scale)
    let blob = quantized[key] ?? quantize(blocked(name), name, scale: scale, zero: 127)
    quantized[key] = blob
    return (blob, 127)
  }

  /// Plans the quantisation of a blob in fp32; the result keeps its order of lanes.
  mutating func quantize(
    _ input: BlockedBlob, _ name: String, scale: Float, zero: UInt8
  ) -> BlockedBlob {
    let parts = 16 / plan.lanes
    let blocks = input.blocks
    let count = (blocks.count + parts - 1) / parts
    let whole = makeBlob(
      channels: 16 * count, rows: input.rows, columns: input.columns, isBytes: true)
    var blob = whole
    blob.channels = input.sourceChannels.map { whole.channels[$0.block * plan.lanes + $0.lane] }
    // The last block's missing parts are read from its last one.
    let padded = (0..<count * parts).map { blocks[min($0, blocks.count - 1)] }
    add(
      "quantise \(name)",
      QuantizeStep(
        reads: blocks, writes: whole.blocks, targets: addTargets(padded), scale: scale, zero: zero,
        pixels: input.rows * input.columns))
    return blob
  }

  /// fp32 blocks for the channels of byte blocks, 16 / L for each, and a blob of the same channels.
  mutating func makeFloatBlob(
    like blob: BlockedBlob, rows: Int, columns: Int
  ) -> (blob: BlockedBlob, blocks: [Int]) {
    let whole = makeBlob(channels: 16 * blob.blocks.count, rows: rows, columns: columns)
    var copy = whole
    copy.channels = blob.sourceChannels.map { whole.channels[16 * $0.block + $0.lane] }
    return (copy, whole.blocks)
  }

  /// Lists blocks whose offsets, in bytes, kernels are given.
  ///
  /// - Returns: where they begin in the plan's list.
  mutating func addTargets(_ blocks: [Int]) -> Int {
    plan.targets += blocks
    return plan.targets.count - blocks.count
  }
}

/// A blob in fp32 and the scale with which a reader quantises it.
struct QuantizedBlob: Hashable {
  var name: String
  var scale: Float
}

/// A blob of fp32 blocks to hold in int8; a task is a block.
struct QuantizeStep: StepKind {
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

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let offsets = executor.targets.start + targets + task * (16 / executor.plan.lanes)
    executor.kernels.bytes.quantize(
      (UnsafeRawPointer(executor.arena.start), UnsafePointer(offsets)), scale, zero, pixels,
      executor.address(writes[task]).bytes)
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// A convolution in int8 as the kernels run it.
struct PackedByteConvolution: KernelConvolution {
  /// One or two blocks of the output, and the sources' offsets in the plan.
  struct OutputGroup {
    var packed: PackedByteWeights.Group
    var sources: Range<Int>
  }

  var windows: WindowGeometry
  var zero: UInt8
  var groups: [OutputGroup] = []
  var weights: PackedByteWeights?
  var output: ByteOutput

  var blocks: [Int] { output.blocks }
  var weightBytes: Int { weights?.byteCount ?? 0 }
  static var name: String { "int8" }
  static var taskPixels: Int { 384 }

  func cachedPixels(ofBlocks count: Int) -> Int { max(96, 24576 / max(1, count * 16) / 96 * 96) }

  func run(
    _ executor: Executor, input: UnsafePointer<UInt8>, step: Int, firstPixel: Int, pixels: Int
  ) {
    let lanes = executor.plan.lanes
    let blocks = output.blocksPerSixteen(lanes: lanes)
    let start = executor.arena.start.bytes + firstPixel * output.bytesPerPixel(lanes: lanes)
    var offsets = UnsafePointer(executor.targets.start + (output.targets ?? 0))
    var position = 0
    for group in groups {
      run(executor, group, input: input, step: step, to: start, offsets, pixels: pixels)
      let count = group.packed.blocks * blocks
      output.activate(executor, position..<position + count, firstPixel: firstPixel, pixels: pixels)
      offsets += count
      position += count
    }
  }

  /// Runs one or two output blocks over neighbouring pixels.
  private func run(
    _ executor: Executor, _ group: OutputGroup, input: UnsafePointer<UInt8>, step: Int,
    to start: UnsafeMutableRawPointer, _ offsets: UnsafePointer<Int>, pixels: Int
  ) {
    guard let weights else { return }
    let run = ByteConvolutionRun(
      input: input, sources: executor.sources(group.sources),
      pairedCount: group.packed.pairedCount, step: step,
      weights: weights.weights.start + group.packed.weights,
      bias: weights.factors.biases.start + group.packed.biases,
      target: output.target(start, offsets, weights.factors, from: group.packed.factors),
      pixels: pixels)
    if group.packed.blocks == 2 {
      executor.kernels.bytes.convolvePair?(run)
    } else {
      executor.kernels.bytes.convolveSingle(run)
    }
  }

  /// Computes some groups of output blocks in fp32 at one cell, block after block.
  func compute(
    _ executor: Executor, _ groups: ArraySlice<OutputGroup>, cell: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let lanes = executor.plan.lanes
    // Blocks of a pixel follow each other.
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 32 / lanes) { offsets in
      for index in offsets.indices {
        offsets.initializeElement(at: index, to: index * lanes * MemoryLayout<Float>.size)
      }
      guard let first = offsets.baseAddress else { return }
      var output = output
      for group in groups {
        run(
          executor, group, input: executor.arena.start.bytes + cell * 16, step: 16,
          to: UnsafeMutableRawPointer(output), UnsafePointer(first), pixels: 1)
        output += 16 * group.packed.blocks
      }
    }
  }
}

/// A convolution of the caller's picture, 8-bit RGB, which is copied with a border and replaced by the
/// entries of three tables, one for each byte of a pixel; one where they are the same.
struct PictureByteConvolution: BorderedStrategy {
  var convolution: PackedByteConvolution
  let tables: [UInt8]?
  let copy: BorderedCopy

  var kind: String { "int8 first convolution" }

  var reads: [Int] { [] }

  func outerBytes(_ plan: Plan) -> Int {
    convolution.weightBytes + 3 * convolution.windows.inputPixels
  }

  /// The last quad may reach three bytes further than the window.
  var scratchSize: Int { copy.blockElements + 4 }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    guard let picture = executor.picture, let tables = convolution.weights?.tables else { return }
    let windows = convolution.windows
    let rows = rows(ofTask: task)
    let count = copy.copiedColumns * 3
    copy.forEachRow(
      windows.borderedRows(rows.count), firstRow: rows.lowerBound, in: scratch.bytes,
      border: convolution.zero
    ) { inner, inputRow in
      let bytes = picture + inputRow * windows.inputColumns * 3
      if tables.count == 256 {
        executor.kernels.bytes.lookUp(bytes, count, tables.start, inner)
      } else {
        for index in 0..<count {
          inner[index] = tables.start[256 * (index % 3) + Int(bytes[index])]
        }
      }
    }
    convolve(executor, rows, from: scratch.bytes)
  }
}

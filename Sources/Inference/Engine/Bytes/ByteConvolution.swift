import Kernels
import NCNN

/// A convolution in int8 as the kernels run it, wherever they read its input from.
struct PackedByteConvolution {
  /// One or two blocks of the output, and the sources' offsets in the plan.
  struct OutputGroup {
    var packed: PackedByteWeights.Group
    var sources: Range<Int>
  }

  var windows: Windows
  /// The number of the input that stands for 0, also in the border.
  var zero: UInt8
  var groups: [OutputGroup] = []
  var weights: PackedByteWeights?
  var output: ByteOutput

  var weightBytes: Int { weights?.byteCount ?? 0 }

  /// Runs all output blocks over neighbouring pixels.
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
      output.activate(
        executor, position..<position + count, firstPixel: firstPixel, pixels: pixels)
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
      target: output.target(
        start, offsets, factors: weights.factors.factors.start + group.packed.factors),
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

  /// Computes output rows from a bordered copy that begins with the rows under them.
  func run(
    _ executor: Executor, _ rows: Range<Int>, from copy: BorderedCopy,
    at scratch: UnsafePointer<UInt8>
  ) {
    for row in rows {
      run(
        executor,
        input: scratch + (row - rows.lowerBound) * windows.stride.height * copy.rowElements,
        step: copy.pixelElements * windows.stride.width, firstPixel: row * windows.outputColumns,
        pixels: windows.outputColumns)
    }
  }
}

/// A way to convolve in int8: where the kernels read their input, and what a task does to put it there.
protocol ByteConvolutionStrategy: StepKind {
  var convolution: PackedByteConvolution { get set }
  /// Where the kernels find a quad, relative to where they read a pixel.
  func offset(of place: QuadTerm.Place) -> Int
  /// The blocks of the arena to which offsets are relative, by position; nil where the kernels read
  /// scratch memory.
  var sourceBlocks: [Int]? { get }
  /// Whether the input is a picture, whose pixels follow each other.
  var readsPicture: Bool { get }
  /// Bytes of scratch memory that a task takes.
  var scratchBytes: Int { get }
  /// Bytes that a task copies before it convolves, some of them as others do.
  var preparedBytes: Int { get }
}

extension ByteConvolutionStrategy {
  var writes: [Int] { convolution.output.blocks }

  func outerBytes(_ plan: Plan) -> Int { convolution.weightBytes }

  var sourceBlocks: [Int]? { nil }

  var readsPicture: Bool { false }
}

extension Windows {
  /// Enough rows that a task of int8 has at least 384 pixels, and no fewer than four; but at most an
  /// eighth of all rows.
  var rowsPerByteTask: Int {
    max(1, min(max(4, (383 + outputColumns) / outputColumns), (outputRows + 7) / 8))
  }
}

/// A 1 × 1 convolution of stride 1: the kernels read the blocks of a blob, pixel by pixel.
struct DirectByteConvolution: ByteConvolutionStrategy {
  var convolution: PackedByteConvolution
  /// The blocks of the input.
  let reads: [Int]
  /// Output pixels of a task: multiples of the widest tile, and so few that a task's input stays in the
  /// L1 cache.
  let chunk: Int

  init(_ convolution: PackedByteConvolution, _ blocks: [Int]) {
    self.convolution = convolution
    reads = blocks
    let pixels = max(96, 24576 / max(1, blocks.count * 16) / 96 * 96)
    chunk = min(pixels, convolution.windows.outputPixels)
  }

  var kind: String { "int8 1x1" }

  var taskCount: Int { (convolution.windows.outputPixels + chunk - 1) / chunk }

  var sourceBlocks: [Int]? { reads }

  func offset(of place: QuadTerm.Place) -> Int { place.source.lane }

  var scratchBytes: Int { 0 }

  var preparedBytes: Int { 0 }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let first = task * chunk
    convolution.run(
      executor, input: executor.arena.start.bytes + first * 16, step: 16, firstPixel: first,
      pixels: min(chunk, convolution.windows.outputPixels - first))
  }
}

/// A convolution of a copy with a border, in scratch memory.
struct BorderedByteConvolution: ByteConvolutionStrategy {
  var convolution: PackedByteConvolution
  /// The blocks of the input.
  let reads: [Int]
  let copy: BorderedCopy
  /// Output rows of a task.
  let chunk: Int

  init(_ convolution: PackedByteConvolution, _ blocks: [Int]) {
    self.convolution = convolution
    reads = blocks
    chunk = convolution.windows.rowsPerByteTask
    copy = BorderedCopy(convolution.windows, outputRows: chunk, pixelElements: 16)
  }

  var kind: String { "int8 \(convolution.windows.kernelText)" }

  var taskCount: Int { (convolution.windows.outputRows + chunk - 1) / chunk }

  func offset(of place: QuadTerm.Place) -> Int {
    copy.offset(of: place.source, row: place.row, column: place.column)
  }

  var scratchBytes: Int { reads.count * copy.blockElements }

  var preparedBytes: Int { copy.preparedElements(blocks: reads.count) }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let scratch = scratch.bytes
    let rows = convolution.windows.rows(ofTask: task, chunk: chunk)
    for (position, block) in reads.enumerated() {
      copy.copy(
        block, convolution.windows.borderedRows(rows.count), firstRow: rows.lowerBound,
        zero: convolution.zero, executor, to: scratch + position * copy.blockElements)
    }
    convolution.run(executor, rows, from: copy, at: scratch)
  }
}

/// A convolution of the caller's picture, 8-bit RGB, which is copied with a border and replaced by the
/// entries of three tables, one for each byte of a pixel; one where they are the same.
struct PictureByteConvolution: ByteConvolutionStrategy {
  var convolution: PackedByteConvolution
  let tables: AlignedBuffer<UInt8>
  let copy: BorderedCopy
  /// Output rows of a task.
  let chunk: Int

  init(_ convolution: PackedByteConvolution, tables: AlignedBuffer<UInt8>) {
    self.convolution = convolution
    self.tables = tables
    chunk = convolution.windows.rowsPerByteTask
    copy = BorderedCopy(convolution.windows, outputRows: chunk, pixelElements: 3)
  }

  var kind: String { "int8 first convolution" }

  var reads: [Int] { [] }

  var taskCount: Int { (convolution.windows.outputRows + chunk - 1) / chunk }

  func outerBytes(_ plan: Plan) -> Int {
    convolution.weightBytes + 3 * convolution.windows.inputPixels
  }

  var readsPicture: Bool { true }

  func offset(of place: QuadTerm.Place) -> Int {
    copy.offset(of: place.source, row: place.row, column: place.column)
  }

  /// The last quad may reach three bytes further than the window.
  var scratchBytes: Int { copy.blockElements + 4 }

  var preparedBytes: Int { copy.preparedElements(blocks: 1) }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    guard let picture = executor.picture else { return }
    let windows = convolution.windows
    let rows = windows.rows(ofTask: task, chunk: chunk)
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
    convolution.run(executor, rows, from: copy, at: scratch.bytes)
  }
}

extension BorderedCopy {
  /// Copies the first rows of a block of bytes of the arena.
  func copy(
    _ block: Int, _ rows: Int, firstRow: Int, zero: UInt8, _ executor: Executor,
    to scratch: UnsafeMutablePointer<UInt8>
  ) {
    let input = executor.byteAddress(block)
    forEachRow(rows, firstRow: firstRow, in: scratch, border: zero) {
      $0.update(
        from: input + $1 * windows.inputColumns * pixelElements,
        count: copiedColumns * pixelElements)
    }
  }
}

extension UnsafeMutablePointer<Float> {
  /// The memory as bytes.
  var bytes: UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: UInt8.self)
  }
}

import Kernels
import NCNN

extension AlignedBuffer<Float> {
  /// The memory as bytes.
  var bytes: UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(start).assumingMemoryBound(to: UInt8.self)
  }
}

/// Steps in int8.
extension Executor {
  /// Computes one task of a convolution.
  func convolve(
    _ step: ByteConvolutionStep, task: Int, scratch: UnsafeMutablePointer<UInt8>
  ) {
    let windows = step.windows
    let first = task * step.chunk
    let rows = min(step.chunk, windows.outputRows - first)
    let pixelBytes: Int
    switch step.source {
    case .blocks:
      let pixels = min(step.chunk, windows.outputRows * windows.outputColumns - first)
      return convolve(
        step, input: arena.bytes + first * 16, step: 16, firstPixel: first, pixels: pixels)
    case .depthwise(let depthwise):
      let copy = scratch + depthwise.from.count * step.chunk * windows.outputColumns * 16
      computeDepthwise(depthwise, firstRow: first, rows: rows, copy: copy, to: scratch)
      return convolve(
        step, input: scratch, step: 16, firstPixel: first * windows.outputColumns,
        pixels: rows * windows.outputColumns)
    case .bordered(let blocks):
      pixelBytes = 16
      let blockBytes = windows.borderedRows(step.chunk) * windows.borderedColumns * 16
      for (position, block) in blocks.enumerated() {
        copyBordered(
          windows, zero: step.zero, block, firstRow: first, rows: rows,
          to: scratch + position * blockBytes, rowBytes: windows.borderedColumns * 16)
      }
    case .picture(let tables):
      copyPicture(
        windows, zero: step.zero, tables, firstRow: first, rows: rows, to: scratch)
      pixelBytes = 3
    }
    let rowBytes = windows.borderedColumns * pixelBytes * windows.stride.height
    for row in 0..<rows {
      convolve(
        step, input: scratch + row * rowBytes, step: pixelBytes * windows.stride.width,
        firstPixel: (first + row) * windows.outputColumns, pixels: windows.outputColumns)
    }
  }

  /// Computes one task of a depthwise convolution.
  func convolve(_ step: ByteDepthwiseStep, task: Int, scratch: UnsafeMutablePointer<UInt8>) {
    let first = task * step.chunk
    let rows = min(step.chunk, step.windows.outputRows - first)
    computeDepthwise(step, firstRow: first, rows: rows, copy: scratch, to: nil)
  }

  /// Runs all output blocks over neighbouring pixels.
  private func convolve(
    _ step: ByteConvolutionStep, input: UnsafePointer<UInt8>, step pixelBytes: Int,
    firstPixel: Int, pixels: Int
  ) {
    let blocks = blocksPerSixteen(step.output)
    var offsets = targets.start + (step.output.targets ?? 0)
    var position = 0
    for group in step.groups {
      run(
        group,
        ByteConvolutionRun(
          input: input, sources: sources + group.sources, sourceCount: group.sourceCount,
          pairedCount: group.pairedCount, step: pixelBytes,
          weights: byteWeights.start + group.weights, bias: byteBiases.start + group.biases,
          target: target(
            step.output, arena.bytes + firstPixel * bytesPerPixel(step.output), offsets,
            factors: group.factors),
          pixels: pixels))
      offsets += group.blocks * blocks
      activate(
        step.output, position..<position + group.blocks * blocks, firstPixel: firstPixel,
        pixels: pixels)
      position += group.blocks * blocks
    }
  }

  private func run(_ group: ByteConvolutionStep.OutputGroup, _ run: ByteConvolutionRun) {
    if group.blocks == 2 {
      kernels.bytes.convolvePair?(run)
    } else {
      kernels.bytes.convolveSingle(run)
    }
  }

  /// Computes all values of one group at one cell.
  func compute(
    _ step: ByteConvolutionStep, _ parts: ArraySlice<ByteConvolutionStep.OutputGroup>, cell: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    // Blocks of a pixel follow each other.
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 32 / plan.lanes) { offsets in
      for index in offsets.indices {
        offsets.initializeElement(at: index, to: index * plan.lanes * MemoryLayout<Float>.size)
      }
      guard let first = offsets.baseAddress else { return }
      var output = output
      for part in parts {
        run(
          part,
          ByteConvolutionRun(
            input: arena.bytes + cell * 16, sources: sources + part.sources,
            sourceCount: part.sourceCount, pairedCount: part.pairedCount, step: 16,
            weights: byteWeights.start + part.weights, bias: byteBiases.start + part.biases,
            target: target(
              step.output, UnsafeMutableRawPointer(output), UnsafePointer(first),
              factors: part.factors),
            pixels: 1))
        output += 16 * part.blocks
      }
    }
  }

  private func target(
    _ output: ByteOutput, _ start: UnsafeMutableRawPointer, _ offsets: UnsafePointer<Int>,
    factors: Int
  ) -> ByteTarget {
    let form: ByteForm =
      switch output.form {
      case .floats: .floats
      case .bytes(let activation, let zero): .bytes(minimum: activation.smallest, zero: zero)
      case .curve(_, let curve): .curve(byteTables.start + curve)
      }
    return ByteTarget(form: form, start: start, offsets: offsets, factors: weights.start + factors)
  }

  private func bytesPerPixel(_ output: ByteOutput) -> Int {
    if case .floats = output.form { plan.lanes * MemoryLayout<Float>.size } else { 16 }
  }

  /// The blocks that hold 16 channels.
  private func blocksPerSixteen(_ output: ByteOutput) -> Int {
    if case .floats = output.form { 16 / plan.lanes } else { 1 }
  }

  /// Applies the activation of a result in fp32 to pixels of some of its blocks.
  private func activate(
    _ output: ByteOutput, _ positions: Range<Int>, firstPixel: Int, pixels: Int
  ) {
    guard case .floats(let activation) = output.form, activation != .none else { return }
    for block in output.blocks[positions] {
      let start = address(block) + firstPixel * plan.lanes
      kernels.activate(
        ActivationRun(input: start, pixels: pixels, activation: activation, output: start))
    }
  }

  /// Computes rows of a depthwise convolution, block by block, each from a bordered copy: into the
  /// arena or, block after block of the step's chunk of rows, into scratch memory.
  private func computeDepthwise(
    _ step: ByteDepthwiseStep, firstRow: Int, rows: Int, copy: UnsafeMutablePointer<UInt8>,
    to scratch: UnsafeMutablePointer<UInt8>?
  ) {
    let windows = step.windows
    let blocks = blocksPerSixteen(step.output)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1) { zero in
      zero.initialize(repeating: 0)
      for (position, block) in step.from.enumerated() {
        copyBordered(
          windows, zero: step.zero, block, firstRow: firstRow, rows: rows, to: copy,
          rowBytes: step.rowBytes)
        for row in 0..<rows {
          let pixel = (firstRow + row) * windows.outputColumns
          let start: UnsafeMutablePointer<UInt8>
          let offsets: UnsafePointer<Int>
          if let scratch, let zero = zero.baseAddress {
            start = scratch + (position * step.chunk + row) * windows.outputColumns * 16
            offsets = UnsafePointer(zero)
          } else {
            start = arena.bytes + pixel * bytesPerPixel(step.output)
            offsets = UnsafePointer(targets.start + (step.output.targets ?? 0) + position * blocks)
          }
          kernels.bytes.depthwise(
            ByteDepthwiseRun(
              input: copy + row * windows.stride.height * step.rowBytes, rowStride: step.rowBytes,
              kernelRows: windows.kernel.height, columnGroups: step.columnGroups,
              stride: windows.stride.width, passes: step.passes,
              sharesColumns: step.sharesColumns,
              weights: byteWeights.start + step.weights[position],
              bias: byteBiases.start + step.biases[position],
              target: target(step.output, start, offsets, factors: step.factors[position]),
              pixels: windows.outputColumns))
          if scratch == nil {
            activate(
              step.output, position * blocks..<(position + 1) * blocks, firstPixel: pixel,
              pixels: windows.outputColumns)
          }
        }
      }
    }
  }

  /// Copies the rows of a block under a task's windows, with a border.
  private func copyBordered(
    _ windows: Windows, zero: UInt8, _ block: Int, firstRow: Int, rows: Int,
    to copy: UnsafeMutablePointer<UInt8>, rowBytes: Int
  ) {
    let input = byteAddress(block)
    forEachBorderedRow(
      windows, zero: zero, pixelBytes: 16, firstRow: firstRow, rows: rows, of: copy,
      rowBytes: rowBytes
    ) { target, pixel, count in
      target.update(from: input + pixel * 16, count: count)
    }
  }

  /// Copies the rows of the picture under a task's windows, with a border, as int8 numbers.
  private func copyPicture(
    _ windows: Windows, zero: UInt8, _ starts: [Int], firstRow: Int, rows: Int,
    to copy: UnsafeMutablePointer<UInt8>
  ) {
    guard let picture else { return }
    forEachBorderedRow(
      windows, zero: zero, pixelBytes: 3, firstRow: firstRow, rows: rows, of: copy,
      rowBytes: windows.borderedColumns * 3
    ) { target, pixel, count in
      let bytes = picture + pixel * 3
      if starts.count == 1 {
        kernels.bytes.lookUp(
          ByteTableRun(
            bytes: bytes, table: byteTables.start + starts[0], output: target, count: count))
      } else {
        for index in 0..<count {
          target[index] = byteTables.start[starts[index % 3] + Int(bytes[index])]
        }
      }
    }
  }

  /// Fills the border of a task's copy with the input's zero, and calls a function for the rest of
  /// each row that has any: with its address, the input's pixel there, and the number of bytes.
  private func forEachBorderedRow(
    _ windows: Windows, zero: UInt8, pixelBytes: Int, firstRow: Int, rows: Int,
    of copy: UnsafeMutablePointer<UInt8>, rowBytes: Int,
    _ body: (_ target: UnsafeMutablePointer<UInt8>, _ pixel: Int, _ count: Int) -> Void
  ) {
    let left = windows.padLeft * pixelBytes
    let count = windows.copiedColumns(of: windows.borderedColumns) * pixelBytes
    for row in 0..<windows.borderedRows(rows) {
      let target = copy + row * rowBytes
      guard let inputRow = windows.inputRow(firstRow, row) else {
        target.update(repeating: zero, count: rowBytes)
        continue
      }
      target.update(repeating: zero, count: left)
      body(target + left, inputRow * windows.inputColumns, count)
      (target + left + count).update(repeating: zero, count: max(0, rowBytes - left - count))
    }
  }

  func byteAddress(_ block: Int) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(address(block)).assumingMemoryBound(to: UInt8.self)
  }
}

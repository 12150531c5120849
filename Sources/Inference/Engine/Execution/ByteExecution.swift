import Kernels

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
    if case .blocks = step.source {
      let pixels = min(step.chunk, windows.outputRows * windows.outputColumns - first)
      return convolve(
        step, input: arena.bytes + first * 16, step: 16, firstPixel: first, pixels: pixels)
    }
    let rows = min(step.chunk, windows.outputRows - first)
    var pixelBytes = 16
    switch step.source {
    case .blocks: return
    case .depthwise(let depthwise):
      let copy = scratch + depthwise.from.count * step.chunk * windows.outputColumns * 16
      computeDepthwise(depthwise, firstRow: first, rows: rows, copy: copy, to: scratch)
      return convolve(
        step, input: scratch, step: 16, firstPixel: first * windows.outputColumns,
        pixels: rows * windows.outputColumns)
    case .bordered(let blocks):
      let blockBytes = windows.borderedRows(step.chunk) * windows.borderedColumns * 16
      for (position, block) in blocks.enumerated() {
        copyBordered(
          windows, block, firstRow: first, rows: rows, to: scratch + position * blockBytes,
          rowBytes: windows.borderedColumns * 16)
      }
    case .picture(let tables):
      copyPicture(windows, tables, firstRow: first, rows: rows, to: scratch)
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
          windows, block, firstRow: firstRow, rows: rows, to: copy, rowBytes: step.rowBytes)
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
    _ windows: ByteWindows, _ block: Int, firstRow: Int, rows: Int,
    to copy: UnsafeMutablePointer<UInt8>, rowBytes: Int
  ) {
    let input = UnsafeRawPointer(address(block)).assumingMemoryBound(to: UInt8.self)
    for row in 0..<windows.borderedRows(rows) {
      let target = copy + row * rowBytes
      guard let inputRow = windows.inputRow(firstRow, row) else {
        target.update(repeating: windows.zero, count: rowBytes)
        continue
      }
      let left = windows.padLeft * 16
      let copied = windows.copiedColumns * 16
      target.update(repeating: windows.zero, count: left)
      (target + left).update(from: input + inputRow * windows.inputColumns * 16, count: copied)
      (target + left + copied).update(
        repeating: windows.zero, count: max(0, rowBytes - left - copied))
    }
  }

  /// Copies the rows of the picture under a task's windows, with a border, as int8 numbers.
  private func copyPicture(
    _ windows: ByteWindows, _ starts: [Int], firstRow: Int, rows: Int,
    to copy: UnsafeMutablePointer<UInt8>
  ) {
    guard let picture else { return }
    let rowBytes = windows.borderedColumns * 3
    for row in 0..<windows.borderedRows(rows) {
      let target = copy + row * rowBytes
      guard let inputRow = windows.inputRow(firstRow, row) else {
        target.update(repeating: windows.zero, count: rowBytes)
        continue
      }
      let left = windows.padLeft * 3
      let copied = windows.copiedColumns * 3
      let bytes = picture + inputRow * windows.inputColumns * 3
      target.update(repeating: windows.zero, count: left)
      if starts.count == 1 {
        kernels.bytes.lookUp(
          ByteTableRun(
            bytes: bytes, table: byteTables.start + starts[0], output: target + left,
            count: copied))
      } else {
        for index in 0..<copied {
          target[left + index] = byteTables.start[starts[index % 3] + Int(bytes[index])]
        }
      }
      (target + left + copied).update(
        repeating: windows.zero, count: max(0, rowBytes - left - copied))
    }
  }

  func poolBytes(_ step: PoolingStep, row: Int) {
    let top = row * step.stride.height - step.padTop
    let first = max(top, 0)
    let inside = first..<max(first, min(top + step.kernel.height, step.inputRows))
    withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>.self, capacity: inside.count) { rows in
      for (position, block) in step.to.enumerated() {
        for (index, inputRow) in inside.enumerated() {
          rows.initializeElement(
            at: index,
            to: UnsafePointer(byteAddress(step.from[position]) + inputRow * step.inputColumns * 16))
        }
        kernels.bytes.pool(
          BytePoolingRun(
            rows: UnsafeBufferPointer(rows), inputColumns: step.inputColumns,
            kernelColumns: step.kernel.width, stride: step.stride.width, padLeft: step.padLeft,
            output: byteAddress(block) + row * step.outputColumns * 16,
            outputColumns: step.outputColumns))
      }
    }
  }

  func gatherBytes(_ step: GatherStep, row: Int) {
    for (position, block) in step.to.enumerated() {
      let source = UnsafeRawPointer(
        byteAddress(step.from[position]) + step.rows[row] * step.inputColumns * 16)
      let output = UnsafeMutableRawPointer(byteAddress(block) + row * step.columns.count * 16)
      for (column, sourceColumn) in step.columns.enumerated() {
        output.storeBytes(
          of: source.loadUnaligned(fromByteOffset: sourceColumn * 16, as: SIMD16<UInt8>.self),
          toByteOffset: column * 16, as: SIMD16<UInt8>.self)
      }
    }
  }

  func quantise(_ step: QuantiseStep, block: Int) {
    kernels.bytes.quantise(
      QuantiseRun(
        input: UnsafeRawPointer(arena.start),
        offsets: targets.start + step.targets + block * (16 / plan.lanes), scale: step.scale,
        zero: step.zero, output: byteAddress(step.to[block]), pixels: step.pixels))
  }

  private func byteAddress(_ block: Int) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(address(block)).assumingMemoryBound(to: UInt8.self)
  }
}

extension ByteWindows {
  /// Columns of the input in a row of the bordered copy.
  fileprivate var copiedColumns: Int { max(0, min(inputColumns, borderedColumns - padLeft)) }

  /// The row of the input that is copied to a row of a task's bordered copy; nil in the border.
  fileprivate func inputRow(_ firstRow: Int, _ row: Int) -> Int? {
    let inputRow = firstRow * stride.height + row - padTop
    return inputRow >= 0 && inputRow < inputRows ? inputRow : nil
  }
}

import Kernels
import NCNN

/// Steps that process pixels one by one; a task is a row of all blocks, but of `quantise` a block.
extension Executor {
  func pool(_ step: PoolingStep, row: Int) {
    let top = row * step.windows.stride.height - step.windows.padTop
    let first = max(top, 0)
    let inside = first..<max(first, min(top + step.windows.kernel.height, step.windows.inputRows))
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: inside.count) { rows in
      for (position, block) in step.to.enumerated() {
        let input = address(step.from[position])
        for (index, inputRow) in inside.enumerated() {
          rows.initializeElement(
            at: index, to: input + inputRow * step.windows.inputColumns * plan.lanes)
        }
        kernels.pool(
          PoolingRun(
            rows: UnsafeBufferPointer(rows), inputColumns: step.windows.inputColumns,
            kernelColumns: step.windows.kernel.width, stride: step.windows.stride.width,
            padLeft: step.windows.padLeft,
            output: address(block) + row * step.windows.outputColumns * plan.lanes,
            outputColumns: step.windows.outputColumns, summary: step.summary))
      }
    }
  }

  func poolBytes(_ step: PoolingStep, row: Int) {
    let top = row * step.windows.stride.height - step.windows.padTop
    let first = max(top, 0)
    let inside = first..<max(first, min(top + step.windows.kernel.height, step.windows.inputRows))
    withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>.self, capacity: inside.count) { rows in
      for (position, block) in step.to.enumerated() {
        for (index, inputRow) in inside.enumerated() {
          rows.initializeElement(
            at: index,
            to: UnsafePointer(
              byteAddress(step.from[position]) + inputRow * step.windows.inputColumns * 16))
        }
        kernels.bytes.pool(
          BytePoolingRun(
            rows: UnsafeBufferPointer(rows), inputColumns: step.windows.inputColumns,
            kernelColumns: step.windows.kernel.width, stride: step.windows.stride.width,
            padLeft: step.windows.padLeft,
            output: byteAddress(block) + row * step.windows.outputColumns * 16,
            outputColumns: step.windows.outputColumns))
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

  func resizeBilinear(_ step: BilinearStep, row: Int) {
    let sample = step.rows[row]
    let rowElements = step.inputColumns * plan.lanes
    step.columns.withUnsafeBufferPointer { columns in
      for (position, block) in step.to.enumerated() {
        let input = address(step.from[position])
        kernels.resizeBilinear(
          BilinearRun(
            upper: input + sample.first * rowElements, lower: input + sample.second * rowElements,
            weight: sample.weight, columns: columns,
            output: address(block) + row * columns.count * plan.lanes))
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

  func combine(_ step: ElementwiseStep, row: Int) {
    let offset = row * step.columns * plan.lanes
    for (position, block) in step.to.enumerated() {
      let first = operand(step.first, position, rowOffset: offset)
      let second = operand(step.second, position, rowOffset: offset)
      kernels.combine(
        ElementwiseRun(
          first: first.start, firstStep: first.step, second: second.start, secondStep: second.step,
          output: address(block) + offset, pixels: step.columns, arithmetic: step.arithmetic))
    }
  }

  /// Where a block of an operand begins, and how far apart its pixels are.
  private func operand(
    _ operand: ElementwiseStep.Operand, _ position: Int, rowOffset: Int
  ) -> (start: UnsafePointer<Float>, step: Int) {
    switch operand {
    case .blob(let blocks): (UnsafePointer(address(blocks[position]) + rowOffset), plan.lanes)
    case .pixel(let blocks): (UnsafePointer(address(blocks[position])), 0)
    case .numbers(let start): (UnsafePointer(weights.start + start + position * plan.lanes), 0)
    }
  }
}

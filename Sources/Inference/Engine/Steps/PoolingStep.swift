import Kernels

/// Pooling; a task is a row of all blocks.
struct PoolingStep: StepKind {
  let reads: [Int]
  let writes: [Int]
  let summary: WindowSummary
  let windows: Windows
  /// Whether the blocks are of int8, of which only the maximum is taken.
  let isBytes: Bool

  var kind: String { isBytes ? "int8 pooling" : "pooling" }

  var taskCount: Int { windows.outputRows }

  func outerBytes(_ plan: Plan) -> Int { 0 }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    if isBytes { poolBytes(executor, row: task) } else { pool(executor, row: task) }
  }

  private func pool(_ executor: Executor, row: Int) {
    let lanes = executor.plan.lanes
    let inside = rowsInside(row)
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: inside.count) { rows in
      for (position, block) in writes.enumerated() {
        let input = executor.address(reads[position])
        for (index, inputRow) in inside.enumerated() {
          rows.initializeElement(at: index, to: input + inputRow * windows.inputColumns * lanes)
        }
        executor.kernels.pool(
          UnsafeBufferPointer(rows), windows.columns, summary,
          executor.address(block) + row * windows.outputColumns * lanes)
      }
    }
  }

  private func poolBytes(_ executor: Executor, row: Int) {
    let inside = rowsInside(row)
    withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>.self, capacity: inside.count) { rows in
      for (position, block) in writes.enumerated() {
        let input = executor.byteAddress(reads[position])
        for (index, inputRow) in inside.enumerated() {
          rows.initializeElement(at: index, to: input + inputRow * windows.inputColumns * 16)
        }
        executor.kernels.bytes.pool(
          UnsafeBufferPointer(rows), windows.columns,
          executor.byteAddress(block) + row * windows.outputColumns * 16)
      }
    }
  }

  /// The rows of the input under the windows of an output row.
  private func rowsInside(_ row: Int) -> Range<Int> {
    let top = row * windows.stride.height - windows.padTop
    let first = max(top, 0)
    return first..<max(first, min(top + windows.kernel.height, windows.inputRows))
  }
}

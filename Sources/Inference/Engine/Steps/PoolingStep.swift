// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// Pooling; a task is a row of all blocks.
struct PoolingStep: StepKind {
  let reads: [Int]
  let writes: [Int]
  let summary: WindowSummary
  let windows: WindowGeometry
  /// Whether the blocks hold int8; the summary is then the maximum.
  let isBytes: Bool

  var kind: String { isBytes ? "int8 pooling" : "pooling" }

  var taskCount: Int { windows.outputRows }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    if isBytes {
      pool(executor, row: task) { executor.kernels.bytes.pool($0, windows.columns, $1) }
    } else {
      pool(executor, row: task) { executor.kernels.pool($0, windows.columns, summary, $1) }
    }
  }

  private func pool<Element: BlockElement>(
    _ executor: Executor, row: Int,
    _ kernel: (UnsafeBufferPointer<UnsafePointer<Element>>, UnsafeMutablePointer<Element>) -> Void
  ) {
    let lanes = Element.lanes(executor.plan)
    let inside = rowsInside(row)
    withUnsafeTemporaryAllocation(of: UnsafePointer<Element>.self, capacity: inside.count) { rows in
      for (position, block) in writes.enumerated() {
        let input = executor.address(reads[position]).elements(as: Element.self)
        for (index, inputRow) in inside.enumerated() {
          rows.initializeElement(at: index, to: input + inputRow * windows.inputColumns * lanes)
        }
        kernel(
          UnsafeBufferPointer(rows),
          executor.address(block).elements() + row * windows.outputColumns * lanes)
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

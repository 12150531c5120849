// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

extension Executor {
  /// Calls a function with the values of every group whose gate is at least a minimum, or of all
  /// groups, by group, then cell.
  func visitGroups(
    _ reduced: Plan.ReducedOutput, _ output: GatedOutput, from minimum: Float?,
    _ visit: (_ group: Int, _ cell: Int, _ values: Span<Float>) -> Void
  ) {
    // Kernels for int8 write one or two blocks of 16 channels, however few are needed.
    let capacity = (reduced.blocksPerGroup * plan.lanes + 31) / 32 * 32
    withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { values in
      guard let start = values.baseAddress else { return }
      for (group, place) in reduced.gates.channels.enumerated() {
        let gates = address(place.block) + place.lane
        for cell in 0..<reduced.gates.rows * reduced.gates.columns {
          if let minimum, !(gates[cell * plan.lanes] >= minimum) { continue }
          reduced.compute(self, group, cell, start)
          visit(group, cell, values.span.extracting(first: output.width))
        }
      }
    }
  }
}

import Kernels

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
      for (group, place) in reduced.gates.channels.enumerated() {
        let gates = address(place.block) + place.lane
        for cell in 0..<reduced.gates.rows * reduced.gates.columns {
          if let minimum, !(gates[cell * plan.lanes] >= minimum) { continue }
          compute(reduced, group: group, cell: cell, into: values)
          visit(group, cell, values.span.extracting(first: output.width))
        }
      }
    }
  }

  /// Computes all values of one group at one cell, by a convolution of one pixel.
  private func compute(
    _ reduced: Plan.ReducedOutput, group: Int, cell: Int,
    into values: UnsafeMutableBufferPointer<Float>
  ) {
    guard let output = values.baseAddress else { return }
    switch reduced.cell {
    case .floats(let step):
      let count = reduced.stepsPerGroup
      compute(step, step.outputs[group * count..<(group + 1) * count], cell: cell, into: output)
    case .bytes(let step):
      let count = step.groups.count / reduced.gates.channels.count
      compute(step, step.groups[group * count..<(group + 1) * count], cell: cell, into: output)
    }
  }

  private func compute(
    _ step: ConvolutionStep, _ parts: ArraySlice<ConvolutionStep.OutputGroup>, cell: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    var output = output
    for part in parts {
      let run = ConvolutionRun(
        input: arena.start + cell * plan.lanes, sources: sources + step.sources,
        sourceCount: step.sourceCount, step: plan.lanes,
        weights: weights.start + part.weights, bias: weights.start + part.bias,
        output: output, blockStride: plan.lanes, pixels: 1, activation: .none)
      if part.partner != nil {
        kernels.convolvePair(run)
      } else {
        kernels.convolveSingle(run)
      }
      output += part.blockCount * plan.lanes
    }
  }
}

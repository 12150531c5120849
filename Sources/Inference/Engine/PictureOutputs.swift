// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// What a run on a picture has computed; valid until the run's memory is used again.
public struct PictureOutputs: ~Copyable {
  let executor: Executor
  let outputs: [String]
  let gated: [GatedOutput]

  /// The shape of one of the engine's outputs, gated or not; an error for any other blob.
  public func shape(of blob: String) throws(InferenceError) -> [Int] {
    if let (output, reduced) = try reducedOutput(blob) {
      return [output.groups, reduced.gates.rows * reduced.gates.columns, output.width]
    }
    return try executor.value(blob).shape
  }

  /// One of the engine's outputs, of which all groups are computed; an error for any other blob.
  public func tensor(_ blob: String) throws(InferenceError) -> Tensor {
    guard let (output, reduced) = try reducedOutput(blob) else { return try executor.tensor(blob) }
    let cells = reduced.gates.rows * reduced.gates.columns
    var values = [Float](repeating: 0, count: output.groups * cells * output.width)
    executor.visitGroups(reduced, output, from: nil) { group, cell, found in
      let start = (group * cells + cell) * output.width
      for index in found.indices { values[start + index] = found[index] }
    }
    return Tensor([output.groups, cells, output.width], values)
  }

  /// Calls a function for every group whose gate is at least a minimum, and so not NaN, by group, then
  /// cell.
  ///
  /// - Precondition: the engine has a gated output with this index.
  public func forEachGroup(
    of gated: Int, from minimum: Float,
    _ visit: (_ group: Int, _ cell: Int, _ values: Span<Float>) -> Void
  ) {
    precondition(self.gated.indices.contains(gated), "there is no gated output \(gated)")
    let output = self.gated[gated]
    if let reduced = executor.plan.gated[gated] {
      return executor.visitGroups(reduced, output, from: minimum, visit)
    }
    guard let blob = try? executor.tensor(output.blob) else {
      preconditionFailure("an output is planned either whole or by its gates")
    }
    let cells = blob.shape[1]
    let values = blob.values.span
    for group in 0..<output.groups {
      for cell in 0..<cells {
        let start = (group * cells + cell) * output.width
        guard values[start + output.gate] >= minimum else { continue }
        visit(group, cell, values.extracting(start..<start + output.width))
      }
    }
  }

  /// A gated output and what it was reduced to; nil where the blob is computed whole.
  private func reducedOutput(
    _ blob: String
  ) throws(InferenceError) -> (GatedOutput, Plan.ReducedOutput)? {
    let number = gated.firstIndex { $0.blob == blob }
    guard number != nil || outputs.contains(blob) else {
      throw InferenceError(
        .blob, found: "the blob name \(blob)", expected: "an output that the engine was made for")
    }
    guard let number, let reduced = executor.plan.gated[number] else { return nil }
    return (gated[number], reduced)
  }
}

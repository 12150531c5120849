// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// An output in which one value of each group decides whether the engine computes the others.
public struct GatedOutput: Hashable, Sendable {
  /// The blob: groups × cells × width.
  public let blob: String
  /// The number of groups of values in each cell.
  public let groups: Int
  /// The number of values in a group.
  public let width: Int
  /// The index of the gate among a group's values.
  public let gate: Int

  /// Makes an output from its parts.
  ///
  /// - Precondition: `groups` and `width` are positive, `gate` is within 0 ..< width.
  public init(blob: String, groups: Int, width: Int, gate: Int) {
    precondition(groups > 0, "a gated output needs at least one group, not \(groups)")
    precondition(width > 0, "a group needs at least one value, not \(width)")
    precondition((0..<width).contains(gate), "no value \(gate) in a group of \(width)")
    self.blob = blob
    self.groups = groups
    self.width = width
    self.gate = gate
  }

  /// Refuses a blob of another shape.
  func require(_ shape: [Int]) throws(InferenceError) {
    guard shape.count == 3, shape[0] == groups, shape[2] == width else {
      throw InferenceError(
        .shape, found: "shape \(shape) of \(blob)", expected: "\(groups) × cells × \(width)")
    }
  }
}

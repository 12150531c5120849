// SPDX-License-Identifier: Apache-2.0
extension FaceHead {
  /// The one value of each proposal that tells whether its other values matter: below a minimum,
  /// the proposal cannot reach the threshold.
  ///
  /// A head with a gate reads one blob of anchors × cells × `width`. An engine that knows the gate
  /// computes the other values only where the gate lets a proposal pass.
  public struct Gate: Sendable {
    /// The number of values of a proposal.
    public let width: Int
    /// The index of the gate among them.
    public let index: Int
    /// The least value of the gate with which a score can reach a threshold.
    public let minimum: @Sendable (ScoreThreshold) -> Float
    /// The face that a proposal's values decode to, in network input pixels; nil where its score is
    /// below the threshold.
    public let face:
      @Sendable (
        _ values: Span<Float>, _ cell: (anchor: Int, row: Int, column: Int), ScoreThreshold
      ) -> Face?

    /// A gate from its parts.
    public init(
      width: Int, index: Int, minimum: @escaping @Sendable (ScoreThreshold) -> Float,
      face:
        @escaping @Sendable (
          _ values: Span<Float>, _ cell: (anchor: Int, row: Int, column: Int), ScoreThreshold
        ) -> Face?
    ) {
      (self.width, self.index, self.minimum, self.face) = (width, index, minimum, face)
    }
  }
}

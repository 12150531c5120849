extension FaceHead {
  /// One value of each proposal, a lower bound on which tells whether its other values matter.
  ///
  /// The head then reads one blob of anchors × cells × `width`. An engine that knows the gate computes
  /// the other values where it lets a proposal pass, and nowhere else.
  public struct Gate: Sendable {
    /// Values of a proposal.
    public let width: Int
    /// Which of them is the gate.
    public let index: Int
    /// Below this the gate's value cannot reach a threshold.
    public let minimum: @Sendable (ScoreThreshold) -> Float
    /// The face that a proposal's values make, as `Candidate` has it; nil where its score is below the
    /// threshold.
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
      self.width = width
      self.index = index
      self.minimum = minimum
      self.face = face
    }
  }
}

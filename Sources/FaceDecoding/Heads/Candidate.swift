// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceLibC

/// A face that one anchor of one cell proposes.
public struct Candidate: Sendable, Hashable {
  /// The face, in network input pixels.
  public var face: Face
  /// The anchor that the proposal starts from, an index into the head's anchors.
  public var anchor: Int
  /// The cell's row, from the top.
  public var row: Int
  /// The cell's column, from the left.
  public var column: Int

  /// A candidate from its parts.
  public init(face: Face, anchor: Int, row: Int, column: Int) {
    (self.face, self.anchor, self.row, self.column) = (face, anchor, row, column)
  }
}

/// The lowest score a candidate may have, and the same limit on a raw confidence, so that one
/// comparison, without an exponential, rejects almost every cell.
///
/// The shortcut never changes a result: σ rises with its argument, so a raw value below `logit`
/// cannot reach `score`, either alone or multiplied by another confidence, which is at most 1.
public struct ScoreThreshold: Sendable, Hashable {
  /// The lowest score that is kept. At 0 or below every candidate is kept; above 1, or where it is
  /// NaN, none is. At 1 only scores that round to 1 are kept.
  public let score: Float
  /// No raw confidence below this can reach `score`.
  public let logit: Float

  /// Keeps the candidates whose score is `score` or more.
  public init(_ score: Float) {
    self.score = score
    if score <= 0 {
      logit = -.infinity
    } else if score <= 1 {
      // A score is rounded to Float: it reaches the threshold from halfway to the Float below. The
      // logit of that midpoint, rounded down, is under every raw value that can.
      let midpoint = (Double(score) + Double(score.nextDown)) / 2
      logit = Float(log(midpoint / (1 - midpoint))).nextDown
    } else {
      logit = .infinity
    }
  }

  /// False where a raw confidence alone shows that the score falls short, and for NaN. True
  /// promises nothing: the score still has to be computed.
  public func admits(logit value: Float) -> Bool { value >= logit }
}

/// The logistic function 1 / (1 + e⁻ˣ): 0 or 1 where x is far from 0, NaN for NaN.
package func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

/// One of the network's numbers for a proposal, and what it decodes to, for people to read.
public struct DecodedValue: Sendable, Hashable {
  /// What the number stands for, such as "width"; a landmark's name is that of `Landmarks.names`.
  public let name: String
  /// How the value follows from the number t.
  public let formula: String
  /// The number t.
  public let raw: Float
  /// The value: pixels of the network's input, or a probability; NaN where the proposal has no face.
  public let value: Double

  /// A decoded value from its parts.
  public init(name: String, formula: String, raw: Float, value: Double) {
    (self.name, self.formula, self.raw, self.value) = (name, formula, raw, value)
  }
}

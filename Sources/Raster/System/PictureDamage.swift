// SPDX-License-Identifier: Apache-2.0
extension Picture {
  /// What a damaged picture lacks.
  public struct Damage: Equatable, Sendable, CustomStringConvertible {
    /// How many of its rows, as it is stored, are missing or may be wrong. Of an interlaced picture, as many as would
    /// have its missing pixels.
    public let rows: Int
    /// How many rows it has.
    public let height: Int
    /// How that was noticed.
    public let reason: String

    init(rows: Int, of height: Int, reason: String) {
      (self.rows, self.height, self.reason) = (max(1, min(rows, height)), height, reason)
    }

    /// The share of rows, in percent.
    public var percent: Double { 100 * Double(rows) / Double(height) }

    /// What is missing, and how that was noticed.
    public var description: String {
      let tenths = max(1, Int((10 * percent).rounded()))
      return
        "\(rows) of \(height) rows are missing or may be wrong (\(tenths / 10).\(tenths % 10) %; \(reason))"
    }
  }
}

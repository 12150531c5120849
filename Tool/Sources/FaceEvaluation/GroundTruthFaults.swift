// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting

/// What in a ground truth makes no sense, and what is done about it: an entry that cannot be read is left out, and one
/// whose sense is plain is corrected. All of it is counted.
///
/// A strict reading corrects nothing, and the first entry that cannot be read refuses the ground truth.
public final class GroundTruthFaults {
  /// What is corrected.
  public enum Correction: CaseIterable, Sendable {
    /// A row that a picture has already is left out.
    case repeated
    /// A polygon becomes its box.
    case polygon
    /// The numbers of a box are those of two corners.
    case corners
    /// A box is in pixels in place of fractions.
    case pixels

    func text(_ count: Int) -> String {
      switch self {
      case .repeated: counted(count, "repeated face") + " left out"
      case .polygon: counted(count, "polygon") + " read as \(count == 1 ? "a box" : "boxes")"
      case .corners: counted(count, "box", plural: "boxes") + " read as two corners"
      case .pixels: counted(count, "box", plural: "boxes") + " read in pixels"
      }
    }
  }

  /// Whether nothing is corrected or left out.
  public let isStrict: Bool
  /// The first errors of entries that are left out, at most `listed`.
  public private(set) var leftOut: [GroundTruthError] = []
  /// How many entries are left out, and how many corrected in each way.
  public private(set) var (leftOutCount, corrections): (Int, [Correction: Int]) = (0, [:])

  /// The most errors that are kept.
  public static let listed = 10

  /// No faults yet.
  public init(isStrict: Bool = false) { self.isStrict = isStrict }

  /// What is read, or nil where it is left out.
  package func reading<Value>(
    _ read: () throws(GroundTruthError) -> Value
  ) throws(GroundTruthError) -> Value? {
    do { return try read() } catch {
      try leaveOut(error)
      return nil
    }
  }

  /// Counts an entry that is left out, or throws its error.
  public func leaveOut(_ error: GroundTruthError) throws(GroundTruthError) {
    if isStrict { throw error }
    leftOutCount += 1
    if leftOut.count < Self.listed { leftOut.append(error) }
  }

  func correct(_ correction: Correction, count: Int = 1) {
    corrections[correction, default: 0] += count
  }

  /// A line with all counts, then one for each error that is kept; none without faults.
  public var lines: [String] {
    var counts = Correction.allCases.compactMap { correction in
      corrections[correction].map(correction.text)
    }
    if leftOutCount > 0 {
      let listed = leftOutCount > leftOut.count ? ", of which \(leftOut.count) follow" : ""
      counts.append(counted(leftOutCount, "entry", plural: "entries") + " left out" + listed)
    }
    return (counts.isEmpty ? [] : [counts.joined(separator: ", ")]) + leftOut.map(\.description)
  }
}

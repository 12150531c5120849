// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// Which of a picture's faces count, and in which order.
public struct FaceSelection: Hashable, Sendable {
  /// What makes one face come before another.
  public enum Preference: String, CaseIterable, Hashable, Sendable {
    /// A higher score.
    case best
    /// A box of a larger area.
    case biggest
    /// A box whose centre is nearer to the centre of the region, or of the picture.
    case central
  }

  /// What makes one face come before another; ties go to the higher score.
  public var preference: Preference
  /// The least length of a box's shorter side, in the faces' units.
  public var minimumSide: Double
  /// Where a box's centre must lie, edges included, in the faces' coordinates; nil for everywhere.
  public var region: Box?
  /// How many faces are kept; nil for all.
  public var maximumCount: Int?

  /// Makes a selection; by default all faces, best score first.
  public init(
    preference: Preference = .best, minimumSide: Double = 0, region: Box? = nil,
    maximumCount: Int? = nil
  ) {
    (self.preference, self.minimumSide) = (preference, minimumSide)
    (self.region, self.maximumCount) = (region, maximumCount)
  }

  /// The faces that count, the preferred first, of a picture whose corner is their coordinates' origin.
  /// Faces whose box has no area never count; a score that is NaN is below all others.
  public func select(from faces: [Face], in size: Size2D) -> [Face] {
    let middle = region?.center ?? Point2D(x: size.width / 2, y: size.height / 2)
    let ranked = faces.filter { isWanted($0.box) }.map { face in
      (face: face, rank: (rank(face, middle), score(face)))
    }
    let sorted = ranked.sorted { $0.rank > $1.rank }
    return sorted.prefix(max(0, maximumCount ?? faces.count)).map(\.face)
  }

  private func isWanted(_ box: Box) -> Bool {
    guard !box.isDegenerate, box.shorterSide >= minimumSide else { return false }
    return region.map { $0.contains(box.center) } ?? true
  }

  private func rank(_ face: Face, _ middle: Point2D) -> Double {
    switch preference {
    case .best: return score(face)
    case .biggest: return face.box.area
    case .central:
      let center = face.box.center
      let (x, y) = (center.x - middle.x, center.y - middle.y)
      return -(x * x + y * y)
    }
  }

  private func score(_ face: Face) -> Double {
    face.score.isNaN ? -.infinity : Double(face.score)
  }
}

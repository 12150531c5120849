// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceRaster

/// What a detection looks for, and how.
public struct DetectionOptions: Codable, Hashable, Sendable {
  /// How to turn the stored picture upright, as the network expects faces; by default it is upright
  /// already. Whatever the orientation, faces are in pixels of the stored picture.
  public var orientation = Orientation.up
  /// How the picture is fitted into the network's input; nil for the only size that the network
  /// takes, or else a long side of 640. Larger inputs find smaller faces and take longer.
  public var letterbox: Letterbox.Mode?
  /// How the picture is resized; by default bilinearly, as in training, and by area where it
  /// shrinks to less than half.
  public var resizeFilter = ResizeFilter.automatic
  /// The lowest score of a face, 0 to 1; for small ones, see `smallFaceScoreThreshold`.
  public var scoreThreshold: Float = 0.5
  /// The lowest score of small faces, whose box is smaller than 32 × 32 pixels of the network's input; nil for
  /// `scoreThreshold`. The network gives small faces lower scores. Where `effort` enlarges them,
  /// `scoreThreshold` holds for all.
  public var smallFaceScoreThreshold: Float?
  /// The lowest score of a face in company: another of 0.4 to 2.5 times its size, with a score from 0.5, has its centre
  /// within twelve times its size. nil where other thresholds hold for it, too. It counts only in searches of several
  /// passes over the picture, none of them in tiles.
  public var companyScoreThreshold: Float?
  /// The same for a small face.
  public var crowdScoreThreshold: Float?
  /// The largest intersection over union, 0 to 1, of two faces returned; of boxes that overlap
  /// more, only the best stays.
  public var overlapThreshold = 0.45
  /// The most faces returned, the best first; chosen before they are refined.
  public var maximumFaces = Int.max
  /// The most candidates that enter suppression, the best first. Its cost can grow with their
  /// square, so this bounds what a hostile model can waste; it matters only where tens of thousands
  /// reach the score threshold.
  public var maximumCandidates = Suppression.maximumCandidates
  /// How many looks are taken at the picture; by default one.
  public var effort = SearchEffort.once
  /// Whether boxes are clipped to the picture. Faces that are to be looked at again must not be.
  public var clipsToImage = false

  /// The defaults.
  public init() {}
}

extension DetectionOptions {
  /// The lowest score of small faces; nil where `scoreThreshold` holds for all faces.
  private var lowestOfSmall: Float? { effort.tiles == 1 ? smallFaceScoreThreshold : nil }

  /// The lowest score that a face of any size may have alone.
  var lowestScore: Float { min(scoreThreshold, lowestOfSmall ?? scoreThreshold) }

  /// Whether a face's score is high enough for its size.
  ///
  /// - Parameter face: in pixels of the network's input.
  func admits(_ face: Face) -> Bool {
    let isSmall = face.box.area < FaceSize.small * FaceSize.small
    return face.score >= ((isSmall ? lowestOfSmall : nil) ?? scoreThreshold)
  }

  /// Whether a face counts for the sake of its company.
  ///
  /// - Parameters:
  ///   - face: in pixels of the network's input, as are the others.
  ///   - others: all faces found, this one among them.
  func admits(_ face: Face, among others: [Face]) -> Bool {
    let size = face.box.area.squareRoot()
    let threshold = size < FaceSize.small ? crowdScoreThreshold : companyScoreThreshold
    guard let threshold, effort.tiles == 1, face.score >= threshold else { return false }
    return others.contains { other in
      let ratio = other.box.area.squareRoot() / size
      return other.box != face.box && other.score >= Company.sureScore
        && ratio <= Company.mostLarger && ratio >= 1 / Company.mostLarger
        && other.box.center.distance(to: face.box.center) <= Company.distance * size
    }
  }
}

/// When faces count that score little: beside one that is sure.
private enum Company {
  static let sureScore: Float = 0.5
  /// How near their centres are, and how much larger or smaller it may be, in roots of boxes' areas.
  static let (distance, mostLarger) = (12.0, 2.5)
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

/// Which detections are right: from the best score down, each takes the face that it overlaps most
/// among those that count and are not yet taken.
///
/// This is the rule of COCO's evaluation (https://github.com/cocodataset/cocoapi, `cocoeval`) and of PASCAL VOC's paper
/// (Everingham et al., 2010). VOC's development kit also considers faces already taken.
public struct FaceMatching: Hashable, Sendable {
  /// The outcome of a detection.
  public enum Outcome: Hashable, Sendable {
    /// It found the face of this index.
    case hit(Int)
    /// It found no face, or one that a better detection has taken.
    case falseAlarm
    /// Neither right nor wrong.
    case ignored
  }

  /// The least overlap of a detection with the face it finds, from 0 to 1.
  public var overlapThreshold: Double
  /// The sizes of faces that count. Others are ignored, and so are detections of other sizes that find nothing.
  public var sizes: SizeRange

  /// A rule; by default an overlap of one half and faces of all sizes.
  public init(overlapThreshold: Double = 0.5, sizes: SizeRange = .all) {
    (self.overlapThreshold, self.sizes) = (overlapThreshold, sizes)
  }

  /// Whether a face counts.
  public func counts(_ face: GroundTruthFace) -> Bool {
    face.standing == .counted && sizes.contains(face.box)
  }

  /// The outcome of each detection.
  ///
  /// A detection that gets no face that counts is ignored where it overlaps another face. One of another size is then
  /// taken, as if it counted; one that is `.ignored` or a `.crowd` in the data set is never taken.
  public func outcomes(of picture: ExaminedPicture) -> [Outcome] {
    let faces = picture.faces
    let isCounted = faces.map(counts)
    var isTaken = [Bool](repeating: false, count: faces.count)
    return picture.detections.map { detection in
      var counted, other: (index: Int, overlap: Double)?
      for (index, face) in faces.enumerated() where !isTaken[index] {
        let overlap = face.overlap(with: detection.box)
        guard overlap >= overlapThreshold else { continue }
        if isCounted[index] {
          if overlap > counted?.overlap ?? 0 { counted = (index, overlap) }
        } else if overlap > other?.overlap ?? 0 {
          other = (index, overlap)
        }
      }
      if let counted {
        isTaken[counted.index] = true
        return .hit(counted.index)
      }
      if let other {
        isTaken[other.index] = faces[other.index].standing == .counted
        return .ignored
      }
      return sizes.contains(detection.box) ? .falseAlarm : .ignored
    }
  }
}

/// A range of face sizes: square roots of the boxes' areas, in pixels.
public struct SizeRange: Hashable, Sendable {
  /// The least size, and the upper bound, which is excluded.
  public var lowerBound, upperBound: Double

  /// The sizes from `lowerBound` up to but not including `upperBound`.
  public init(from lowerBound: Double, to upperBound: Double) {
    (self.lowerBound, self.upperBound) = (lowerBound, upperBound)
  }

  /// Every size.
  public static let all = SizeRange(from: 0, to: .infinity)

  /// Under 16 pixels, from 16 to 32, from 32 to 96, and from 96.
  public static let classes = [
    SizeRange(from: 0, to: 16), SizeRange(from: 16, to: 32), SizeRange(from: 32, to: 96),
    SizeRange(from: 96, to: .infinity),
  ]

  /// Whether a box's size is in the range.
  public func contains(_ box: Box) -> Bool {
    let size = box.area.squareRoot()
    return size >= lowerBound && size < upperBound
  }
}

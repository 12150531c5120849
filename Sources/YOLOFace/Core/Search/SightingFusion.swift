// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceLibC

/// A face as one look saw it, in the picture's pixels.
struct Sighting {
  var face: Face
  /// The position of the look among the passes.
  var pass: Int
}

/// Raises the mean score of several looks, so that about as many faces reach a threshold as in one look at the best
/// scale.
private let power = 0.75

/// The faces that several looks at a picture saw, each once.
///
/// Sightings overlapping the best one of a face are of the same face. Its box and landmarks are their
/// mean, weighted by their scores, one sighting of each look. Its score is the mean over all looks that
/// saw it or should have seen a face of this size, to the power of 0.75 if these are several, so that what one
/// look alone takes for a face counts less. (After Solovyev et al., "Weighted boxes fusion", 2021.)
///
/// - Parameters:
///   - sightings: in any order.
///   - passes: the looks.
/// - Returns: the best score first; no two boxes overlap by an IoU over 0.4.
func fused(_ sightings: [Sighting], of passes: [SearchPass]) -> [Face] {
  let suppression = nonMaximumSuppression(
    of: sightings.map { $0.face }, overlapThreshold: SearchEffort.largestOverlap)
  var groups: [Int: [Sighting]] = [:]
  for index in suppression.kept { groups[index] = [sightings[index]] }
  for (index, keeper) in suppression.suppressor.enumerated() {
    if let keeper { groups[keeper]?.append(sightings[index]) }
  }
  let faces = suppression.kept.compactMap { groups[$0].map { mean(of: $0, passes) } }
  return separate(faces)
}

/// The faces that do not overlap a better one by an IoU over 0.4, the best first.
func separate(_ faces: [Face], overlap: Double = .infinity) -> [Face] {
  nonMaximumSuppression(
    of: faces, overlapThreshold: min(overlap, SearchEffort.largestOverlap)
  ).kept.map { faces[$0] }
}

/// The face of these sightings, of which the first is the best.
private func mean(of sightings: [Sighting], _ passes: [SearchPass]) -> Face {
  var best: [Int: Face] = [:]
  for sighting in sightings {
    if let known = best[sighting.pass], known.score >= sighting.face.score { continue }
    best[sighting.pass] = sighting.face
  }
  // In the order of the passes: the order of a dictionary would change sums.
  let faces = best.sorted { $0.key < $1.key }.map { $0.value }
  let sum = faces.reduce(0) { $0 + Double($1.score) }
  var face = sightings[0].face
  if faces.count > 1, sum > 0 {
    let weights = faces.map { Double($0.score) / sum }
    face.box = Box.mean(of: faces.map { $0.box }, weights: weights)
    let landmarks = faces.compactMap { $0.landmarks }
    if landmarks.count == faces.count {
      face.landmarks = Landmarks.mean(of: landmarks, weights: weights)
    }
  }
  let box = face.box
  let looks = passes.indices.count { best[$0] != nil || passes[$0].isExpectedToFind(box) }
  if looks > 1 { face.score = Float(pow(sum / Double(looks), power)) }
  return face
}

extension Box {
  /// The weighted mean of some rectangles' edges; the weights' sum is 1.
  fileprivate static func mean(of boxes: [Box], weights: [Double]) -> Box {
    func mean(_ value: (Box) -> Double) -> Double {
      zip(boxes, weights).reduce(0) { $0 + value($1.0) * $1.1 }
    }
    return Box(
      x: mean { $0.x }, y: mean { $0.y }, width: mean { $0.width }, height: mean { $0.height })
  }
}

extension Landmarks {
  /// The weighted mean of some faces' points; the weights' sum is 1.
  static func mean(of landmarks: [Landmarks], weights: [Double]) -> Landmarks {
    func mean(_ value: (Landmarks) -> Point2D) -> Point2D {
      zip(landmarks, weights).reduce(Point2D(x: 0, y: 0)) { sum, next in
        let point = value(next.0)
        return Point2D(x: sum.x + next.1 * point.x, y: sum.y + next.1 * point.y)
      }
    }
    return Landmarks(
      rightEye: mean { $0.rightEye }, leftEye: mean { $0.leftEye }, nose: mean { $0.nose },
      rightMouth: mean { $0.rightMouth }, leftMouth: mean { $0.leftMouth })
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

/// The evaluation of WIDER FACE, as its published tools compute it (Yang et al., "WIDER FACE: A
/// Face Detection Benchmark", CVPR 2016; http://shuoyang1213.me/WIDERFACE).
///
/// - Scores are rescaled to 0 to 1 by the lowest and the highest score of the whole set.
/// - A detection belongs to the face of the picture that it overlaps most, whether taken or not.
///   Edges count as whole pixels: a box from x to x + w is w + 1 wide, and likewise its height.
/// - Where that overlap is at least ½ and the face does not count, the detection is ignored;
///   where it counts, the face is found. Every other detection, including a second one of the same
///   face, lowers the precision.
/// - Recall and precision are computed over all pictures together at the 1,000 thresholds 0.999,
///   0.998, … 0; the result is the area under the interpolated curve.
/// - A picture without any face, counted or not, is left out with all its detections.
public struct WIDERProtocol: Hashable, Sendable {
  /// The number of faces that count.
  public let faceCount: Int
  /// The share of these that are found at each threshold, from the highest score down.
  public let recalls: [Double]
  /// The share of the detections that are right at each threshold; 0 where there are none.
  public let precisions: [Double]

  /// The area under the interpolated curve; nil without faces.
  public var averagePrecision: Double? {
    faceCount > 0 ? areaUnderCurve(recalls: recalls, precisions: precisions) : nil
  }

  /// Evaluates a set of pictures by the faces of a subset, or by all that are `.counted` in the ground truth.
  public init(_ pictures: [ExaminedPicture], subset: WIDERSubset? = nil) {
    let scores = pictures.flatMap { $0.detections.map { Double($0.score) } }
    let (lowest, highest) = (scores.min() ?? 0, scores.max() ?? 0)
    // Where all scores are the same, they become 0.
    let spread = highest > lowest ? highest - lowest : 1
    let thresholds = (1...1000).map { 1 - Double($0) / 1000 }
    var faceCount = 0
    var hits = thresholds.map { _ in 0 }
    var proposals = hits
    for picture in pictures {
      let counted = picture.faces.indices.map { index in
        subset?.contains(index, of: picture.name) ?? (picture.faces[index].standing == .counted)
      }
      faceCount += counted.count { $0 }
      if picture.faces.isEmpty { continue }
      let steps = Self.steps(picture, counted)
      var passed = 0
      for (number, threshold) in thresholds.enumerated() {
        while passed < steps.count,
          (Double(picture.detections[passed].score) - lowest) / spread >= threshold
        {
          passed += 1
        }
        guard passed > 0 else { continue }
        hits[number] += steps[passed - 1].hits
        proposals[number] += steps[passed - 1].proposals
      }
    }
    self.faceCount = faceCount
    recalls = hits.map { faceCount > 0 ? Double($0) / Double(faceCount) : 0 }
    precisions = zip(hits, proposals).map { $1 > 0 ? Double($0) / Double($1) : 0 }
  }

  /// The faces found, and the detections not ignored, after each detection.
  private static func steps(
    _ picture: ExaminedPicture, _ counted: [Bool]
  ) -> [(hits: Int, proposals: Int)] {
    var isFound = [Bool](repeating: false, count: counted.count)
    var (hits, proposals) = (0, 0)
    return picture.detections.map { detection in
      var (best, bestOverlap) = (0, 0.0)
      for (index, face) in picture.faces.enumerated() {
        let overlap = pixelOverlap(face.box, detection.box)
        if overlap > bestOverlap { (best, bestOverlap) = (index, overlap) }
      }
      let isOnFace = bestOverlap >= 0.5
      if !isOnFace || counted[best] { proposals += 1 }
      if isOnFace, counted[best], !isFound[best] {
        isFound[best] = true
        hits += 1
      }
      return (hits, proposals)
    }
  }
}

/// The intersection over union of boxes whose last row and column are inside.
private func pixelOverlap(_ a: Box, _ b: Box) -> Double {
  let width = min(a.maxX, b.maxX) - max(a.minX, b.minX) + 1
  let height = min(a.maxY, b.maxY) - max(a.minY, b.minY) + 1
  guard width > 0, height > 0 else { return 0 }
  let intersection = width * height
  return intersection
    / ((a.width + 1) * (a.height + 1) + (b.width + 1) * (b.height + 1) - intersection)
}

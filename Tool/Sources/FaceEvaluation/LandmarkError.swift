// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

/// The error of landmarks: the distance of each point from the ground truth, divided by the distance
/// between its eyes (normalised mean error, NME).
public struct LandmarkError: Hashable, Sendable {
  /// The number of faces that count and have landmarks, with two different eyes, in the ground truth.
  public let faceCount: Int
  /// The number of those that were found with landmarks, over which the errors are averaged.
  public let foundCount: Int
  /// The mean error of each point, in the order of `Landmarks.points`; nil where no face was found.
  public let points: [Double]?

  /// The mean over the points.
  public var mean: Double? { points.map { $0.reduce(0, +) / Double($0.count) } }

  /// The error over a set of pictures, of the detections that the matching gives to the faces.
  public init(_ pictures: [ExaminedPicture], matching: FaceMatching = FaceMatching()) {
    var (faceCount, foundCount) = (0, 0)
    var sums = [Double](repeating: 0, count: Landmarks.names.count)
    for picture in pictures {
      faceCount += picture.faces.count { matching.counts($0) && distanceOfEyes($0) != nil }
      for (detection, outcome) in zip(picture.detections, matching.outcomes(of: picture)) {
        guard case .hit(let index) = outcome, let truth = picture.faces[index].landmarks,
          let found = detection.landmarks, let unit = distanceOfEyes(picture.faces[index])
        else { continue }
        foundCount += 1
        for (number, pair) in zip(truth.points, found.points).enumerated() {
          sums[number] += pair.0.distance(to: pair.1) / unit
        }
      }
    }
    (self.faceCount, self.foundCount) = (faceCount, foundCount)
    points = foundCount > 0 ? sums.map { $0 / Double(foundCount) } : nil
  }
}

/// nil without landmarks, or where both eyes are in one place.
private func distanceOfEyes(_ face: GroundTruthFace) -> Double? {
  guard let landmarks = face.landmarks else { return nil }
  let eyes = landmarks.rightEye.distance(to: landmarks.leftEye)
  return eyes > 0 ? eyes : nil
}

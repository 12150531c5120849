// SPDX-License-Identifier: Apache-2.0

/// The share of the faces that are found (recall) and of the detections that are right (precision)
/// as the score threshold falls.
public struct PrecisionRecallCurve: Hashable, Sendable {
  /// The number of faces that count.
  public let faceCount: Int
  /// The share of these that are found, after each detection that is not ignored, best score first; empty without faces.
  public let recalls: [Double]
  /// The share of right detections among those, likewise.
  public let precisions: [Double]
  /// The score of each of these detections.
  public let scores: [Float]
  /// The best precision at this detection or later.
  private let interpolatedPrecisions: [Double]

  /// The curve of scored detections, each right or wrong; equal scores keep the order given.
  public init(faceCount: Int, detections: [(score: Float, isHit: Bool)]) {
    self.faceCount = faceCount
    var (recalls, precisions) = ([Double](), [Double]())
    var hits = 0
    let sorted = detections.sorted { $0.score > $1.score }
    for (index, detection) in sorted.enumerated() where faceCount > 0 {
      if detection.isHit { hits += 1 }
      recalls.append(Double(hits) / Double(faceCount))
      precisions.append(Double(hits) / Double(index + 1))
    }
    (self.recalls, self.precisions) = (recalls, precisions)
    scores = faceCount > 0 ? sorted.map(\.score) : []
    interpolatedPrecisions = runningMaximumFromEnd(precisions)
  }

  /// The curve of a set of pictures.
  public init(_ pictures: [ExaminedPicture], matching: FaceMatching = FaceMatching()) {
    var faceCount = 0
    var detections: [(score: Float, isHit: Bool)] = []
    for picture in pictures {
      faceCount += picture.faces.count(where: matching.counts)
      for (detection, outcome) in zip(picture.detections, matching.outcomes(of: picture))
      where outcome != .ignored {
        detections.append((detection.score, outcome != .falseAlarm))
      }
    }
    self.init(faceCount: faceCount, detections: detections)
  }

  /// The best precision at a recall or above it; 0 beyond the last recall.
  public func interpolatedPrecision(atRecall recall: Double) -> Double {
    var (low, high) = (0, recalls.count)
    while low < high {
      let middle = (low + high) / 2
      if recalls[middle] < recall { low = middle + 1 } else { high = middle }
    }
    return low < recalls.count ? interpolatedPrecisions[low] : 0
  }

  /// Average precision as PASCAL VOC defines it since 2010, the area under the interpolated curve; nil without faces.
  public var averagePrecision: Double? {
    faceCount > 0 ? areaUnderCurve(recalls: recalls, precisions: precisions) : nil
  }

  /// Average precision as COCO defines it, the mean of the interpolated precision at the recalls 0, 0.01, 0.02, … 1;
  /// nil without faces. All detections count, in COCO's own tool by default only the best 100 of a picture.
  public var cocoAveragePrecision: Double? {
    guard faceCount > 0 else { return nil }
    // Multiplied, as cocoeval's linspace does: 28 · 0.01 lies above the recall of 7 faces of 25.
    return (0...100).reduce(0) { $0 + interpolatedPrecision(atRecall: Double($1) * 0.01) } / 101
  }
}

/// The area under a curve whose precision at a recall is the best at that recall or above it. Recalls ascend
/// from 0 to 1, and each has a precision.
func areaUnderCurve(recalls: [Double], precisions: [Double]) -> Double {
  var (area, last) = (0.0, 0.0)
  for (recall, precision) in zip(recalls, runningMaximumFromEnd(precisions)) {
    area += (recall - last) * precision
    last = recall
  }
  return area
}

private func runningMaximumFromEnd(_ values: [Double]) -> [Double] {
  var result = values
  for index in result.indices.dropLast().reversed() {
    result[index] = max(result[index], result[index + 1])
  }
  return result
}

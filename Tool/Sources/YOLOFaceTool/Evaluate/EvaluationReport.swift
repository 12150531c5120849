// SPDX-License-Identifier: Apache-2.0
import YOLOFaceEvaluation
import YOLOFaceFormatting
import YOLOFaceReport

struct DetectorAccuracy {
  let curve: PrecisionRecallCurve
  let sizes: [(range: SizeRange, curve: PrecisionRecallCurve)]
  /// WIDER FACE's protocol: all faces, then each subset.
  let wider: [(name: String, result: WIDERProtocol)]
  let landmarks: LandmarkError
  let ignoredFaces: Int
  let detections: Int

  init(_ pictures: [ExaminedPicture], subsets: [WIDERSubset]) {
    curve = PrecisionRecallCurve(pictures)
    sizes = SizeRange.classes.map {
      ($0, PrecisionRecallCurve(pictures, matching: FaceMatching(sizes: $0)))
    }
    wider =
      [("all", WIDERProtocol(pictures))]
      + subsets.map { ($0.name, WIDERProtocol(pictures, subset: $0)) }
    landmarks = LandmarkError(pictures)
    ignoredFaces = pictures.reduce(0) { $0 + $1.faces.count } - curve.faceCount
    detections = pictures.reduce(0) { $0 + $1.detections.count }
  }
}

extension SizeRange {
  var name: String {
    switch (lowerBound, upperBound) {
    case (0, .infinity): "all"
    case (0, _): "under \(Int(upperBound)) px"
    case (_, .infinity): "over \(Int(lowerBound)) px"
    default: "\(Int(lowerBound))-\(Int(upperBound)) px"
    }
  }
}

/// Of detections that were written before, only their path is known, and the score from which they count.
struct EvaluationConditions: Encodable {
  var detections, weights: String?
  var longSide: Int?
  var scoreThreshold, iouThreshold: Double?
  /// How closely pictures were searched; nil for one look.
  var effort: String?
}

/// Values without a face to compute them from are null in JSON.
struct EvaluationReport: Encodable {
  struct AveragePrecision: Encodable {
    var name: String
    var faces: Int
    /// The area under the interpolated curve.
    @OrNull var voc: Double?
    /// The mean at 101 recalls.
    @OrNull var coco: Double?
  }

  struct WIDERPrecision: Encodable {
    var name: String
    var faces: Int
    @OrNull var averagePrecision: Double?
  }

  /// Landmark errors, relative to the distance between the eyes.
  struct Landmarks: Encodable {
    var faces, found: Int
    var mean, rightEye, leftEye, nose, rightMouth, leftMouth: Double
  }

  var conditions: EvaluationConditions
  var pictures: Int
  /// The number of pictures that could not be read; they count towards nothing else.
  var leftOut: Int
  var detections, ignoredFaces: Int
  var averagePrecision: [AveragePrecision]
  var wider: [WIDERPrecision]
  /// Absent if no face with known landmarks was found.
  var landmarkError: Landmarks?

  init(
    _ accuracy: DetectorAccuracy, conditions: EvaluationConditions, pictures: Int, leftOut: Int
  ) {
    func rounded(_ number: Double) -> Double { YOLOFaceFormatting.rounded(number, places: 6) }
    (self.conditions, self.pictures, self.leftOut) = (conditions, pictures, leftOut)
    (detections, ignoredFaces) = (accuracy.detections, accuracy.ignoredFaces)
    averagePrecision = ([(SizeRange.all, accuracy.curve)] + accuracy.sizes).map {
      AveragePrecision(
        name: $0.name, faces: $1.faceCount, voc: $1.averagePrecision.map(rounded),
        coco: $1.cocoAveragePrecision.map(rounded))
    }
    wider = accuracy.wider.map {
      WIDERPrecision(
        name: $0, faces: $1.faceCount, averagePrecision: $1.averagePrecision.map(rounded))
    }
    let landmarks = accuracy.landmarks
    if let mean = landmarks.mean, let points = landmarks.points?.map(rounded) {
      landmarkError = Landmarks(
        faces: landmarks.faceCount, found: landmarks.foundCount, mean: rounded(mean),
        rightEye: points[0], leftEye: points[1], nose: points[2], rightMouth: points[3],
        leftMouth: points[4])
    }
  }

  var text: String {
    func text(_ number: Double) -> String { fixed(number, decimals: 4) }
    func cell(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    func number(_ number: Double?) -> String { cell(number.map(text) ?? "-", 10) }
    func label(_ text: String) -> String {
      "  " + text + String(repeating: " ", count: max(0, 14 - text.count))
    }
    var lines = [
      conditions.detections.map { "detections \(printable($0))" }
        ?? "weights \(printable(conditions.weights ?? ""))",
      [
        conditions.longSide.map { "long side \($0)" },
        "scores from \(conditions.scoreThreshold ?? 0)",
        conditions.iouThreshold.map { "suppression over IoU \($0)" }, conditions.effort,
      ].compactMap(\.self).joined(separator: ", "),
      counted(pictures, "picture") + (leftOut > 0 ? ", \(leftOut) more left out" : "")
        + ", \(counted(averagePrecision[0].faces, "face")), \(ignoredFaces) ignored, "
        + counted(detections, "detection"),
      "average precision, IoU 0.5",
      label("") + cell("faces", 8) + cell("VOC", 10) + cell("COCO", 10),
    ]
    lines += averagePrecision.map {
      label($0.name) + cell("\($0.faces)", 8) + number($0.voc) + number($0.coco)
    }
    lines.append("by the protocol of WIDER FACE")
    lines += wider.map {
      label(printable($0.name)) + cell("\($0.faces)", 8) + number($0.averagePrecision)
    }
    if let error = landmarkError {
      let points = [error.rightEye, error.leftEye, error.nose, error.rightMouth, error.leftMouth]
      lines += [
        "landmark error \(text(error.mean)) of the distance between the eyes, "
          + "\(error.found) of \(counted(error.faces, "face"))",
        "  " + landmarkText(points.map(text)),
      ]
    }
    return lines.joined(separator: "\n")
  }
}

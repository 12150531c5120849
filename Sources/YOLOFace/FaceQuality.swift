// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceLibC
import YOLOFaceRaster

/// How good a picture of a face is, for recognising it or keeping it: five properties and their product,
/// each from 0, useless, to 1, as good as it needs to be.
///
/// ```swift
/// let sharp = faces.filter { (image.quality(of: $0)?.score ?? 0) > 0.5 }
/// ```
public struct FaceQuality: Hashable, Sendable {
  /// How large the face is: 0 where its eyes are 4 pixels apart or less, 1 from 48 pixels on, in between
  /// by the logarithm.
  public let size: Double
  /// How sharp the face is at the size of 112 pixels to which recognition models scale it: the mean
  /// difference of a pixel from its neighbours, as a share of the contrast.
  public let sharpness: Double
  /// How well the face is lit: neither dark nor bleached nor without contrast.
  public let light: Double
  /// How frontal the face is, by its yaw and pitch; 0 where its landmarks determine no pose.
  public let pose: Double
  /// How much of the face's box is inside the picture.
  public let completeness: Double

  /// The product of the five.
  public var score: Double { size * sharpness * light * pose * completeness }

  /// The distances between the eyes, in pixels, that count as 0 and as 1.
  private static let (leastEyes, enoughEyes) = (4.0, 48.0)
  /// Likewise for the mean absolute Laplacian, as a share of the standard deviation.
  private static let (leastDetail, enoughDetail) = (0.02, 0.2)
  /// Likewise for the mean brightness, 0 to 255, from below and from above, and for the contrast, the
  /// standard deviation.
  private static let (leastLight, enoughLight) = (15.0, 90.0)
  private static let (mostLight, tooMuchLight) = (215.0, 250.0)
  private static let (leastContrast, enoughContrast) = (4.0, 24.0)
  /// Likewise for the cosine of the angle to the viewer.
  private static let (leastFrontal, enoughFrontal) = (0.3, 0.95)

  fileprivate init(_ face: Face, _ landmarks: Landmarks, _ portrait: Portrait, in size: Size2D) {
    let eyes = landmarks.rightEye.distance(to: landmarks.leftEye)
    self.size = ramp(log2(eyes), from: log2(Self.leastEyes), to: log2(Self.enoughEyes))
    // A noise of four steps is in every picture.
    sharpness = ramp(
      portrait.detail / (portrait.contrast + 4), from: Self.leastDetail, to: Self.enoughDetail)
    light =
      ramp(portrait.brightness, from: Self.leastLight, to: Self.enoughLight)
      * (1 - ramp(portrait.brightness, from: Self.mostLight, to: Self.tooMuchLight))
      * ramp(portrait.contrast, from: Self.leastContrast, to: Self.enoughContrast)
    pose =
      HeadPose(of: face).map {
        let frontal = cos($0.yaw * .pi / 180) * cos($0.pitch * .pi / 180)
        return ramp(frontal, from: Self.leastFrontal, to: Self.enoughFrontal)
      } ?? 0
    completeness = face.box.isDegenerate ? 0 : face.box.clipped(to: size).area / face.box.area
  }
}

extension RGBImage {
  /// How good the picture of a face is; nil where the face has no landmarks, or they determine no
  /// position, or it is upside down.
  ///
  /// - Parameter face: in this picture's pixels.
  public func quality(of face: Face) -> FaceQuality? {
    guard !face.isMarkedUpsideDown, let landmarks = face.landmarks,
      let alignment = try? FaceAlignment(landmarks),
      let aligned = try? square(alignment.fit.transform, side: alignment.side, background: .black)
    else { return nil }
    return FaceQuality(face, landmarks, Portrait(aligned), in: size)
  }

  /// The faces with the sharpest first, by `FaceQuality.sharpness`; those without quality come last, and
  /// equal ones stay in their order.
  ///
  /// - Parameter faces: in this picture's pixels.
  @_spi(Tool) public func sharpestFirst(_ faces: [Face]) -> [Face] {
    let ranked = faces.map { (face: $0, sharpness: quality(of: $0)?.sharpness ?? -1) }
    return ranked.sorted { $0.sharpness > $1.sharpness }.map(\.face)
  }
}

/// What the pixels of an aligned face say.
private struct Portrait {
  /// The mean brightness, 0 to 255.
  let brightness: Double
  /// Its standard deviation.
  let contrast: Double
  /// The mean absolute Laplacian.
  let detail: Double

  /// The part of the aligned picture that shows the face alone, without hair and background.
  private static let (columns, rows) = (20..<92, 24..<104)

  init(_ picture: RGBImage) {
    func luma(_ x: Int, _ y: Int) -> Double {
      let color = picture[x, y]
      return 0.299 * Double(color.red) + 0.587 * Double(color.green) + 0.114 * Double(color.blue)
    }
    var (sum, squares, differences) = (0.0, 0.0, 0.0)
    for y in Self.rows {
      for x in Self.columns {
        let value = luma(x, y)
        sum += value
        squares += value * value
        let around = luma(x - 1, y) + luma(x + 1, y) + luma(x, y - 1) + luma(x, y + 1)
        differences += abs(4 * value - around)
      }
    }
    let count = Double(Self.rows.count * Self.columns.count)
    brightness = sum / count
    contrast = max(0, squares / count - brightness * brightness).squareRoot()
    detail = differences / count
  }
}

/// 0 up to `low` and for NaN, 1 from `high` on, linear in between.
private func ramp(_ x: Double, from low: Double, to high: Double) -> Double {
  x.isNaN ? 0 : min(max((x - low) / (high - low), 0), 1)
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceRaster

/// A hint that a search probably misses faces, and the long side of the network's input that would show more.
public struct SearchHint: Hashable, Sendable {
  /// What gives it away.
  public enum Reason: Sendable {
    /// Many of the faces found are near the smallest size that can be found.
    case manyAreSmall
    /// The picture is shrunk to less than a sixth, in its nearest look.
    case isMuchShrunk
  }

  /// What gives it away.
  public let reason: Reason
  /// The long side to try.
  public let longSide: Int

  /// The least number of faces that are hardly found, and their least share.
  fileprivate static let (leastCount, leastShare) = (8, 0.25)
  /// Enlarging a picture further shows no more detail.
  fileprivate static let mostEnlarged = 2.0
  /// Pixels of the input for each of the picture, below which faces that people see at once may be missed.
  fileprivate static let leastScale = 1.0 / 6
}

extension FaceDetector {
  /// What would probably show more faces; nil where nothing says that any are missed, or the network takes no
  /// larger input.
  ///
  /// - Parameters:
  ///   - faces: found in the picture, in its pixels.
  ///   - image: the stored picture.
  ///   - options: those that found the faces.
  public func hint(
    after faces: [Face], in image: RGBImage, options: DetectionOptions = DetectionOptions()
  ) throws(DetectionError) -> SearchHint? {
    guard recipe.letterbox.fixedSize == nil else { return nil }
    let scale = try looks(at: image, options: options).reduce(0) { max($0, $1.letterbox.scale) }
    let letterbox = try wholeLook(at: image, options: options).letterbox
    let longSide = max(letterbox.inputWidth, letterbox.inputHeight)
    if scale < SearchHint.leastScale {
      let enough = Double(longSide) * SearchHint.leastScale / scale
      let side = max(2 * longSide, recipe.letterbox.roundedUp(Int(enough.rounded(.up))))
      if side <= Letterbox.maximumInputSide {
        return SearchHint(reason: .isMuchShrunk, longSide: side)
      }
    }
    // Small faces that score less are often false detections.
    let faces = faces.filter { $0.score >= options.scoreThreshold }
    let small = faces.count { scale * $0.box.area.squareRoot() < FaceSize.hardlyFound }
    guard options.effort.isOnePass, small >= SearchHint.leastCount,
      Double(small) >= SearchHint.leastShare * Double(faces.count),
      2 * scale <= SearchHint.mostEnlarged, 2 * longSide <= Letterbox.maximumInputSide
    else { return nil }
    return SearchHint(reason: .manyAreSmall, longSide: 2 * longSide)
  }
}

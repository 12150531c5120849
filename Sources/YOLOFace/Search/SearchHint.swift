import FaceDecoding
import Geometry
import Raster

/// When a search probably misses faces; sizes are roots of boxes' areas in pixels of the network's input.
private enum SearchHint {
  /// Below this, half of the faces and more are missed.
  static let nearSmallest = 20.0
  /// The least number of such faces, and their least share.
  static let (leastCount, leastShare) = (8, 0.25)
  /// Enlarging a picture further shows no more detail.
  static let mostEnlarged = 2.0
}

extension FaceDetector {
  /// The long side of the network's input that would probably show more faces, twice the present one;
  /// nil where few of the faces found are near the smallest size that can be found, where the picture
  /// would be enlarged to more than twice its size, or where the network takes no larger input.
  ///
  /// - Parameters:
  ///   - faces: found in the picture, in its pixels.
  ///   - image: the stored picture.
  ///   - options: those that found the faces.
  /// - Throws: `LetterboxError` where the size of the picture or of the input is out of bounds.
  public func promisingLongSide(
    after faces: [Face], in image: RGBImage, options: DetectionOptions = DetectionOptions()
  ) throws(LetterboxError) -> Int? {
    guard options.effort == .once, recipe.letterbox.fixedSize == nil else { return nil }
    let scale = try scale(ofStored: image, options: options)
    // Small faces that score less are often false detections.
    let faces = faces.filter { $0.score >= options.scoreThreshold }
    let small = faces.count { scale * $0.box.area.squareRoot() < SearchHint.nearSmallest }
    let side = (options.letterbox ?? recipe.letterbox.standardMode).longSide
    guard small >= SearchHint.leastCount,
      Double(small) >= SearchHint.leastShare * Double(faces.count),
      2 * scale <= SearchHint.mostEnlarged, 2 * side <= Letterbox.maximumInputSide
    else { return nil }
    return 2 * side
  }
}

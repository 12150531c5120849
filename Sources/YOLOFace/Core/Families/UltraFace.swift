// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

extension FaceFamily {
  /// Ultra-Light-Fast-Generic-Face-Detector-1MB, RFB or slim: square prior boxes as `retinaFace`'s, whose
  /// cells divide the input, and two classes.
  ///
  /// Its blobs hold two and four channels for each anchor: background and face, and the box's t. The
  /// score is the face's share of a softmax, σ(face − background). Relatives with landmarks
  /// have a blob of ten more for each anchor, and cells of `stride` pixels.
  ///
  /// https://github.com/Linzaer/Ultra-Light-Fast-Generic-Face-Detector-1MB,
  /// https://github.com/biubug6/Face-Detector-1MB-with-landmark
  public static let ultraFace = FaceFamily(
    "ultraFace", name: "UltraFace", proposals: .anchors,
    maps: [Map(.scores, 2), Map(.boxes, 4), Map(.points, 10)],
    forms: [
      levels(
        squares: [(8, [10, 16, 24]), (16, [32, 48]), (32, [64, 96]), (64, [128, 192, 256])])
    ],
    feed: { recipe, _ in
      if recipe.levels.contains(where: { $0.points != nil }) { return recipe.useMeansOfImageNet() }
      recipe.mean = [127, 127, 127]
      recipe.divisor = 128
      recipe.fill = 127
      recipe.size = .fixed(Letterbox.InputSize(width: 320, height: 240), isStretched: true)
    }
  ) { $0.priorBoxes(order: .byAnchor, dividesInput: !$0.hasPoints) }
}

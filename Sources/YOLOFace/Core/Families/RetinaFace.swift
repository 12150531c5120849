// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceNCNN

extension FaceFamily {
  /// RetinaFace: square prior boxes, two classes, landmarks.
  ///
  /// Its blobs hold two, four and ten channels for each anchor: background and face, the box's t, and
  /// x and y of right eye, left eye, nose, right mouth corner and left mouth corner. The score is the
  /// face's share of a softmax, σ(face − background). With the variances v and w, v and w being 0.1 and 0.2
  /// by default, four values t decode to network input pixels:
  ///
  ///     box centre  point + v · (t0, t1) · anchor
  ///     box size    anchor · exp(w · (t2, t3))
  ///     landmark    point + v · (t0, t1) · anchor
  ///
  /// Deng et al., "RetinaFace: Single-stage Dense Face Localisation in the Wild", 2019,
  /// https://arxiv.org/abs/1905.00641. There are two lines of weights. Those of the authors
  /// (https://github.com/deepinsight/insightface) have anchors around a point 8 pixels into each cell,
  /// on every stride, and no variances. Those of the most used PyTorch implementation
  /// (https://github.com/biubug6/Pytorch_Retinaface) have anchors around the cell's middle and the
  /// variances 0.1 and 0.2.
  public static let retinaFace = FaceFamily(
    "retinaFace", name: "RetinaFace", proposals: .anchors,
    maps: [Map(.scores, 2), Map(.boxes, 4), Map(.points, 10)],
    forms: [levels(squares: [(8, [16, 32]), (16, [64, 128]), (32, [256, 512])])],
    feed: { recipe, levels in
      guard levels.contains(where: { $0.maps.contains { $0.hasClassesOneAfterTheOther } }) else {
        return recipe.useMeansOfImageNet()
      }
      // The authors' weights, which have the larger anchor first.
      recipe.divisor = 1
      recipe.fill = 0
      recipe.classOrder = .byClass
      recipe.variances = [1, 1]
      recipe.anchorCenter = 8
      for index in recipe.levels.indices { recipe.levels[index].anchors?.reverse() }
    }
  ) { $0.priorBoxes(order: $0.recipe.classOrder ?? .byAnchor) }
}

extension OutputMap {
  /// Whether a softmax reads channels whose first half is one class and whose second half is the
  /// other.
  fileprivate var hasClassesOneAfterTheOther: Bool {
    guard let reshape = layers.first?.as(Reshape.self), layers.count > 1,
      layers[1].as(Softmax.self) != nil
    else { return false }
    return reshape.sizes.count == 3 && reshape.sizes[0] == 2
  }
}

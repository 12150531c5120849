// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

extension FaceFamily {
  /// YOLOv5 of one class, with boxes as `yolo7Face`'s and no landmarks: the 6 channels of each anchor are tx, ty, tw,
  /// th, objectness and class.
  ///
  /// Its anchors are learned: they stand as constants in the network's file.
  public static let yolo5 = FaceFamily(
    "yolo5", name: "YOLOv5", proposals: .anchors, maps: [Map(.values, 6)],
    forms: [levels(8, 16, 32, proposals: 3)], note: ", and anchors as constants behind them",
    accepts: { recipe, levels, network in
      let anchors = network.constantAnchors
      guard anchors.count == levels.count else { return false }
      for index in levels.indices {
        recipe.levels[index].anchors = anchors[index]
        recipe.levels[index].proposals = nil
      }
      return true
    }
  ) { $0.yolo7() }
}

extension Network {
  /// The three anchors of each stride, small ones first, that the decoding of YOLOv5 multiplies by at every cell.
  /// It adds other constants of this form, the cells, which begin below zero.
  fileprivate var constantAnchors: [[[Double]]] {
    var found: [[[Double]]] = []
    for layer in layers {
      guard let data = layer.operation.as(MemoryData.self), data.sizes.count == 4,
        data.sizes[0] == 3, data.sizes[3] == 2, let values = layer.weights.first?.floats
      else { continue }
      let anchors = (0..<3).map { anchor in
        let first = values.count / 3 * anchor
        return [Double(values[first]), Double(values[first + 1])]
      }
      if anchors[0][0] > 0 { found.append(anchors) }
    }
    return found.sorted { $0[0][0] < $1[0][0] }
  }
}

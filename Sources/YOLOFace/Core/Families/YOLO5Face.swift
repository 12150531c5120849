// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceDecoding
import YOLOFaceNCNN

extension FaceFamily {
  /// YOLO5Face, see `YOLO5FaceHead`.
  public static let yolo5Face = FaceFamily(
    "yolo5Face", name: "YOLO5Face", proposals: .anchors,
    maps: [Map(.values, YOLO5FaceHead.valuesPerAnchor, holdsPoints: true)],
    otherMaps: [[Map(.cells, YOLO5FaceHead.valuesPerAnchor, holdsPoints: true)]],
    forms: [YOLO5FaceHead.yoloFace, YOLO5FaceHead.fourStrides, YOLO5FaceHead.twoStrides].map {
      $0.map {
        FamilyRecipe.Level(
          stride: $0.stride, anchors: $0.anchors.map { [$0.width, $0.height] })
      }
    },
    accepts: { recipe, levels, _ in
      for (index, level) in levels.enumerated() {
        guard let cells = level.maps[0].cellsOfSixteen else { continue }
        (recipe.levels[index].values, recipe.levels[index].cells) = (nil, cells)
      }
      return true
    }
  ) { level in
    let head = YOLO5FaceHead(stride: level.stride, anchors: level.anchors)
    if level.maps[0].key == .cells { return head.reading(level.maps[0].blob) }
    // The 16 values of each anchor in turn: (16 · anchors) × rows × columns.
    @Sendable func value(_ cell: CellValues, _ index: Int) -> Double {
      cell[0, YOLO5FaceHead.valuesPerAnchor * cell.anchor + index]
    }
    @Sendable func values(_ cell: CellValues) -> SIMD16<Float> {
      var values = SIMD16<Float>()
      for index in values.indices { values[index] = Float(value(cell, index)) }
      return values
    }
    return FaceHead(
      level, scoring: "σ(objectness) · σ(class)",
      parts: [
        ("objectness", { sigmoid(value($0, YOLO5FaceHead.objectnessIndex)) }),
        ("class", { sigmoid(value($0, YOLO5FaceHead.classIndex)) }),
      ],
      limit: { value($0, YOLO5FaceHead.objectnessIndex) },
      numbers: YOLO5FaceHead.numbers
    ) { cell in
      head.decode(
        values(cell), anchor: cell.anchor, column: cell.column, row: cell.row,
        threshold: ScoreThreshold(0))
    }
  }
}

extension OutputMap {
  /// The output, where it is the map as anchors × cells × 16.
  fileprivate var cellsOfSixteen: String? {
    guard layers.count == 2, let reshape = layers[0].as(Reshape.self),
      let permute = layers[1].as(Permute.self)
    else { return nil }
    return reshape.sizes == [channels / 16, 16, -1] && permute.order == 1 ? output : nil
  }
}

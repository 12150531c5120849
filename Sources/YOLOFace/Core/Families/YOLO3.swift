// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceLibC
import YOLOFaceNCNN

extension FaceFamily {
  /// YOLOv3 of one class, as darknet2ncnn converts it: its maps end in a Yolov3DetectionOutput, which names the anchors
  /// and the strides.
  ///
  /// Its blobs hold 6 channels for each anchor:
  ///
  ///     0 … 3    box: tx, ty, tw, th
  ///     4, 5     objectness, class
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     box centre  (σ(t) + cell) · stride, cell being (column, row)
  ///     box size    exp(t) · anchor
  ///     score       1 / (1 + exp(−objectness) · (1 + exp(−class))), as ncnn has it
  ///
  /// Without its last layer, a network ends in the maps of many detectors, and needs a recipe. That of YOLOv5 gives
  /// other boxes, so `ModelRecipe.requireFit` refuses it for maps that the last layer reads.
  ///
  /// Redmon and Farhadi, "YOLOv3: An Incremental Improvement", 2018, https://arxiv.org/abs/1804.02767;
  /// https://github.com/dog-qiuqiu/MobileNet-Yolo.
  public static let yolo3: FaceFamily = FaceFamily(
    "yolo3", name: "YOLOv3", proposals: .anchors, maps: [Map(.values, 6)], forms: [],
    note: "one output, of Yolov3DetectionOutput with one class",
    recognize: { network in
      guard let last = network.layers.last,
        let output = last.operation.as(YoloDetectionOutput.self),
        network.outputs == last.outputs, network.inputs.count == 1, output.classes == 1,
        let levels = output.levels(last.inputs)
      else { return nil }
      var recipe = FamilyRecipe(
        family: .yolo3, input: network.inputs[0], planes: .rgb, mean: [0, 0, 0], divisor: 255,
        fill: 128, size: .multiples(of: 32), levels: levels)
      if let size = network.declaredSize, size.width % 32 == 0, size.height % 32 == 0 {
        recipe.size = .usual(size, isStretched: true, multiplesOf: 32)
      }
      return recipe
    }
  ) { level in
    let (scale, anchors) = (Double(level.stride), level.anchors)
    @Sendable func value(_ cell: CellValues, _ index: Int) -> Double {
      cell[0, 6 * cell.anchor + index]
    }
    return FaceHead(
      level, scoring: "1 / (1 + exp(−objectness) · (1 + exp(−class)))",
      parts: [
        ("objectness", { sigmoid(value($0, 4)) }), ("class", { sigmoid(value($0, 5)) }),
      ],
      limit: { value($0, 4) },
      numbers: [
        .init(.center, "(σ(t) + C) · S"), .init(.size, "exp(t) · A", from: 2),
        .init(["objectness"], "σ(t)", from: 4), .init(["class"], "σ(t)", from: 5),
      ]
    ) { cell in
      let anchor = anchors[cell.anchor]
      return Face(
        score: Float(1 / (1 + exp(-value(cell, 4)) * (1 + exp(-value(cell, 5))))),
        box: Box(
          center: Point2D(
            x: (sigmoid(value(cell, 0)) + Double(cell.column)) * scale,
            y: (sigmoid(value(cell, 1)) + Double(cell.row)) * scale),
          size: Size2D(
            width: exp(value(cell, 2)) * anchor.width, height: exp(value(cell, 3)) * anchor.height))
      )
    }
  }
}

extension YoloDetectionOutput {
  /// A level for each map; nil where there is another number of them than of strides, or a stride is no whole number.
  fileprivate func levels(_ maps: [String]) -> [FamilyRecipe.Level]? {
    guard !maps.isEmpty, maps.count == strides.count, kinds.count == boxes * maps.count else {
      return nil
    }
    let levels = maps.indices.compactMap { map in
      Int(exactly: strides[map]).map { stride in
        FamilyRecipe.Level(
          stride: stride, values: maps[map],
          anchors: kinds[boxes * map..<boxes * (map + 1)].map { kind in
            [Double(anchors[2 * kind]), Double(anchors[2 * kind + 1])]
          })
      }
    }
    return levels.count == maps.count ? levels.sorted { $0.stride < $1.stride } : nil
  }
}

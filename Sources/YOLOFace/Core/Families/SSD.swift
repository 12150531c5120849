// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceNCNN

extension FaceFamily {
  /// OpenCV's SSD, or a relative of two classes, background and face, whose output is that of ncnn's DetectionOutput:
  /// decoded boxes, of which those that overlap a better one are gone.
  ///
  /// Its blob holds six numbers for each row: class, score, and left, top, right and bottom edge as shares of the
  /// input's sides. Rows of class 0, the background, are empty. All rows belong to one cell that covers the input.
  ///
  /// Liu et al., "SSD: Single Shot MultiBox Detector", 2016, https://arxiv.org/abs/1512.02325.
  public static let ssd: FaceFamily = FaceFamily(
    "ssd", name: "SSD", proposals: .counted, maps: [Map(.values, 6)], forms: [],
    note: "one output, of DetectionOutput with two classes",
    recognize: { network in
      guard let last = network.layers.last,
        let output = last.operation.as(DetectionOutput.self),
        network.outputs == last.outputs, network.inputs.count == 1, output.classes == 2
      else { return nil }
      let size =
        network.sizeOfPriorBoxes ?? network.declaredSize
        ?? Letterbox.InputSize(width: 300, height: 300)
      let level = FamilyRecipe.Level(
        stride: min(max(size.width, size.height), 1024), values: last.outputs[0],
        proposals: output.mostBoxes)
      var recipe = FamilyRecipe(
        family: .ssd, input: network.inputs[0], planes: .bgr, mean: [123, 177, 104], divisor: 1,
        fill: 0, size: .fixed(size, isStretched: true), levels: [level])
      guard let side = network.sideForPriorBoxes else { return recipe }
      recipe.size = .usual(size, isStretched: true)
      if min(size.width, size.height) < side {
        recipe.useMeansOfImageNet()
        recipe.size = .area(side * side)
      }
      return recipe
    }
  ) { level in
    let (stride, rows) = (level.stride, level.anchors.count)
    return FaceHead(
      blobs: level.maps.map { $0.blob }, stride: Letterbox.maximumInputSide,
      anchors: level.anchors, dividesInput: true, scoring: "the score itself",
      shapes: { _ in [[rows, 6]] },
      decoding: { values, grid, cell in
        let size = grid.cellSize(stride: stride, dividesInput: true)
        return (["class", "score"] + .sides).enumerated().map { index, name in
          let t = values[0][6 * cell.anchor + index]
          let side = index < 2 ? 1 : index % 2 == 0 ? size.width : size.height
          return DecodedValue(
            name: name, formula: index < 2 ? "t" : "t · \(brief(side))", raw: t,
            value: Double(t) * side)
        }
      }
    ) { values, grid, threshold, body in
      let input = grid.inputSize ?? Letterbox.InputSize(width: stride, height: stride)
      for row in 0..<rows {
        let numbers = values[0][6 * row..<6 * row + 6].map { Double($0) }
        guard numbers.allSatisfy({ $0.isFinite }), numbers[0] > 0, numbers[1] <= 1,
          Float(numbers[1]) >= threshold.score
        else { continue }
        let (width, height) = (Double(input.width), Double(input.height))
        let box = Box(
          corner: Point2D(x: numbers[2] * width, y: numbers[3] * height),
          opposite: Point2D(x: numbers[4] * width, y: numbers[5] * height))
        body(
          Candidate(
            face: Face(score: Float(numbers[1]), box: box), anchor: row, row: 0, column: 0))
      }
    }
  }
}

extension Network {
  private var priorBoxes: [(layer: Layer, box: PriorBox)] {
    layers.compactMap { layer in
      layer.operation.as(PriorBox.self).map { (layer: layer, box: $0) }
    }
  }

  /// The size of picture that the prior boxes are for; nil where they do not say it, or disagree.
  fileprivate var sizeOfPriorBoxes: Letterbox.InputSize? {
    let sizes = Set(
      priorBoxes.map {
        Letterbox.InputSize(width: $0.box.imageWidth ?? 0, height: $0.box.imageHeight ?? 0)
      })
    return sizes.count == 1 ? sizes.first { $0.width > 0 && $0.height > 0 } : nil
  }

  /// The side of the smallest square input on which every prior box has faces to find; nil where prior boxes are for
  /// one size, or the network works on one only.
  ///
  /// There, a face that fills the input covers half of the smallest prior box of the coarsest map. It is a multiple of
  /// 32, by which most networks reduce their input.
  fileprivate var sideForPriorBoxes: Int? {
    let priors = priorBoxes
    let pictures = copies(of: inputs[0])
    guard
      priors.allSatisfy({ layer, box in
        layer.inputs.count == 2 && pictures.contains(layer.inputs[1])
          && box.imageWidth == nil && box.imageHeight == nil
      }),
      let largest = priors.compactMap({ $0.box.smallSizes.min() }).max(),
      largest > 0, largest <= Float(Letterbox.maximumInputSide)
    else { return nil }
    let side = (Int((Double(largest) / 2.0.squareRoot()).rounded(.up)) + 31) / 32 * 32
    let inference = ShapeInference(partial: self, inputs: [inputs[0]: [3, side, 2 * side]])
    return inference.failures.isEmpty ? side : nil
  }

  /// A blob and the names of all its copies.
  private func copies(of blob: String) -> Set<String> {
    var copies: Set<String> = [blob]
    for layer in layers where layer.isSplit && layer.inputs.allSatisfy(copies.contains) {
      copies.formUnion(layer.outputs)
    }
    return copies
  }
}

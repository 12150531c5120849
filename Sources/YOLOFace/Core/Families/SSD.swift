import FaceDecoding
import NCNN

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
    recognise: { network in
      guard let last = network.layers.last,
        let output = last.operation.as(DetectionOutput.self),
        network.outputs == last.outputs, network.inputs.count == 1, output.classes == 2
      else { return nil }
      let size = network.declaredSize ?? Letterbox.InputSize(width: 300, height: 300)
      let level = FamilyRecipe.Level(
        stride: max(size.width, size.height), values: last.outputs[0], proposals: output.mostBoxes)
      return FamilyRecipe(
        family: .ssd, input: network.inputs[0], planes: .bgr, mean: [123, 177, 104], divisor: 1,
        fill: 0, size: .fixed(size, isStretched: true), levels: [level])
    }
  ) { level in
    let (stride, rows) = (level.stride, level.anchors.count)
    return FaceHead(
      blobs: level.maps.map { $0.blob }, stride: stride, anchors: level.anchors,
      scoring: "the score itself", shapes: { _ in [[rows, 6]] }
    ) { values, grid, threshold, body in
      let input = grid.inputSize ?? Letterbox.InputSize(width: stride, height: stride)
      for row in 0..<rows {
        let numbers = values[0][6 * row..<6 * row + 6].map { Double($0) }
        guard numbers.allSatisfy({ $0.isFinite }), numbers[0] > 0, numbers[1] <= 1,
          Float(numbers[1]) >= threshold.score
        else { continue }
        let (width, height) = (Double(input.width), Double(input.height))
        let box = Rectangle(
          corner: Point(x: numbers[2] * width, y: numbers[3] * height),
          opposite: Point(x: numbers[4] * width, y: numbers[5] * height))
        body(
          Candidate(
            face: Face(score: Float(numbers[1]), box: box), anchor: row, row: 0, column: 0))
      }
    }
  }
}

import Kernels

extension Executor {
  /// A visitor of cells: anchor, row, column and all values.
  typealias CellVisitor = (_ anchor: Int, _ row: Int, _ column: Int, SIMD16<Float>) -> Void

  /// Calls a function with all values of every cell of a head whose objectness is at least so much:
  /// by anchor, then row, then column.
  ///
  /// - Throws: `InferenceError` where the head's blob has not the shape that the picture's rows and
  ///   columns ask for.
  func visitCells(
    _ number: Int, _ layout: HeadLayout, _ pictureRows: Int, _ pictureColumns: Int,
    _ minimumObjectness: Float, _ visit: CellVisitor
  ) throws(InferenceError) {
    let (rows, columns) = (pictureRows / layout.stride, pictureColumns / layout.stride)
    if plan.heads.isEmpty {
      let blob = try tensor(layout.blob)
      let expected = [layout.anchors, rows * columns, HeadLayout.values]
      guard blob.shape == expected else {
        throw InferenceError(
          .shape, found: "shape \(blob.shape) of \(layout.blob)", expected: "\(expected)")
      }
      visitCells(of: blob, layout, rows, columns, minimumObjectness, visit)
      return
    }
    let head = plan.heads[number]
    guard head.objectness.rows == rows, head.objectness.columns == columns else {
      throw InferenceError(
        .shape,
        found: "\(head.objectness.rows) × \(head.objectness.columns) cells of \(layout.blob)",
        expected: "\(rows) × \(columns)")
    }
    for (anchor, place) in head.objectness.channels.enumerated() {
      let objectness = address(place.block) + place.lane
      for pixel in 0..<rows * columns where objectness[pixel * plan.lanes] >= minimumObjectness {
        let (row, column) = pixel.quotientAndRemainder(dividingBy: columns)
        visit(anchor, row, column, values(of: head, anchor: anchor, pixel: pixel))
      }
    }
  }

  /// The same for a head that was computed whole: anchors × (rows · columns) × 16.
  private func visitCells(
    of blob: Tensor, _ layout: HeadLayout, _ rows: Int, _ columns: Int,
    _ minimumObjectness: Float, _ visit: CellVisitor
  ) {
    for cell in 0..<layout.anchors * rows * columns {
      let start = cell * HeadLayout.values
      guard blob.values[start + layout.objectness] >= minimumObjectness else { continue }
      var values = SIMD16<Float>()
      for index in values.indices { values[index] = blob.values[start + index] }
      let (anchor, pixel) = cell.quotientAndRemainder(dividingBy: rows * columns)
      visit(anchor, pixel / columns, pixel % columns, values)
    }
  }

  /// All values of one anchor at one cell, by a convolution of one pixel.
  private func values(of head: Plan.Head, anchor: Int, pixel: Int) -> SIMD16<Float> {
    let step = head.cell
    let groups = anchor * head.groupsPerAnchor..<(anchor + 1) * head.groupsPerAnchor
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: HeadLayout.values) { values in
      guard var output = values.baseAddress else { preconditionFailure("16 values have a place") }
      for group in step.outputs[groups] {
        let run = ConvolutionRun(
          input: arena.start + pixel * plan.lanes, sources: sources + step.sources,
          sourceCount: step.sourceCount, step: plan.lanes,
          weights: weights.start + group.weights, bias: weights.start + group.bias,
          output: output, blockStride: plan.lanes, pixels: 1, activation: .none)
        if group.blocks.count == 2 {
          kernels.convolvePair(run)
        } else {
          kernels.convolveSingle(run)
        }
        output += group.blocks.count * plan.lanes
      }
      return UnsafeRawPointer(values.baseAddress!).loadUnaligned(as: SIMD16<Float>.self)
    }
  }
}

import Kernels

extension Executor {
  /// Computes the output rows of a task from their bordered copy at the start of the scratch
  /// memory. The transformed input, at each position blocks × tiles × L, and the sums, laid out
  /// likewise, follow it.
  func convolveTiles(
    _ step: ConvolutionStep, _ tile: WinogradTile, _ inputBlocks: Int, firstRow: Int, rows: Int,
    scratch: UnsafeMutablePointer<Float>
  ) {
    let lanes = plan.lanes
    let tileRows = tile.count(over: rows)
    let tileColumns = tile.count(over: step.windows.outputColumns)
    let blockTiles = step.taskTiles(tile) * lanes
    let rowElements = step.borderedColumns * lanes
    let transformed = scratch + inputBlocks * step.borderedRows * rowElements
    let inputStride = step.positionStride(tile, blocks: inputBlocks)
    let sumStride = step.positionStride(tile, blocks: 2)
    let sums = transformed + tile.positions * inputStride
    for block in 0..<inputBlocks {
      for tileRow in 0..<tileRows {
        let input = scratch + (block * step.borderedRows + tile.step * tileRow) * rowElements
        kernels.winogradInput(
          WinogradInputRun(
            shape: tile, input: input, rowStride: rowElements, tiles: tileColumns,
            output: transformed + block * blockTiles + tileRow * tileColumns * lanes,
            positionStride: inputStride))
      }
    }
    for group in step.outputs {
      multiply(
        step, tile, group, transformed, inputBlocks, sums, tiles: tileRows * tileColumns)
      for position in 0..<group.blockCount {
        for tileRow in 0..<tileRows {
          let row = tile.outputSide * tileRow
          kernels.winogradOutput(
            WinogradOutputRun(
              shape: tile, input: sums + position * blockTiles + tileRow * tileColumns * lanes,
              positionStride: sumStride,
              bias: weights.start + group.bias + position * lanes, activation: step.activation,
              output: address(group[position]) + (firstRow + row) * step.windows.outputColumns
                * lanes,
              rows: min(tile.outputSide, rows - row), columns: step.windows.outputColumns))
        }
      }
    }
  }

  /// The products at each position, for one or two output blocks.
  private func multiply(
    _ step: ConvolutionStep, _ tile: WinogradTile, _ group: ConvolutionStep.OutputGroup,
    _ transformed: UnsafePointer<Float>, _ inputBlocks: Int, _ sums: UnsafeMutablePointer<Float>,
    tiles: Int
  ) {
    let lanes = plan.lanes
    let inputStride = step.positionStride(tile, blocks: inputBlocks)
    let sumStride = step.positionStride(tile, blocks: 2)
    for position in 0..<tile.positions {
      let run = ConvolutionRun(
        input: transformed + position * inputStride,
        sources: sources + step.sources, sourceCount: step.sourceCount, step: lanes,
        weights: weights.start + group.weights
          + position * step.sourceCount * group.blockCount * lanes,
        bias: zeros.start, output: sums + position * sumStride,
        blockStride: step.taskTiles(tile) * lanes,
        pixels: tiles, activation: .none)
      if group.partner != nil {
        kernels.convolvePair(run)
      } else {
        kernels.convolveSingle(run)
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceKernels

/// The transforms around a product at each position, against the convolution that they replace.
/// Each lane is a channel of its own.
struct WinogradKernelTests {
  private let memory = Memory()

  @Test(arguments: KernelTable.available, [1, 2])
  func transformsComputeAConvolution(_ table: KernelTable, stride: Int) throws {
    let tile = WinogradTile(stride: stride)
    for columns in [1, 2, 3, 4, 5, 7, 8, 11] {
      for rows in 1...tile.outputSide {
        for (activation, activate) in exactActivations {
          let trial = Trial(tile: tile, rows: rows, columns: columns, lanes: table.lanes, memory)
          let results = try trial.run(table, activation, memory)
          let expected = trial.plain().map(activate)
          // At stride 2 the transforms only add; at stride 1 they multiply by roots of 2.
          let difference = largestDifference(of: results, from: expected)
          try #require(
            difference <= (stride == 2 ? 0 : 2e-5), "\(rows) × \(columns), \(activation)")
        }
      }
    }
  }

  @Test func coversARowWithTiles() {
    #expect([1, 4, 5, 8, 9].map(WinogradTile(stride: 1).count) == [1, 1, 2, 2, 3])
    #expect([1, 2, 3, 4, 5].map(WinogradTile(stride: 2).count) == [1, 1, 2, 2, 3])
  }
}

/// A row of tiles with random inputs, weights and biases.
private struct Trial {
  let tile: WinogradTile
  let rows, columns, lanes, tiles, inputColumns: Int
  let weights: [Float]
  let input, bias: UnsafeMutablePointer<Float>

  init(tile: WinogradTile, rows: Int, columns: Int, lanes: Int, _ memory: Memory) {
    (self.tile, self.rows, self.columns, self.lanes) = (tile, rows, columns, lanes)
    weights = memory.randomNumbers(9)
    tiles = tile.count(over: columns)
    inputColumns = (tiles - 1) * tile.step + tile.side
    input = memory.numbers(tile.side * inputColumns * lanes)
    bias = memory.numbers(lanes)
  }

  func run(
    _ table: KernelTable, _ activation: VectorActivation, _ memory: Memory
  ) throws -> [Float] {
    // Strides of one tile more than there are, as in the engine's scratch memory.
    let positionStride = (tiles + 1) * lanes
    let transformed = memory.output(tile.positions * positionStride)
    let output = memory.output(rows * columns * lanes)
    table.winogradInput(
      tile, (UnsafePointer(input), rowStride: inputColumns * lanes), tiles,
      (transformed.start, positionStride: positionStride))
    for (position, weight) in tile.weights(weights).enumerated() {
      for index in 0..<tiles * lanes {
        transformed.start[position * positionStride + index] *= weight
      }
    }
    table.winogradOutput(
      tile, (UnsafePointer(transformed.start), positionStride: positionStride), bias, activation,
      (output.start, rows: rows, columns: columns))
    _ = try transformed.values()
    return try output.values()
  }

  /// The sums of the convolution, rows × columns × L.
  func plain() -> [Float] {
    (0..<rows * columns * lanes).map { index in
      let (y, x, lane) = (index / lanes / columns, index / lanes % columns, index % lanes)
      return (0..<9).reduce(bias[lane]) { sum, tap in
        let (row, column) = (y * tile.stride + tap / 3, x * tile.stride + tap % 3)
        return sum + weights[tap] * input[(row * inputColumns + column) * lanes + lane]
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// Products of matrices by the kernels of convolutions: rows are pixels, columns are channels.
///
/// Unchecked: one thread at a time runs the step that owns it.
final class MatrixProducts: @unchecked Sendable {
  /// The memory of the layer's weights, and the most that they take when they are packed for the next runs.
  let weightBytes, keptBytes: Int
  /// Whether packed weights are kept for the next run.
  private let keepsPacked: Bool
  /// Weights that are packed anew for each product.
  var passingElements: Int { keepsPacked ? 0 : weightBytes / MemoryLayout<Float>.size }
  /// Packed weights by where they are stored.
  private var kept: [Place: AlignedBuffer<Float>] = [:]

  private struct Place: Hashable {
    let address: UnsafePointer<Float>?
    let rows, columns, rowStep: Int
  }

  /// The most weights of a layer that are kept in a second form.
  static let mostKept = 1 << 24
  /// The fewest rows for which a matrix is packed for one product, and the fewest columns.
  private static let leastRows = 4
  private static let leastColumns = 8

  init(_ weights: [[Float]]) {
    let count = weights.reduce(0) { $0 + $1.count }
    weightBytes = count * MemoryLayout<Float>.size
    keepsPacked = count <= Self.mostKept
    keptBytes = keepsPacked ? 2 * weightBytes : 0
  }

  /// The arithmetic of a layer on rows.
  func arithmetic(by kernels: KernelTable) -> RowArithmetic {
    RowArithmetic(
      multiply: { self.multiply($0, $1, $2, by: kernels) },
      map: { kernels.map(VectorActivation($0), &$1) })
  }

  /// `sums + left · right`, row by row. Whether the kernels compute it depends on the sizes alone.
  private func multiply(
    _ left: Matrix, _ right: Matrix, _ sums: [Float]?, by kernels: KernelTable
  ) -> [Float] {
    let isKept = right.isStored && keepsPacked
    guard right.columns >= Self.leastColumns, isKept || left.rows >= Self.leastRows else {
      return left.times(right, plus: sums)
    }
    let left =
      left.columnStep == 1
      ? left : Matrix(left.elements, rows: left.rows, columns: left.columns)
    let packed = isKept ? keptWeights(right, kernels) : right.packed(kernels.lanes)
    var result = left.sums(right, with: sums)
    result.withUnsafeMutableBufferPointer { result in
      left.values.withUnsafeBufferPointer { values in
        guard let result = result.baseAddress, let values = values.baseAddress else { return }
        run(left, values + left.start, packed, columns: right.columns, result, kernels)
      }
    }
    return result
  }

  /// Adds the products to the result: some rows, which stay in the L1 cache, with all columns.
  private func run(
    _ left: Matrix, _ values: UnsafePointer<Float>, _ packed: AlignedBuffer<Float>, columns: Int,
    _ result: UnsafeMutablePointer<Float>, _ kernels: KernelTable
  ) {
    let (lanes, inner) = (kernels.lanes, left.columns)
    let sources = AlignedBuffer(Array(0..<inner))
    let chunk = min(left.rows, max(24, 4608 / inner / 12 * 12))
    let sums = AlignedBuffer<Float>(count: chunk * 2 * lanes)
    for row in stride(from: 0, to: left.rows, by: chunk) {
      let count = min(chunk, left.rows - row)
      for first in stride(from: 0, to: columns, by: 2 * lanes) {
        let blocks = columns - first > lanes ? 2 : 1
        let weights = packed.start + first * (inner + 1)
        let run = ConvolutionRun(
          input: values + row * left.rowStep,
          sources: UnsafeBufferPointer(start: sources.start, count: inner), step: left.rowStep,
          weights: weights, bias: weights + inner * blocks * lanes, output: sums.start,
          blockStride: count * lanes, pixels: count, activation: .none)
        if blocks == 2 { kernels.convolvePair(run) } else { kernels.convolveSingle(run) }
        for block in 0..<blocks {
          let column = first + block * lanes
          let width = min(lanes, columns - column)
          for line in 0..<count {
            let target = result + (row + line) * columns + column
            let source = sums.start + (block * count + line) * lanes
            for lane in 0..<width { target[lane] += source[lane] }
          }
        }
      }
    }
  }

  /// Stored weights, packed.
  private func keptWeights(_ right: Matrix, _ kernels: KernelTable) -> AlignedBuffer<Float> {
    let address = right.values.withUnsafeBufferPointer { $0.baseAddress.map { $0 + right.start } }
    let place = Place(
      address: address, rows: right.rows, columns: right.columns, rowStep: right.rowStep)
    if let packed = kept[place] { return packed }
    let packed = right.packed(kernels.lanes)
    kept[place] = packed
    return packed
  }
}

extension Matrix {
  /// The elements as kernels read weights: row by row of each two blocks of columns, filled up with zeros, and a row
  /// of zeros for the biases.
  fileprivate func packed(_ lanes: Int) -> AlignedBuffer<Float> {
    let width = (columns + lanes - 1) / lanes * lanes
    let packed = AlignedBuffer<Float>(repeating: 0, count: width * (rows + 1))
    values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return }
      for first in stride(from: 0, to: columns, by: 2 * lanes) {
        let (part, count) = (min(2 * lanes, width - first), min(2 * lanes, columns - first))
        let source = values + start + first * columnStep
        let target = packed.start + first * (rows + 1)
        for row in 0..<rows {
          for column in 0..<count {
            target[row * part + column] = source[row * rowStep + column * columnStep]
          }
        }
      }
    }
    return packed
  }
}

extension KernelTable {
  /// Replaces each number by an activation of it; those behind the last whole vector in a vector of their own.
  fileprivate func map(_ activation: VectorActivation, _ numbers: inout [Float]) {
    func apply(_ values: inout [Float], pixels: Int) {
      values.withUnsafeMutableBufferPointer { values in
        guard let start = values.baseAddress else { return }
        activate(start, pixels, activation, start)
      }
    }
    let whole = numbers.count / lanes
    apply(&numbers, pixels: whole)
    var rest = [Float](repeating: 0, count: lanes)
    for (lane, index) in (whole * lanes..<numbers.count).enumerated() {
      rest[lane] = numbers[index]
    }
    apply(&rest, pixels: 1)
    for (lane, index) in (whole * lanes..<numbers.count).enumerated() {
      numbers[index] = rest[lane]
    }
  }
}

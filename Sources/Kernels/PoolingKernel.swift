// SPDX-License-Identifier: Apache-2.0

/// How pooling reduces a window to one value.
public enum WindowSummary: Hashable, Sendable {
  /// The largest value, at least the lowest finite number; NaN is ignored.
  case maximum
  /// The sum divided by `count`, or, where that is nil, by the number of the window's pixels inside
  /// the blob.
  case average(count: Int?)
}

extension InstructionSet {
  /// Computes one row of a pooling.
  @_alwaysEmitIntoClient @inline(__always)
  public static func pool(
    _ rows: UnsafeBufferPointer<UnsafePointer<Float>>, _ columns: WindowColumns,
    _ summary: WindowSummary, to output: UnsafeMutablePointer<Float>
  ) {
    switch summary {
    case .maximum:
      let least = Vector(repeating: -.greatestFiniteMagnitude)
      poolRow(
        rows, columns, to: output, from: least, { maximum($0, $1) }, { largest, _ in largest })
    case .average(let count):
      poolRow(
        rows, columns, to: output, from: Vector.zero, { $0 + $1 },
        { sum, inside in sum / Vector(repeating: Float(count ?? inside)) })
    }
  }
}

/// Computes one row of a pooling: starts from the summary of no values, combines it with each, and
/// makes the result from the summary and their number.
@_alwaysEmitIntoClient @inline(__always)
func poolRow<Vector: SIMD>(
  _ rows: UnsafeBufferPointer<UnsafePointer<Vector.Scalar>>, _ columns: WindowColumns,
  to output: UnsafeMutablePointer<Vector.Scalar>, from start: Vector,
  _ combine: (Vector, Vector) -> Vector, _ finish: (Vector, Int) -> Vector
) {
  let lanes = Vector.scalarCount
  @inline(__always)
  func load(_ source: UnsafePointer<Vector.Scalar>) -> Vector {
    UnsafeRawPointer(source).loadUnaligned(as: Vector.self)
  }
  @inline(__always)
  func store(_ result: Vector, _ x: Int) {
    UnsafeMutableRawPointer(output + x &* lanes).storeBytes(of: result, as: Vector.self)
  }
  var x = 0
  // The usual window, 2 × 2 inside the blob, without loops.
  if rows.count == 2 && columns.kernel == 2 && columns.padLeft == 0 {
    while x < columns.output && x &* columns.stride &+ 2 <= columns.input {
      let upper = rows[0] + x &* columns.stride &* lanes
      let lower = rows[1] + x &* columns.stride &* lanes
      let above = combine(combine(start, load(upper)), load(upper + lanes))
      let all = combine(combine(above, load(lower)), load(lower + lanes))
      store(finish(all, 4), x)
      x &+= 1
    }
  }
  while x < columns.output {
    let inside = columns.inside(from: x &* columns.stride &- columns.padLeft)
    var summary = start
    for row in rows {
      for column in inside { summary = combine(summary, load(row + column &* lanes)) }
    }
    store(finish(summary, rows.count &* inside.count), x)
    x &+= 1
  }
}

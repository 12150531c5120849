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
      pool(rows, columns, to: output, from: least, { maximum($0, $1) }, { largest, _ in largest })
    case .average(let count):
      pool(
        rows, columns, to: output, from: .zero, { $0 + $1 },
        { sum, inside in sum / Vector(repeating: Float(count ?? inside)) })
    }
  }

  /// - Parameters:
  ///   - combine: adds a value to the summary.
  ///   - finish: makes the result from the summary and the number of values.
  @_alwaysEmitIntoClient @inline(__always)
  static func pool(
    _ rows: UnsafeBufferPointer<UnsafePointer<Float>>, _ columns: WindowColumns,
    to output: UnsafeMutablePointer<Float>, from start: Vector,
    _ combine: (Vector, Vector) -> Vector, _ finish: (Vector, Int) -> Vector
  ) {
    var x = 0
    // The usual window, 2 × 2 inside the blob, without loops.
    if rows.count == 2 && columns.kernel == 2 && columns.padLeft == 0 {
      while x < columns.output && x &* columns.stride &+ 2 <= columns.input {
        let upper = rows[0] + x &* columns.stride &* lanes
        let lower = rows[1] + x &* columns.stride &* lanes
        let above = combine(combine(start, load(upper)), load(upper + lanes))
        let all = combine(combine(above, load(lower)), load(lower + lanes))
        store(finish(all, 4), output + x &* lanes)
        x &+= 1
      }
    }
    while x < columns.output {
      let inside = columns.inside(from: x &* columns.stride &- columns.padLeft)
      var summary = start
      for row in rows {
        for column in inside { summary = combine(summary, load(row + column &* lanes)) }
      }
      store(finish(summary, rows.count &* inside.count), output + x &* lanes)
      x &+= 1
    }
  }
}

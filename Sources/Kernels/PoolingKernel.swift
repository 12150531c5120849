/// How pooling reduces a window to one value.
public enum WindowSummary: Hashable, Sendable {
  /// The largest value, at least the lowest finite number; NaN is ignored.
  case maximum
  /// The sum divided by `count`, or, where that is nil, by the number of the window's pixels inside
  /// the blob.
  case average(count: Int?)
}

/// One output row of a pooling, for one block of channels.
public struct PoolingRun {
  /// The input rows under the window that lie inside the blob, W × L each.
  public var rows: UnsafeBufferPointer<UnsafePointer<Float>>
  /// Columns of the input.
  public var inputColumns: Int
  /// Columns of the window.
  public var kernelColumns: Int
  /// Input columns from one output column to the next.
  public var stride: Int
  /// Columns of the border on the left.
  public var padLeft: Int
  /// outputColumns × L.
  public var output: UnsafeMutablePointer<Float>
  /// Columns of the output.
  public var outputColumns: Int
  /// How each window is reduced.
  public var summary: WindowSummary

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    rows: UnsafeBufferPointer<UnsafePointer<Float>>, inputColumns: Int, kernelColumns: Int,
    stride: Int, padLeft: Int, output: UnsafeMutablePointer<Float>, outputColumns: Int,
    summary: WindowSummary
  ) {
    self.rows = rows
    self.inputColumns = inputColumns
    self.kernelColumns = kernelColumns
    self.stride = stride
    self.padLeft = padLeft
    self.output = output
    self.outputColumns = outputColumns
    self.summary = summary
  }
}

extension InstructionSet {
  /// Computes one row of a pooling.
  @_alwaysEmitIntoClient @inline(__always)
  public static func pool(_ run: PoolingRun) {
    switch run.summary {
    case .maximum:
      pool(run, from: Vector(repeating: -.greatestFiniteMagnitude)) {
        maximum($0, $1)
      } _: {
        largest, _ in
        largest
      }
    case .average(let count):
      pool(run, from: .zero) {
        $0 + $1
      } _: { sum, inside in
        sum / Vector(repeating: Float(count ?? inside))
      }
    }
  }

  /// - Parameters:
  ///   - combine: adds a value to the summary.
  ///   - finish: makes the result from the summary and the number of values.
  @_alwaysEmitIntoClient @inline(__always)
  static func pool(
    _ run: PoolingRun, from start: Vector, _ combine: (Vector, Vector) -> Vector,
    _ finish: (Vector, Int) -> Vector
  ) {
    var x = 0
    // The usual window, 2 × 2 inside the blob, without loops.
    if run.rows.count == 2 && run.kernelColumns == 2 && run.padLeft == 0 {
      while x < run.outputColumns && x &* run.stride &+ 2 <= run.inputColumns {
        let upper = run.rows[0] + x &* run.stride &* lanes
        let lower = run.rows[1] + x &* run.stride &* lanes
        let above = combine(combine(start, load(upper)), load(upper + lanes))
        let all = combine(combine(above, load(lower)), load(lower + lanes))
        store(finish(all, 4), run.output + x &* lanes)
        x &+= 1
      }
    }
    while x < run.outputColumns {
      let left = x &* run.stride &- run.padLeft
      let first = max(left, 0)
      let columns = first..<max(first, min(left &+ run.kernelColumns, run.inputColumns))
      var summary = start
      for row in run.rows {
        for column in columns { summary = combine(summary, load(row + column &* lanes)) }
      }
      store(finish(summary, run.rows.count &* columns.count), run.output + x &* lanes)
      x &+= 1
    }
  }
}

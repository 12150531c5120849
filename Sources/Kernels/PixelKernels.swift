/// Kernels that move or compare whole pixels, L channels at a time.
extension InstructionSet {
  /// One row of maximum pooling, for one block of channels.
  ///
  /// - Parameters:
  ///   - rows: the input rows under the window, W × L each, those outside left out.
  ///   - output: outputColumns × L.
  @inlinable @inline(__always)
  public static func maximumPooling(
    rows: UnsafeBufferPointer<UnsafePointer<Float>>, inputColumns: Int, kernelColumns: Int,
    stride: Int, padLeft: Int, output: UnsafeMutablePointer<Float>, outputColumns: Int
  ) {
    var x = 0
    // The usual window, 2 × 2 inside the blob.
    if rows.count == 2 && kernelColumns == 2 && padLeft == 0 {
      let (upper, lower) = (rows[0], rows[1])
      while x < outputColumns && x &* stride &+ 2 <= inputColumns {
        let offset = x &* stride &* lanes
        let above = maximum(load(upper + offset), load(upper + offset + lanes))
        let below = maximum(load(lower + offset), load(lower + offset + lanes))
        store(maximum(above, below), output + x &* lanes)
        x &+= 1
      }
    }
    while x < outputColumns {
      let left = x &* stride &- padLeft
      let columns = max(left, 0)..<max(max(left, 0), min(left &+ kernelColumns, inputColumns))
      var largest = Vector(repeating: -.greatestFiniteMagnitude)
      for row in rows {
        for column in columns { largest = maximum(largest, load(row + column &* lanes)) }
      }
      store(largest, output + x &* lanes)
      x &+= 1
    }
  }

  /// Bytes as floats.
  @inlinable @inline(__always)
  public static func convertBytes(
    _ bytes: UnsafePointer<UInt8>, count: Int, output: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count { output[index] = Float(bytes[index]) }
  }

  /// Copies pixels of one block by a list of the source column of each.
  @inlinable @inline(__always)
  public static func gatherPixels(
    _ row: UnsafePointer<Float>, columns: UnsafeBufferPointer<Int>,
    output: UnsafeMutablePointer<Float>
  ) {
    for (x, column) in columns.enumerated() {
      store(load(row + column &* lanes), output + x &* lanes)
    }
  }

  /// Puts pixels of one block through an activation, in place or elsewhere.
  @inlinable @inline(__always)
  public static func activate(
    _ input: UnsafePointer<Float>, pixels: Int, _ activation: VectorActivation,
    output: UnsafeMutablePointer<Float>
  ) {
    for pixel in 0..<pixels {
      var tile = Single<Vector>(Self.self, bias: input + pixel &* lanes)
      activate(&tile, activation)
      store(tile.sum, output + pixel &* lanes)
    }
  }

  /// Adds pixels of one block to those of another.
  @inlinable @inline(__always)
  public static func add(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, pixels: Int,
    output: UnsafeMutablePointer<Float>
  ) {
    for pixel in 0..<pixels {
      store(load(a + pixel &* lanes) + load(b + pixel &* lanes), output + pixel &* lanes)
    }
  }
}

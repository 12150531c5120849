/// Pixels of three bytes to convert to floats.
public struct ByteRun {
  /// The bytes.
  public var bytes: UnsafePointer<UInt8>
  /// The number of bytes.
  public var count: Int
  /// What is subtracted from a pixel's three bytes.
  public var mean: SIMD3<Float>
  /// A float for each byte.
  public var output: UnsafeMutablePointer<Float>

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    bytes: UnsafePointer<UInt8>, count: Int, mean: SIMD3<Float> = .zero,
    output: UnsafeMutablePointer<Float>
  ) {
    self.bytes = bytes
    self.count = count
    self.mean = mean
    self.output = output
  }
}

/// Pixels of one block to copy by position.
public struct GatherRun {
  /// The input row, W × L.
  public var row: UnsafePointer<Float>
  /// The input column of each output pixel.
  public var columns: UnsafeBufferPointer<Int>
  /// A pixel for each column.
  public var output: UnsafeMutablePointer<Float>

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    row: UnsafePointer<Float>, columns: UnsafeBufferPointer<Int>,
    output: UnsafeMutablePointer<Float>
  ) {
    self.row = row
    self.columns = columns
    self.output = output
  }
}

/// Kernels that process single pixels, L channels at a time.
extension InstructionSet {
  /// Converts bytes to floats and subtracts the mean.
  @_alwaysEmitIntoClient @inline(__always)
  public static func convertBytes(_ run: ByteRun) {
    let (bytes, output) = (run.bytes, run.output)
    for index in 0..<run.count { output[index] = Float(bytes[index]) }
    if run.mean != .zero { subtractMean(run) }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func subtractMean(_ run: ByteRun) {
    let output = run.output
    // Whatever the number of lanes, three vectors hold whole pixels.
    var means = (Vector.zero, Vector.zero, Vector.zero)
    for lane in 0..<lanes {
      means.0[lane] = run.mean[lane % 3]
      means.1[lane] = run.mean[(lanes &+ lane) % 3]
      means.2[lane] = run.mean[(2 &* lanes &+ lane) % 3]
    }
    var index = 0
    while index &+ 3 &* lanes <= run.count {
      let first = output + index
      let (second, third) = (first + lanes, first + 2 &* lanes)
      store(load(first) - means.0, first)
      store(load(second) - means.1, second)
      store(load(third) - means.2, third)
      index &+= 3 &* lanes
    }
    while index < run.count {
      output[index] -= run.mean[index % 3]
      index &+= 1
    }
  }

  /// Copies pixels of one block, given the source column of each.
  @_alwaysEmitIntoClient @inline(__always)
  public static func gatherPixels(_ run: GatherRun) {
    let (row, output) = (run.row, run.output)
    for (x, column) in run.columns.enumerated() {
      store(load(row + column &* lanes), output + x &* lanes)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Kernels that process single pixels, L channels at a time.
extension InstructionSet {
  /// Converts bytes to floats, and subtracts what is given for each of a pixel's three bytes.
  @_alwaysEmitIntoClient @inline(__always)
  public static func convertBytes(
    _ bytes: UnsafePointer<UInt8>, count: Int, mean: SIMD3<Float>,
    to output: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count { output[index] = Float(bytes[index]) }
    if mean != .zero { subtract(mean, from: output, count: count) }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func subtract(_ mean: SIMD3<Float>, from output: UnsafeMutablePointer<Float>, count: Int) {
    // Whatever the number of lanes, three vectors hold whole pixels.
    var means = (Vector.zero, Vector.zero, Vector.zero)
    for lane in 0..<lanes {
      means.0[lane] = mean[lane % 3]
      means.1[lane] = mean[(lanes &+ lane) % 3]
      means.2[lane] = mean[(2 &* lanes &+ lane) % 3]
    }
    var index = 0
    while index &+ 3 &* lanes <= count {
      let first = output + index
      let (second, third) = (first + lanes, first + 2 &* lanes)
      store(load(first) - means.0, first)
      store(load(second) - means.1, second)
      store(load(third) - means.2, third)
      index &+= 3 &* lanes
    }
    while index < count {
      output[index] -= mean[index % 3]
      index &+= 1
    }
  }

  /// Copies pixels of one block, given the source column of each.
  @_alwaysEmitIntoClient @inline(__always)
  public static func gatherPixels(
    _ row: UnsafePointer<Float>, columns: UnsafeBufferPointer<Int>,
    to output: UnsafeMutablePointer<Float>
  ) {
    for (x, column) in columns.enumerated() {
      store(load(row + column &* lanes), output + x &* lanes)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Neighbouring output pixels of one row of an int8 depthwise convolution, for one block.
///
///     sum[x][c] = bias[c] + Σₚ Σᵧ Σₓ weight[p][ky][kx][c] · input[ky][x · stride + kx][c]
public struct ByteDepthwiseRun {
  /// The row under the first of the kernel's rows, with its border: columns × 16. At least three
  /// more pixels must be readable than the windows cover.
  public var input: UnsafePointer<UInt8>
  /// Bytes from one row to the next.
  public var rowStride: Int
  /// Rows of the kernel.
  public var kernelRows: Int
  /// Groups of four columns of the kernel; the last may be incomplete.
  public var columnGroups: Int
  /// Input columns from one output pixel to the next.
  public var stride: Int
  /// How often the kernel runs over the rows, each time with weights of its own: more than once where
  /// products of two neighbouring columns do not fit 16 bits together.
  public var passes: Int
  /// Whether the stride is 1 and the kernel has at most three columns: four columns of the input then
  /// serve two neighbouring pixels.
  public var sharesColumns: Bool
  /// passes × kernelRows × columnGroups × 16 × 4, the columns innermost; where `sharesColumns`, with
  /// 2 for columnGroups: the columns, and the columns shifted by one.
  public var weights: UnsafePointer<Int8>
  /// 16.
  public var bias: UnsafePointer<Int32>
  /// Where the results go.
  public var target: ByteTarget
  /// The number of output pixels.
  public var pixels: Int

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    input: UnsafePointer<UInt8>, rowStride: Int, kernelRows: Int, columnGroups: Int, stride: Int,
    passes: Int = 1, sharesColumns: Bool = false, weights: UnsafePointer<Int8>,
    bias: UnsafePointer<Int32>, target: ByteTarget,
    pixels: Int
  ) {
    self.input = input
    self.rowStride = rowStride
    self.kernelRows = kernelRows
    self.columnGroups = columnGroups
    self.stride = stride
    self.passes = passes
    self.sharesColumns = sharesColumns
    self.weights = weights
    self.bias = bias
    self.target = target
    self.pixels = pixels
  }
}

extension ByteInstructionSet {
  /// Computes one row of an int8 depthwise convolution.
  @_alwaysEmitIntoClient @inline(__always)
  public static func depthwise(_ run: ByteDepthwiseRun) {
    var pixel = 0
    while run.sharesColumns && pixel &+ 4 <= run.pixels {
      var sums = Quartet<Self>(bias: run.bias)
      var weights = run.weights
      for _ in 0..<run.passes {
        for row in 0..<run.kernelRows {
          let source = run.input + row &* run.rowStride + pixel &* 16
          let vectors = (bytes(weights), bytes(weights + 64))
          let (left, right) = (transposed(bytes(source)), transposed(bytes(source + 32)))
          sums.a = addProducts(sums.a, left, vectors.0)
          sums.b = addProducts(sums.b, left, vectors.1)
          sums.c = addProducts(sums.c, right, vectors.0)
          sums.d = addProducts(sums.d, right, vectors.1)
          weights += 128
        }
      }
      write(sums, run.target, block: 0, pixel: pixel, count: 4)
      pixel &+= 4
    }
    while pixel < run.pixels {
      let count = min(4, run.pixels &- pixel)
      write(sums(run, at: pixel, count), run.target, block: 0, pixel: pixel, count: count)
      pixel &+= 4
    }
  }

  /// The sums of up to four pixels with any stride and kernel.
  @_alwaysEmitIntoClient @inline(__always)
  static func sums(_ run: ByteDepthwiseRun, at pixel: Int, _ count: Int) -> Quartet<Self> {
    var sums = Quartet<Self>(bias: run.bias)
    let offsets = PixelOffsets(step: run.stride &* 16, count: count)
    let input = run.input + pixel &* run.stride &* 16
    var weights = run.weights
    for _ in 0..<run.passes {
      for row in 0..<run.kernelRows {
        for group in 0..<run.columnGroups {
          let source = input + row &* run.rowStride + group &* 64
          let vector = bytes(weights)
          sums.a = addProducts(sums.a, transposed(bytes(source)), vector)
          sums.b = addProducts(sums.b, transposed(bytes(source + offsets.second)), vector)
          sums.c = addProducts(sums.c, transposed(bytes(source + offsets.third)), vector)
          sums.d = addProducts(sums.d, transposed(bytes(source + offsets.fourth)), vector)
          weights += run.sharesColumns ? 128 : 64
        }
      }
    }
    return sums
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A run of neighbouring output pixels of one or two blocks of an int8 convolution.
///
///     sum[p][o] = bias[o] + Σₖ Σⱼ weight[k][o][j] · input[sources[k] + p · step + j], j in 0 ..< 4
///
/// A source is a quad: four neighbouring bytes, such as four channels of a block at one tap of the
/// kernel. Bytes of a quad that belong to no input have a weight of 0.
public struct ByteConvolutionRun {
  /// The address that the sources' offsets are relative to.
  public var input: UnsafePointer<UInt8>
  /// The offset in bytes of each quad for the first pixel.
  public var sources: UnsafeBufferPointer<Int>
  /// How many of them, from the first on, are added in pairs.
  public var pairedCount: Int
  /// Bytes from a quad of one pixel to that of the next.
  public var step: Int
  /// pairedCount / 2 × blocks × 2 × 16 × 4, and (sources − pairedCount) × blocks × 16 × 4, of a byte each,
  /// or of two where `ByteArithmetic.widensWeights`.
  public var weights: UnsafePointer<Int8>
  /// blocks × 16.
  public var bias: UnsafePointer<Int32>
  /// Where the results go.
  public var target: ByteTarget
  /// The number of output pixels.
  public var pixels: Int

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    input: UnsafePointer<UInt8>, sources: UnsafeBufferPointer<Int>, pairedCount: Int, step: Int,
    weights: UnsafePointer<Int8>, bias: UnsafePointer<Int32>,
    target: ByteTarget, pixels: Int
  ) {
    self.input = input
    self.sources = sources
    self.pairedCount = pairedCount
    self.step = step
    self.weights = weights
    self.bias = bias
    self.target = target
    self.pixels = pixels
  }
}

extension ByteInstructionSet {
  /// Runs an int8 convolution for two output blocks.
  @_alwaysEmitIntoClient @inline(__always)
  public static func convolvePair(_ run: ByteConvolutionRun) {
    convolve(run, WidePair.self, QuartetPair<Self>.self)
  }

  /// Runs an int8 convolution for one output block.
  @_alwaysEmitIntoClient @inline(__always)
  public static func convolveSingle(_ run: ByteConvolutionRun) {
    convolve(run, WideSingle.self, Quartet<Self>.self)
  }

  /// A constant step lets the compiler encode the addresses in the instructions.
  @_alwaysEmitIntoClient @inline(__always)
  static func convolve<Wide: ByteTile, Narrow: ByteTile>(
    _ run: ByteConvolutionRun, _ wide: Wide.Type, _ narrow: Narrow.Type
  ) where Wide.Set == Self, Narrow.Set == Self {
    if run.step == 16 {
      convolve(run, step: 16, wide, narrow)
    } else {
      convolve(run, step: run.step, wide, narrow)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func convolve<Wide: ByteTile, Narrow: ByteTile>(
    _ run: ByteConvolutionRun, step: Int, _: Wide.Type, _: Narrow.Type
  ) where Wide.Set == Self, Narrow.Set == Self {
    var pixel = 0
    while pixel &+ Wide.pixels <= run.pixels {
      convolveTile(Wide.self, run, at: pixel, step: step, offsets: PixelOffsets(step: step))
      pixel &+= Wide.pixels
    }
    while pixel &+ 4 <= run.pixels {
      convolveTile(Narrow.self, run, at: pixel, step: step, offsets: PixelOffsets(step: step))
      pixel &+= 4
    }
    let rest = run.pixels &- pixel
    if rest > 0 {
      convolveTile(
        Narrow.self, run, at: pixel, step: step, offsets: PixelOffsets(step: step, count: rest),
        count: rest)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func convolveTile<T: ByteTile>(
    _: T.Type, _ run: ByteConvolutionRun, at pixel: Int, step: Int, offsets: PixelOffsets,
    count: Int = 4
  ) where T.Set == Self {
    var tile = T(bias: run.bias)
    var weights = run.weights
    let input = run.input + pixel &* step
    var source = 0
    while source < run.pairedCount {
      tile.addProducts(
        input + run.sources[source], input + run.sources[source &+ 1], offsets: offsets,
        weights: weights)
      weights += T.blocks &* 2 &* weightBytes
      source &+= 2
    }
    while source < run.sources.count {
      tile.addProducts(input + run.sources[source], offsets: offsets, weights: weights)
      weights += T.blocks &* weightBytes
      source &+= 1
    }
    tile.forEach { sums, block, first in
      write(sums, run.target, block: block, pixel: pixel &+ first, count: count)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A run of neighbouring output pixels of one or two output blocks.
///
///     output[p][o] = activation(bias[o] + Σₖ weight[k][o] · input[sources[k] + p · step])
///
/// A source is one input channel at one tap of the kernel; a 1 × 1 convolution has one for each
/// input channel. The caller decides where channels are in memory, and provides the border.
public struct ConvolutionRun {
  /// The address that the sources' offsets are relative to.
  public var input: UnsafePointer<Float>
  /// For each of K sources, the offset in elements of its value for the first pixel.
  public var sources: UnsafeBufferPointer<Int>
  /// Elements from a source's value for one pixel to its value for the next.
  public var step: Int
  /// K × blocks × L.
  public var weights: UnsafePointer<Float>
  /// blocks × L.
  public var bias: UnsafePointer<Float>
  /// The first pixel of the first output block.
  public var output: UnsafeMutablePointer<Float>
  /// Elements from the first output block to the second.
  public var blockStride: Int
  /// The number of output pixels.
  public var pixels: Int
  /// Whether the output's previous contents are added to the sums.
  public var accumulates: Bool
  /// Applied to the sums.
  public var activation: VectorActivation

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    input: UnsafePointer<Float>, sources: UnsafeBufferPointer<Int>, step: Int,
    weights: UnsafePointer<Float>, bias: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, blockStride: Int, pixels: Int, accumulates: Bool = false,
    activation: VectorActivation
  ) {
    self.input = input
    self.sources = sources
    self.step = step
    self.weights = weights
    self.bias = bias
    self.output = output
    self.blockStride = blockStride
    self.pixels = pixels
    self.accumulates = accumulates
    self.activation = activation
  }
}

extension InstructionSet {
  /// Runs a convolution for two output blocks.
  @_alwaysEmitIntoClient @inline(__always)
  public static func convolvePair(_ run: ConvolutionRun) {
    convolve(run, wide: WidePair.self, medium: Twice<Twice<Pair<Vector>>>.self, Pair<Vector>.self)
  }

  /// Runs a convolution for one output block.
  @_alwaysEmitIntoClient @inline(__always)
  public static func convolveSingle(_ run: ConvolutionRun) {
    // A picture's pixels of three channels at stride 2, the first convolution of most detectors.
    if run.step == 6 {
      convolve(
        run, step: 6, WideSingle.self, Twice<Twice<Single<Vector>>>.self, Single<Vector>.self)
    } else {
      convolve(
        run, wide: WideSingle.self, medium: Twice<Twice<Single<Vector>>>.self, Single<Vector>.self)
    }
  }

  /// Runs a convolution for one output block with half as many lanes as an input block, whose
  /// pixels are therefore two vectors apart.
  @_alwaysEmitIntoClient @inline(__always)
  public static func convolveHalf(_ run: ConvolutionRun) {
    convolve(
      run, step: 2 &* lanes, WideSingle.self, Twice<Twice<Single<Vector>>>.self,
      Single<Vector>.self)
  }

  /// A constant step lets the compiler encode the addresses in the instructions.
  @_alwaysEmitIntoClient @inline(__always)
  static func convolve<Wide: Tile, Medium: Tile, Narrow: Tile>(
    _ run: ConvolutionRun, wide: Wide.Type, medium: Medium.Type, _ narrow: Narrow.Type
  ) where Wide.Vector == Vector, Medium.Vector == Vector, Narrow.Vector == Vector {
    if run.step == lanes {
      convolve(run, step: lanes, wide, medium, narrow)
    } else {
      convolve(run, step: run.step, wide, medium, narrow)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func convolve<Wide: Tile, Medium: Tile, Narrow: Tile>(
    _ run: ConvolutionRun, step: Int, _: Wide.Type, _: Medium.Type, _: Narrow.Type
  ) where Wide.Vector == Vector, Medium.Vector == Vector, Narrow.Vector == Vector {
    var pixel = 0
    while pixel &+ Wide.pixels <= run.pixels {
      convolveTile(Wide.self, run, at: pixel, step: step)
      pixel &+= Wide.pixels
    }
    // A medium tile of one block has too few sums to hide the latency of multiply-add.
    while Wide.blocks == 1 && Wide.pixels > 2 &* Medium.pixels
      && pixel &+ 2 &* Medium.pixels <= run.pixels
    {
      convolveTile(Twice<Medium>.self, run, at: pixel, step: step)
      pixel &+= 2 &* Medium.pixels
    }
    while pixel &+ Medium.pixels <= run.pixels {
      convolveTile(Medium.self, run, at: pixel, step: step)
      pixel &+= Medium.pixels
    }
    while pixel < run.pixels {
      convolveTile(Narrow.self, run, at: pixel, step: step)
      pixel &+= Narrow.pixels
    }
    if !activatesTiles {
      for block in 0..<Wide.blocks {
        activate(run.output + block &* run.blockStride, pixels: run.pixels, run.activation)
      }
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func convolveTile<T: Tile>(
    _: T.Type, _ run: ConvolutionRun, at pixel: Int, step: Int
  ) where T.Vector == Vector {
    var tile = T(Self.self, bias: run.bias)
    let output = run.output + pixel &* lanes
    if run.accumulates { tile.add(Self.self, from: output, blockStride: run.blockStride) }
    var weights = run.weights
    let input = run.input + pixel &* step
    for k in 0..<run.sources.count {
      tile.addProducts(Self.self, of: input + run.sources[k], step: step, weights: weights)
      weights += T.blocks &* lanes
    }
    let isDone = !activatesTiles || activateFast(&tile, run.activation)
    tile.store(Self.self, to: output, blockStride: run.blockStride)
    if !isDone {
      for block in 0..<T.blocks {
        activate(output + block &* run.blockStride, pixels: T.pixels, run.activation)
      }
    }
  }
}

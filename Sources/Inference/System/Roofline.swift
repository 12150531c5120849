import Kernels

/// The limits of a machine, against which a step's time can be judged.
///
/// A step takes at least as long as its multiply-adds at the machine's peak, and at least as long
/// as its bytes at the memory's bandwidth: Williams, Waterman and Patterson, "Roofline: An
/// Insightful Visual Performance Model for Multicore Architectures", Communications of the ACM
/// 52(4), 2009, https://doi.org/10.1145/1498765.1498785. The paper has one bandwidth, that of main
/// memory; here there is one for each amount of data, since what fits into a cache may come from
/// there.
public struct Roofline: Sendable {
  /// The speed of a copy of one size.
  public struct Bandwidth: Encodable, Sendable {
    /// The size of the source and the copy together.
    public var bytes: Int
    /// 10⁹ bytes read and written per second.
    public var gigabytesPerSecond: Double

    /// A bandwidth from its parts.
    public init(bytes: Int, gigabytesPerSecond: Double) {
      self.bytes = bytes
      self.gigabytesPerSecond = gigabytesPerSecond
    }
  }

  /// GFLOP/s of all threads; a multiply-add is two operations.
  public var peak: Double
  /// In ascending order of bytes, at least one.
  public var bandwidths: [Bandwidth]

  /// A roofline from its parts, bandwidths in the order of their bytes.
  public init(peak: Double, bandwidths: [Bandwidth]) {
    precondition(!bandwidths.isEmpty)
    self.peak = peak
    self.bandwidths = bandwidths
  }

  /// Measures what an engine's threads and instruction set reach.
  ///
  /// - Parameters:
  ///   - engine: whose threads and instruction set are measured.
  ///   - processors: the machine's; more threads reach no more.
  public init(of engine: Engine, processors: Int) {
    // From what an L1 cache may hold to what no cache does.
    let sizes = [1 << 15, 1 << 17, 1 << 19, 1 << 21, 1 << 23, 1 << 25, 1 << 27]
    self.init(
      peak: engine.measuredPeak() * Double(min(engine.threadCount, processors)),
      bandwidths: sizes.map { bytes in
        Bandwidth(bytes: bytes, gigabytesPerSecond: engine.measuredBandwidth(bytes: bytes))
      })
  }

  /// The bandwidth for a number of bytes: that of the smallest copy that moves at least as many,
  /// else of the largest.
  public func gigabytesPerSecond(forBytes bytes: Int) -> Double {
    let bandwidth = bandwidths.first { $0.bytes >= bytes } ?? bandwidths[bandwidths.count - 1]
    return bandwidth.gigabytesPerSecond
  }

  /// The seconds that a step's multiply-adds take at the peak.
  public func arithmeticTime(of step: StepTime) -> Double {
    Double(2 * step.multiplyAdds) / (peak * 1e9)
  }

  /// The seconds that a step's bytes take at their bandwidth.
  public func memoryTime(of step: StepTime) -> Double {
    Double(step.bytes) / (gigabytesPerSecond(forBytes: step.bytes) * 1e9)
  }
}

extension Engine {
  /// The peak rate of one thread on data in the L1 cache, in GFLOP/s, where a multiply-add is two
  /// operations: the best of several tries.
  public func measuredPeak() -> Double {
    let pixels = 48
    let channels = 64
    let lanes = kernels.lanes
    let input = AlignedBuffer<Float>(repeating: 0.5, count: channels * pixels)
    let packed = AlignedBuffer<Float>(repeating: 0.5, count: (channels + 1) * 2 * lanes)
    let output = AlignedBuffer<Float>(count: 2 * pixels * lanes)
    let sources = (0..<channels).map { $0 / lanes * pixels * lanes + $0 % lanes }
    var best = 0.0
    let clock = ContinuousClock()
    sources.withUnsafeBufferPointer { sources in
      guard let first = sources.baseAddress else { return }
      let run = ConvolutionRun(
        input: input.start, sources: first, sourceCount: channels, step: lanes,
        weights: packed.start, bias: packed.start, output: output.start,
        blockStride: pixels * lanes, pixels: pixels, activation: .none)
      let repetitions = 200
      for _ in 0..<200 {
        let time = clock.measure { for _ in 0..<repetitions { kernels.convolvePair(run) } }
        let operations = Double(2 * repetitions * pixels * channels * 2 * lanes)
        best = max(best, operations / time.seconds / 1e9)
      }
    }
    return best
  }

  /// The bandwidth of all threads together, in 10⁹ bytes read and written per second, while each
  /// copies between two buffers of its own: the best of several tries.
  ///
  /// - Parameter bytes: the size of all sources and copies together; each thread copies at least
  ///   one cache line.
  func measuredBandwidth(bytes: Int) -> Double {
    let count = max(16, bytes / MemoryLayout<Float>.size / 2 / threads.count)
    let buffers = (0..<2 * threads.count).map { _ in
      AlignedBuffer<Float>(repeating: 0, count: count)
    }
    let moved = 2 * count * threads.count * MemoryLayout<Float>.size
    // There and back, so that each copy is of what the last one wrote.
    let repetitions = max(1, (1 << 21) / moved)
    var best = 0.0
    let clock = ContinuousClock()
    state.withLock { _ in
      for _ in 0..<10 {
        let time = clock.measure {
          threads.run { thread in
            let (first, second) = (buffers[2 * thread].start, buffers[2 * thread + 1].start)
            for _ in 0..<repetitions {
              second.update(from: first, count: count)
              first.update(from: second, count: count)
            }
          }
        }
        best = max(best, Double(2 * repetitions * moved) / time.seconds / 1e9)
      }
    }
    return best
  }
}

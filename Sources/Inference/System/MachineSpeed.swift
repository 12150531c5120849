import Kernels

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
      let run = ConvolutionRun(
        input: input.start, sources: sources, step: lanes,
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
  /// - Precondition: not called within a run of this engine.
  public func measuredBandwidth(bytes: Int) -> Double {
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

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

extension Engine {
  /// The peak rate of one thread on data in the L1 cache, in GFLOP/s, where a multiply-add is two
  /// operations: the best of several tries.
  @_spi(Tool) public func measuredPeak() -> Double {
    let pixels = 48
    let channels = 64
    let lanes = kernels.lanes
    let input = AlignedBuffer<Float>(repeating: 0.5, count: channels * pixels)
    let packed = AlignedBuffer<Float>(repeating: 0.5, count: (channels + 1) * 2 * lanes)
    let output = AlignedBuffer<Float>(count: 2 * pixels * lanes)
    let sources = (0..<channels).map { $0 / lanes * pixels * lanes + $0 % lanes }
    let repetitions = 200
    let seconds = sources.withUnsafeBufferPointer { sources in
      let run = ConvolutionRun(
        input: input.start, sources: sources, step: lanes,
        weights: packed.start, bias: packed.start, output: output.start,
        blockStride: pixels * lanes, pixels: pixels, activation: .none)
      return shortestTime(tries: 200) {
        for _ in 0..<repetitions { kernels.convolvePair(run) }
      }
    }
    return Double(2 * repetitions * pixels * channels * 2 * lanes) / seconds / 1e9
  }

  /// The bandwidth of all threads together, in 10⁹ bytes read and written per second, while each
  /// copies between two buffers of its own, of so many bytes in all: the best of several tries.
  ///
  /// - Precondition: not called within a run of this engine.
  @_spi(Tool) public func measuredBandwidth(bytes: Int) -> Double {
    let count = max(16, bytes / MemoryLayout<Float>.size / 2 / threads.count)
    let buffers = (0..<2 * threads.count).map { _ in
      AlignedBuffer<Float>(repeating: 0, count: count)
    }
    let moved = 2 * count * threads.count * MemoryLayout<Float>.size
    // There and back, so that each copy is of what the last one wrote.
    let repetitions = max(1, (1 << 21) / moved)
    let seconds = state.withLock { _ in
      shortestTime(tries: 10) {
        threads.run { thread in
          let (first, second) = (buffers[2 * thread].start, buffers[2 * thread + 1].start)
          for _ in 0..<repetitions {
            second.update(from: first, count: count)
            first.update(from: second, count: count)
          }
        }
      }
    }
    return Double(2 * repetitions * moved) / seconds / 1e9
  }
}

private func shortestTime(tries: Int, _ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  return (0..<tries).reduce(.infinity) { best, _ in min(best, clock.measure(body).seconds) }
}

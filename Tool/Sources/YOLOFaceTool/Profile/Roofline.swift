// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceInference

/// The limits of a machine, against which a step's time can be judged.
///
/// A step takes at least as long as its multiply-adds at the machine's peak, and as its bytes at the memory's
/// bandwidth: Williams, Waterman and Patterson, "Roofline: An Insightful Visual Performance Model for Multicore
/// Architectures", Communications of the ACM 52(4), 2009, https://doi.org/10.1145/1498765.1498785. The paper has one
/// bandwidth, that of main memory; here each amount of data has one, since it may come from a cache.
struct Roofline: Sendable {
  /// The speed of a copy of one size.
  struct Bandwidth: Encodable, Sendable {
    /// The size of the source and the copy together.
    var bytes: Int
    var gigabytesPerSecond: Double
  }

  /// GFLOP/s of all threads; a multiply-add is two operations.
  var peak: Double
  /// In ascending order of bytes, at least one.
  var bandwidths: [Bandwidth]
}

extension Roofline {
  /// Measures what an engine's threads and instruction set reach; more threads than processors reach no more.
  init(of engine: Engine, processors: Int) {
    // From what an L1 cache may hold to what no cache does.
    let sizes = [1 << 15, 1 << 17, 1 << 19, 1 << 21, 1 << 23, 1 << 25, 1 << 27]
    self.init(
      peak: engine.measuredPeak() * Double(min(engine.threadCount, processors)),
      bandwidths: sizes.map { bytes in
        Bandwidth(bytes: bytes, gigabytesPerSecond: engine.measuredBandwidth(bytes: bytes))
      })
  }

  /// The bandwidth for a number of bytes: that of the smallest copy that moves at least as many, else of the largest.
  func gigabytesPerSecond(forBytes bytes: Int) -> Double {
    let bandwidth = bandwidths.first { $0.bytes >= bytes } ?? bandwidths[bandwidths.count - 1]
    return bandwidth.gigabytesPerSecond
  }

  /// In seconds, at the peak.
  func arithmeticTime(multiplyAdds: Int64) -> Double { Double(2 * multiplyAdds) / (peak * 1e9) }

  /// In seconds, at the bytes' bandwidth.
  func memoryTime(bytes: Int) -> Double {
    Double(bytes) / (gigabytesPerSecond(forBytes: bytes) * 1e9)
  }
}

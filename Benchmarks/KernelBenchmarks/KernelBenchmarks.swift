// SPDX-License-Identifier: Apache-2.0
import Benchmark
@_spi(Tool) import YOLOFaceInference
import YOLOFaceKernels
import YOLOFaceNCNN

/// Kernels of fp32 in every instruction set that this machine can run.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 10, scalingFactor: .kilo,
    maxDuration: .milliseconds(250))
  for table in KernelTable.available {
    convolutionBenchmarks(table)
    depthwiseBenchmarks(table)
    pixelBenchmarks(table)
  }
}

/// The work that a kernel does in a microsecond; a multiply-add is two operations.
enum Rate: String {
  case operations = "MFLOP/s"
  case values = "million values/s"
}

/// Registers a kernel of one instruction set.
///
/// - Parameter work: the work of one call, in the unit of the rate.
func benchmark(
  _ table: KernelTable, _ name: String, _ rate: Rate, work: Int, _ call: @escaping () -> Void
) {
  let metric = BenchmarkMetric.custom(
    rate.rawValue, polarity: .prefersLarger, useScalingFactor: false)
  var configuration = Benchmark.defaultConfiguration
  configuration.metrics.append(metric)
  Benchmark("\(table.name) \(name)", configuration: configuration) { benchmark in
    let calls = benchmark.scaledIterations
    let time = ContinuousClock().measure { for _ in calls { call() } }
    benchmark.measurement(metric, Int(Double(work * calls.count) / (time / .microseconds(1))))
  }
}

/// Values in [−1, 1), the same in every run, aligned to a cache line and never freed.
func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
  let memory = UnsafeMutableRawPointer.allocate(
    byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
  let values = memory.bindMemory(to: Float.self, capacity: count)
  var state: UInt32 = 1
  for index in 0..<count {
    state = state &* 1_664_525 &+ 1_013_904_223
    (values + index).initialize(to: Float(Int32(bitPattern: state)) * 0x1p-31)
  }
  return values
}

/// A copy of an array that is never freed.
func kept<Element>(_ array: [Element]) -> UnsafeBufferPointer<Element> {
  let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: array.count)
  _ = copy.initialize(from: array)
  return UnsafeBufferPointer(copy)
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceKernels

/// Memory for the pointers that kernels take. A suite has one, which lives as long as the test.
///
/// Its random numbers are multiples of ⅛ in [−2, 2]: sums of their products are exact in fp32, so
/// kernels must compute them to the bit, with or without fused multiply-add.
final class Memory {
  private var pointers: [UnsafeMutableRawPointer] = []
  private var random = SeededGenerator(seed: 7)

  deinit { for pointer in pointers { pointer.deallocate() } }

  func place<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    start.initialize(from: elements, count: elements.count)
    pointers.append(UnsafeMutableRawPointer(start))
    return start
  }

  /// Places random numbers.
  func numbers(_ count: Int) -> UnsafeMutablePointer<Float> { place(randomNumbers(count)) }

  func randomNumbers(_ count: Int) -> [Float] {
    (0..<count).map { _ in Float(random.integer(-16...16)) / 8 }
  }

  /// A place for a number of results, followed by what must not be overwritten.
  func output(_ count: Int, initially values: [Float]? = nil) -> Output {
    let sentinels = [Float](repeating: Output.sentinel, count: Output.sentinels)
    let values = values ?? [Float](repeating: Output.sentinel, count: count)
    return Output(start: place(values + sentinels), count: count)
  }
}

/// Where a kernel writes its results.
struct Output {
  static let sentinel: Float = 12345
  static let sentinels = 64

  let start: UnsafeMutablePointer<Float>
  let count: Int

  /// The results.
  ///
  /// - Throws: where a number after them was overwritten.
  func values() throws -> [Float] {
    let tail = UnsafeBufferPointer(start: start + count, count: Self.sentinels)
    try #require(tail.allSatisfy { $0 == Self.sentinel }, "written past the end of the output")
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}

/// Activations whose results are exact where the sums are multiples of 1/64, as plain arithmetic.
let exactActivations: [(VectorActivation, @Sendable (Float) -> Float)] = [
  (.none, { $0 }),
  (.relu, { max($0, 0) }),
  (.leakyReLU(slope: 0.25), { $0 < 0 ? 0.25 * $0 : $0 }),
  (.clip(minimum: -1, maximum: 3), { min(max($0, -1), 3) }),
  (.hardSigmoid(alpha: 0.25, beta: 0.5), { min(max(0.25 * $0 + 0.5, 0), 1) }),
]

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// What a convolution in int8 writes.
struct ByteOutput {
  enum Form: Equatable {
    /// fp32, to which the activation is applied in place.
    case floats(VectorActivation)
    /// Integers, or results of a curve, plus `zero`.
    case bytes(ByteActivation, zero: UInt8)

    var isFloats: Bool { if case .floats = self { true } else { false } }
  }

  var form: Form
  /// The blocks, in the order of the channels: of 16 channels each, or of L where the form is
  /// floats.
  var blocks: [Int] = []
  /// Where their offsets begin in the plan's targets; nil where they follow each other in scratch
  /// memory.
  var targets: Int?

  func bytesPerPixel(lanes: Int) -> Int { form.isFloats ? lanes * MemoryLayout<Float>.size : 16 }

  /// The blocks that hold 16 channels.
  func blocksPerSixteen(lanes: Int) -> Int { form.isFloats ? 16 / lanes : 1 }

  /// Where a kernel writes.
  ///
  /// - Parameters:
  ///   - start: what the offsets are relative to.
  ///   - first: where the factors of the kernel's blocks begin.
  func target(
    _ start: UnsafeMutableRawPointer, _ offsets: UnsafePointer<Int>, _ factors: ByteFactors,
    from first: Int
  ) -> ByteTarget {
    let form: ByteForm =
      switch form {
      case .floats: .floats
      case .bytes(let activation, let zero):
        if let curve = factors.curve {
          .curve(UnsafePointer(curve.start))
        } else {
          .bytes(minimum: activation.smallest, zero: zero)
        }
      }
    return ByteTarget(
      form: form, start: start, offsets: offsets, factors: factors.factors.start + first)
  }

  /// Applies the activation of a result in fp32 to pixels of some of its blocks.
  func activate(_ executor: Executor, _ positions: Range<Int>, firstPixel: Int, pixels: Int) {
    guard case .floats(let activation) = form, activation != .none else { return }
    for block in blocks[positions] {
      let start = executor.address(block) + firstPixel * executor.plan.lanes
      executor.kernels.activate(start, pixels, activation, start)
    }
  }
}

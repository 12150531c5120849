import Kernels

/// What a convolution in int8 writes.
struct ByteOutput {
  enum Form {
    /// fp32, to which the activation is applied in place.
    case floats(VectorActivation)
    /// Integers, plus `zero`.
    case bytes(ByteActivation, zero: UInt8)
    /// Results of a curve, whose table this is.
    case curve(ByteActivation, AlignedBuffer<UInt8>)

    var isFloats: Bool { if case .floats = self { true } else { false } }

    /// What becomes of a number before it is written.
    var mapping: Mapping {
      switch self {
      case .floats: Mapping(centre: 0, factor: 1, isRounded: false)
      case .bytes(let activation, _):
        Mapping(centre: activation.centre, factor: activation.factor, isRounded: true)
      case .curve(let activation, _):
        Mapping(centre: activation.centre, factor: activation.factor, isRounded: false)
      }
    }
  }

  struct Mapping: Equatable {
    /// What is subtracted from a number, and what the difference is multiplied by.
    var centre: Double
    var factor: Double
    /// Whether it becomes an integer of int8.
    var isRounded: Bool
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
  ///   - factors: those of the kernel's blocks.
  func target(
    _ start: UnsafeMutableRawPointer, _ offsets: UnsafePointer<Int>,
    factors: UnsafePointer<Float>
  ) -> ByteTarget {
    let form: ByteForm =
      switch form {
      case .floats: .floats
      case .bytes(let activation, let zero): .bytes(minimum: activation.smallest, zero: zero)
      case .curve(_, let table): .curve(table.start)
      }
    return ByteTarget(form: form, start: start, offsets: offsets, factors: factors)
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

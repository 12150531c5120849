// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// Pixels copied by position, as nearest resizing does; a task is a row of all blocks.
struct GatherStep: StepKind {
  let reads: [Int]
  let writes: [Int]
  /// The row of the input for each row of the output.
  let rows: [Int]
  /// The column of the input for each column of the output.
  let columns: [Int]
  let inputColumns: Int
  /// Whether the blocks hold int8.
  let isBytes: Bool

  var kind: String { isBytes ? "int8 nearest" : "nearest" }

  var taskCount: Int { rows.count }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    columns.withUnsafeBufferPointer { columns in
      for (position, block) in writes.enumerated() {
        let (input, output) = (executor.address(reads[position]), executor.address(block))
        if isBytes {
          gatherBytes(
            input.bytes + rows[task] * inputColumns * 16, columns,
            to: output.bytes + task * columns.count * 16)
        } else {
          let lanes = executor.plan.lanes
          executor.kernels.gatherPixels(
            input + rows[task] * inputColumns * lanes, columns,
            output + task * columns.count * lanes)
        }
      }
    }
  }

  private func gatherBytes(
    _ row: UnsafePointer<UInt8>, _ columns: UnsafeBufferPointer<Int>,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    for (index, column) in columns.enumerated() {
      (output + index * 16).copyBytes(from: row + column * 16, count: 16)
    }
  }
}

/// Bilinear resizing; a task is a row of all blocks.
struct BilinearStep: StepKind {
  let reads: [Int]
  let writes: [Int]
  let rows: [BilinearSample]
  let columns: [BilinearSample]
  let inputColumns: Int

  var kind: String { "bilinear" }

  var taskCount: Int { rows.count }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let lanes = executor.plan.lanes
    let sample = rows[task]
    columns.withUnsafeBufferPointer { columns in
      for (position, block) in writes.enumerated() {
        let input = executor.address(reads[position])
        executor.kernels.resizeBilinear(
          input + sample.first * inputColumns * lanes,
          input + sample.second * inputColumns * lanes, sample.weight, columns,
          executor.address(block) + task * columns.count * lanes)
      }
    }
  }
}

/// An activation that no convolution applies; a task is a block.
struct ActivationStep: StepKind {
  let reads: [Int]
  let writes: [Int]
  let activation: VectorActivation
  let pixels: Int

  var kind: String { "activation" }

  var taskCount: Int { reads.count }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    executor.kernels.activate(
      executor.address(reads[task]), pixels, activation, executor.address(writes[task]))
  }
}

/// Arithmetic of two operands; a task is a row of all blocks.
struct ElementwiseStep: StepKind {
  /// Where an operand is.
  enum Operand {
    /// In blocks of the result's size.
    case blob([Int])
    /// In blocks of one pixel, which serves every pixel.
    case pixel([Int])
    /// One such pixel for each block of the result.
    case numbers(AlignedBuffer<Float>)

    /// The blocks of the arena.
    var blocks: [Int] {
      switch self {
      case .blob(let blocks), .pixel(let blocks): blocks
      case .numbers: []
      }
    }
  }

  let first: Operand
  let second: Operand
  let arithmetic: VectorArithmetic
  let writes: [Int]
  let rows: Int
  let columns: Int

  var kind: String { "element-wise" }

  var reads: [Int] { first.blocks + second.blocks }

  var taskCount: Int { rows }

  func outerBytes(_ plan: Plan) -> Int {
    var bytes = 0
    for case .numbers(let numbers) in [first, second] {
      bytes += numbers.byteCount
    }
    return bytes
  }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let offset = task * columns * executor.plan.lanes
    for (position, block) in writes.enumerated() {
      executor.kernels.combine(
        place(executor, first, position, rowOffset: offset),
        place(executor, second, position, rowOffset: offset), arithmetic, columns,
        executor.address(block) + offset)
    }
  }

  /// Where a row of a block of an operand is.
  private func place(
    _ executor: Executor, _ operand: Operand, _ position: Int, rowOffset: Int
  ) -> VectorOperand {
    let lanes = executor.plan.lanes
    return switch operand {
    case .blob(let blocks):
      (UnsafePointer(executor.address(blocks[position]) + rowOffset), lanes)
    case .pixel(let blocks): (UnsafePointer(executor.address(blocks[position])), 0)
    case .numbers(let numbers): (UnsafePointer(numbers.start + position * lanes), 0)
    }
  }
}

/// The pixels of several blobs in turns, along rows and columns; a task is a row of all blocks.
struct InterleaveStep: StepKind {
  /// The blocks of each blob: those of the first row, then those of the next.
  let parts: [[Int]]
  /// The rows and columns of parts.
  let rowStride, columnStride: Int
  let writes: [Int]
  let rows, columns: Int

  var kind: String { "interleave" }

  var reads: [Int] { parts.flatMap { $0 } }

  var taskCount: Int { rows }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let lanes = executor.plan.lanes
    let (row, part) = task.quotientAndRemainder(dividingBy: rowStride)
    for (position, block) in writes.enumerated() {
      let output = executor.address(block) + task * columns * lanes
      for column in 0..<columnStride {
        let width = (columns - column + columnStride - 1) / columnStride
        let input =
          executor.address(parts[part * columnStride + column][position]) + row * width * lanes
        for pixel in 0..<width {
          let target = output + (pixel * columnStride + column) * lanes
          for lane in stride(from: 0, to: lanes, by: 4) {
            let four = UnsafeRawPointer(input + pixel * lanes + lane)
              .loadUnaligned(as: SIMD4<Float>.self)
            UnsafeMutableRawPointer(target + lane).storeBytes(of: four, as: SIMD4<Float>.self)
          }
        }
      }
    }
  }
}

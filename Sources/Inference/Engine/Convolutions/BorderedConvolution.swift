// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// A convolution of a copy with a border, in scratch memory.
struct BorderedConvolution<Convolution: KernelConvolution>: BorderedStrategy {
  var convolution: Convolution
  /// The blocks of the input.
  let reads: [Int]
  let copy: BorderedCopy

  var kind: String { "\(Convolution.name) \(convolution.windows.kernelText)" }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let rows = rows(ofTask: task)
    let copied = scratch.elements(as: Convolution.Element.self)
    for (position, block) in reads.enumerated() {
      copy.copy(
        block, convolution.windows.borderedRows(rows.count), firstRow: rows.lowerBound,
        border: convolution.zero, executor, to: copied + position * copy.blockElements)
    }
    convolve(executor, rows, from: copied)
  }
}

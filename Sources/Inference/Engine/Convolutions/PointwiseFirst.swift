// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// A 1 × 1 convolution and another one of its result, which stays in scratch memory, with a border.
struct PointwiseFirst: BorderedStrategy {
  var convolution: PackedConvolution
  let pointwise: DirectConvolution<PackedConvolution>
  let copy: BorderedCopy

  init(_ convolution: PackedConvolution, after pointwise: DirectConvolution<PackedConvolution>) {
    self.convolution = convolution
    self.pointwise = pointwise
    copy = BorderedCopy(
      convolution.windows, outputRows: max(1, min(8, (convolution.windows.outputRows + 7) / 8)),
      pixelElements: pointwise.convolution.lanes)
  }

  var kind: String { "1x1 + \(convolution.windows.kernelText)" }

  var reads: [Int] { pointwise.reads }

  func outerBytes(_ plan: Plan) -> Int {
    convolution.weightBytes + pointwise.convolution.weightBytes
  }

  private var blockCount: Int { pointwise.convolution.blockCount }

  var scratchSize: Int { blockCount * copy.blockElements }

  var preparedElements: Int {
    blockCount * copy.rows
      * (copy.rowElements * pointwise.convolution.sources.count + BorderedCopy.rowCost)
  }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let windows = convolution.windows
    let rows = rows(ofTask: task)
    let copied = windows.borderedRows(rows.count)
    for block in 1..<max(1, blockCount) {
      copy.forEachRow(
        copied, firstRow: rows.lowerBound, in: scratch + block * copy.blockElements, border: 0
      ) { _, _ in }
    }
    let lanes = executor.plan.lanes
    copy.forEachRow(copied, firstRow: rows.lowerBound, in: scratch, border: 0) { inner, inputRow in
      pointwise.convolution.run(
        executor, input: executor.arena.start + inputRow * windows.inputColumns * lanes,
        step: lanes, output: inner, pixels: copy.copiedColumns
      ) { $0 * copy.blockElements }
    }
    convolve(executor, rows, from: scratch)
  }
}

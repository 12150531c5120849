// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// A depthwise convolution and a 1 × 1 convolution of its result, which stays in scratch memory.
struct DepthwiseFirst<Convolution: KernelConvolution, Depthwise: KernelDepthwise>: RowwiseStrategy
where Depthwise.Element == Convolution.Element {
  var convolution: Convolution
  let depthwise: Depthwise

  var kind: String { "\(Depthwise.name) + 1x1" }

  var reads: [Int] { depthwise.reads }

  var chunk: Int { depthwise.chunk }

  func outerBytes(_ plan: Plan) -> Int { convolution.weightBytes + depthwise.weightBytes }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    channel.block * depthwise.blockElements + channel.lane
  }

  var scratchSize: Int { reads.count * depthwise.blockElements + depthwise.scratchSize }

  var preparedElements: Int { depthwise.preparedElements }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let rows = rows(ofTask: task)
    let columns = convolution.windows.outputColumns
    let results = scratch.elements(as: Convolution.Element.self)
    depthwise.run(
      executor, rows: rows, scratch: results + reads.count * depthwise.blockElements, to: results)
    convolution.run(
      executor, input: results, step: depthwise.lanes, firstPixel: rows.lowerBound * columns,
      pixels: rows.count * columns)
  }
}

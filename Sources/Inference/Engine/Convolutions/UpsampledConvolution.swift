// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// A 1 × 1 convolution of two blobs, one of which has half the width and height: its products are
/// computed once for each of its pixels, and each is added to 2 × 2 pixels of the sums.
struct UpsampledConvolution: RowwiseStrategy {
  /// The convolution of the blob of full size.
  var convolution: PackedConvolution
  /// The convolution of the small blob, whose result stays in scratch memory.
  let coarse: DirectConvolution<PackedConvolution>
  /// The blocks of the blob of full size.
  let blocks: [Int]
  /// Output rows of a task, an even number.
  let chunk: Int
  /// The small column for each large one.
  let columns: [Int]

  init(
    _ convolution: PackedConvolution, _ blocks: [Int],
    coarse: DirectConvolution<PackedConvolution>
  ) {
    self.convolution = convolution
    self.convolution.accumulates = true
    self.blocks = blocks
    self.coarse = coarse
    chunk =
      2 * (convolution.windows.outputRows / 2).evenPart(upTo: (convolution.rowsPerTask + 1) / 2)
    columns = (0..<convolution.windows.outputColumns).map { $0 / 2 }
  }

  var kind: String { "1x1 of upsampled" }

  var reads: [Int] { blocks + coarse.reads }

  func outerBytes(_ plan: Plan) -> Int {
    convolution.weightBytes + coarse.convolution.weightBytes
  }

  var sourceBlocks: [Int]? { blocks }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int { channel.lane }

  var scratchSize: Int { coarse.convolution.blockCount * coarseBlockElements }

  /// Elements of a block of the small convolution's results.
  private var coarseBlockElements: Int {
    chunk / 2 * coarse.convolution.windows.outputColumns * coarse.convolution.lanes
  }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let lanes = executor.plan.lanes
    let rows = rows(ofTask: task)
    let coarseColumns = coarse.convolution.windows.outputColumns
    coarse.convolution.run(
      executor, input: executor.arena.start + rows.lowerBound / 2 * coarseColumns * lanes,
      step: lanes, output: scratch, pixels: rows.count / 2 * coarseColumns
    ) { $0 * coarseBlockElements }
    columns.withUnsafeBufferPointer { columns in
      var source = UnsafePointer(scratch)
      for group in convolution.outputs {
        for position in 0..<group.blockCount {
          for row in rows {
            executor.kernels.gatherPixels(
              source + (row - rows.lowerBound) / 2 * coarseColumns * lanes, columns,
              executor.address(group[position]) + row * columns.count * lanes)
          }
          source += coarseBlockElements
        }
      }
    }
    let first = rows.lowerBound * convolution.windows.outputColumns
    convolution.run(
      executor, input: executor.arena.start + first * lanes, step: lanes, firstPixel: first,
      pixels: rows.count * convolution.windows.outputColumns)
  }
}

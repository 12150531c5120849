// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

extension Planner {
  /// Plans pooling by sliding windows, or by one that covers the whole blob; false where windows
  /// differ in size or only part of the border counts.
  mutating func lowerPooling(_ node: Graph.Node, _ pooling: Pooling) -> Bool {
    guard inputIsBlob(node), pooling.countsEvenly else { return false }
    let size = shape(node.inputs[0])
    let shape = shape(node.outputs[0])
    let (rows, columns) = shape.count == 3 ? (shape[1], shape[2]) : (1, 1)
    let sliding = WindowGeometry(pooling, over: size)
    guard sliding != nil || (rows, columns) == (1, 1) else { return false }
    let windows = sliding ?? WindowGeometry(whole: size)
    let input = blocked(node.inputs[0])
    let isBytes = graph.heldBytes[node.outputs[0]] != nil
    let output = makeBlob(like: input, rows: rows, columns: columns, isBytes: isBytes)
    let summary: WindowSummary =
      pooling.method == .maximum ? .maximum : .average(count: pooling.divisor)
    add(
      node.layer.name,
      PoolingStep(
        reads: input.blocks, writes: output.blocks, summary: summary, windows: windows,
        isBytes: isBytes))
    define(node.outputs[0], output, shape: shape)
    return true
  }
}

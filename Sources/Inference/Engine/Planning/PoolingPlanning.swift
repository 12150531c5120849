import Kernels
import NCNN

extension Planner {
  /// Plans pooling by sliding windows, or by one that covers the whole blob; false where windows
  /// differ in size or only part of the border counts.
  mutating func lowerPooling(_ node: Graph.Node, _ pooling: Pooling) -> Bool {
    guard inputIsBlob(node), pooling.countsEvenly else { return false }
    let size = shape(node.inputs[0])
    let shape = shape(node.outputs[0])
    let (rows, columns) = shape.count == 3 ? (shape[1], shape[2]) : (1, 1)
    var kernel = Extent(width: size[2], height: size[1])
    var stride = Extent(width: 1, height: 1)
    var sides = (left: 0, right: 0, top: 0, bottom: 0)
    if case .sliding(let window, let step, let border, _) = pooling.windows {
      (kernel, stride) = (window, step)
      sides = border.sides(rows: size[1], columns: size[2], window: window, stride: step)
    } else if (rows, columns) != (1, 1) {
      return false
    }
    let input = blocked(node.inputs[0])
    let isBytes = graph.heldBytes[node.outputs[0]] != nil
    let output =
      isBytes
      ? makeByteBlob(like: input, rows: rows, columns: columns)
      : makeBlob(like: input, rows: rows, columns: columns)
    let summary: WindowSummary =
      pooling.method == .maximum ? .maximum : .average(count: pooling.divisor)
    let step = PoolingStep(
      from: input.blocks, to: output.blocks, summary: summary,
      windows: Windows(
        inputRows: size[1], inputColumns: size[2], outputRows: rows, outputColumns: columns,
        kernel: kernel, stride: stride, padTop: sides.top, padLeft: sides.left))
    add(
      node.layer.name, isBytes ? .bytePooling(step) : .pooling(step), tasks: rows,
      reads: step.from, writes: step.to)
    define(node.outputs[0], output, shape: shape)
    return true
  }
}

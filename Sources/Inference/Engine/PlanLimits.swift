import Kernels
import NCNN

/// What a plan may ask for before it is refused: a model file of some lines can ask for any number
/// of blocks, and its weights grow when they are packed.
extension Planner {
  /// Refuses a node whose packed weights exceed what `Plan.requireBounds` allows, or whose tables
  /// of rows and columns grow too long, before any memory is taken for them.
  func requireRoom(for node: Graph.Node) throws(InferenceError) {
    if case .interp = node.layer.operation {
      let shape = shape(node.outputs[0])
      guard shape.allSatisfy({ $0 <= 1 << 20 }) else {
        throw InferenceError(.limit, found: "shape \(shape)", expected: "sizes of at most 2²⁰")
      }
    }
    let convolutions = [
      node.convolution, node.depthwise?.convolution, node.pointwise?.convolution,
      node.coarse?.prelude.convolution,
    ]
    let packed = convolutions.reduce(plan.weights.count) { $0 + ($1.map(packedWeights) ?? 0) }
    guard 2 * packed <= Plan.maximumElements else {
      throw InferenceError(.limit, found: "\(packed) packed weights", expected: "at most 2²⁷")
    }
  }

  /// Refuses a plan of which the lists have become too long.
  func requireShortLists() throws(InferenceError) {
    // Placing blocks takes time with the square of their number.
    guard plan.blockSizes.count <= 1 << 14 else {
      throw InferenceError(
        .limit, found: "more than 2¹⁴ blocks of channels", expected: "at most that")
    }
    guard placeCount <= 1 << 22 else {
      throw InferenceError(
        .limit, found: "\(placeCount) channels in blobs", expected: "at most 2²²")
    }
  }

  private func packedWeights(_ convolution: Convolution) -> Int {
    let weights =
      roundedUp(convolution.outputChannels) * (convolution.inputChannels / convolution.group)
      * convolution.kernel.width * convolution.kernel.height
    guard convolution.suitsWinograd else { return weights }
    return weights / 9 * WinogradTile(stride: convolution.stride.width).positions
  }

  /// So many channels with the unused lanes of the last block.
  private func roundedUp(_ channels: Int) -> Int {
    (channels + plan.lanes - 1) / plan.lanes * plan.lanes
  }
}

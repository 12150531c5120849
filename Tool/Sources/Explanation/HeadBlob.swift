// SPDX-License-Identifier: Apache-2.0
import YOLOFace
@_spi(Tool) import YOLOFaceNCNN

/// The layout of a head's values in a blob, anchor by anchor.
struct HeadBlob: Equatable {
  enum Order {
    /// Each cell's values side by side: anchors × cells × width.
    case valuesOfCells
    /// Each value's cells side by side: anchors × width × cells.
    case cellsOfValues
  }

  var grid: CellGrid
  /// The number of values of a proposal.
  var width: Int
  var order: Order

  /// The blobs of all heads with a gate, by name: those that the heads read and, where these are transposed from others,
  /// the others too. Their shapes alone would not identify them.
  ///
  /// - Parameter originals: for each output of a Split, the blob that it copies.
  static func all(
    of recipe: ModelRecipe, in network: Network, originals: [String: String], for input: RGBImage
  ) -> [String: HeadBlob] {
    var blobs: [String: HeadBlob] = [:]
    for head in recipe.heads {
      guard let gate = head.gate else { continue }
      let grid = head.grid(inputWidth: input.width, inputHeight: input.height)
      let name = originals[head.blobs[0]] ?? head.blobs[0]
      blobs[name] = HeadBlob(grid: grid, width: gate.width, order: .valuesOfCells)
      guard let layer = network.layers.first(where: { $0.outputs.contains(name) }),
        layer.isTranspose  // HWC
      else { continue }
      let transposed = originals[layer.inputs[0]] ?? layer.inputs[0]
      blobs[transposed] = HeadBlob(grid: grid, width: gate.width, order: .cellsOfValues)
    }
    return blobs
  }
}

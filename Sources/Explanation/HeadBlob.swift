import Inference
import NCNN
import YOLOFace

/// How many cells a head has.
struct Grid: Hashable {
  var rows, columns: Int
}

extension Grid {
  init(of input: RGBImage, stride: Int) {
    self.init(rows: input.height / stride, columns: input.width / stride)
  }
}

/// How a blob holds the values of a head's cells, anchor by anchor.
struct HeadBlob: Equatable {
  enum Order {
    /// Each cell's values side by side: anchors × cells × 16.
    case valuesOfCells
    /// Each value's cells side by side: anchors × 16 × cells.
    case cellsOfValues
  }

  var grid: Grid
  var order: Order

  /// The blobs of all heads by their names: the recipe's outputs and, where these are transposed from
  /// others, those too. Shapes would not tell them from other blobs.
  ///
  /// - Parameters:
  ///   - recipe: it names the outputs.
  ///   - network: the network.
  ///   - originals: for each output of a Split the blob that it is a second name of.
  ///   - input: the letterboxed picture.
  static func all(
    of recipe: ModelRecipe, in network: Network, originals: [String: String], for input: RGBImage
  ) -> [String: HeadBlob] {
    var blobs: [String: HeadBlob] = [:]
    for output in recipe.outputs {
      let grid = Grid(of: input, stride: output.head.stride)
      let name = originals[output.blob] ?? output.blob
      blobs[name] = HeadBlob(grid: grid, order: .valuesOfCells)
      guard let layer = network.layers.first(where: { $0.outputs.contains(name) }),
        case .permute(let permute) = layer.operation, permute.swapsRowsAndColumns
      else { continue }
      let transposed = originals[layer.inputs[0]] ?? layer.inputs[0]
      blobs[transposed] = HeadBlob(grid: grid, order: .cellsOfValues)
    }
    return blobs
  }
}

extension Permute {
  /// HWC, see `order`.
  fileprivate var swapsRowsAndColumns: Bool { order == 1 }
}

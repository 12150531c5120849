// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// LRN: x · (bias + alpha · mean of the squares around it)⁻ᵇᵉᵗᵃ (Krizhevsky et al., 2012); beyond
/// the blob, squares are 0.
struct LocalNorm: SingleOutputKind, Hashable {
  /// Whether the squares are those of the neighbouring pixels; else of the neighbouring channels.
  let isWithinChannel: Bool
  /// The number of channels, or of rows and of columns, whose squares count.
  let window: Int
  let alpha, beta, bias: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    isWithinChannel = try reader.flag(0, "region_type")
    window = try reader.integer(1, "local_size", default: 5, in: 1...(1 << 12))
    alpha = try reader.real(2, "alpha", default: 1)
    beta = try reader.real(3, "beta", default: 0.75)
    bias = try reader.real(4, "bias", default: 1)
  }

  var traits: LayerTraits { LayerTraits(fourAxes: nil) }

  private var squares: Int { isWithinChannel ? window * window : window }

  func outputShape(_ inputs: [[Int]]) -> [Int] { inputs[0] }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let (channels, rows, columns) = (input.channels, input.rows, input.columns)
    let factor = alpha / Float(squares)
    func around(_ position: Int, of size: Int) -> Range<Int> {
      let first = position - window / 2
      return max(0, first)..<min(size, first + window)
    }
    func value(_ channel: Int, _ y: Int, _ x: Int) -> Float {
      input.values[(channel * rows + y) * columns + x]
    }
    return Tensor(shape) { channel, y, x in
      var sum: Float = 0
      func add(_ value: Float) { sum += value * value }
      if isWithinChannel {
        for row in around(y, of: rows) {
          for column in around(x, of: columns) { add(value(channel, row, column)) }
        }
      } else {
        for other in around(channel, of: channels) { add(value(other, y, x)) }
      }
      return value(channel, y, x) * pow(bias + factor * sum, -beta)
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: output, steps: Int64(squares) + Cost.exponential)
  }
}

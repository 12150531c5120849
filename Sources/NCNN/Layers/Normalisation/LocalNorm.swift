import LibC

/// Parameters of LRN: each element divided by a power of the squares around it (Krizhevsky et al., 2012).
struct LocalNorm: Hashable, Sendable {
  /// Whether the squares are those of the neighbouring pixels; else of the neighbouring channels.
  var isWithinChannel: Bool
  /// The number of channels, or of rows and of columns, whose squares count.
  var window: Int
  /// The factor of the mean of the squares.
  var alpha: Float
  /// The power.
  var beta: Float
  /// What the product is added to.
  var bias: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    isWithinChannel = try reader.flag(0, "region_type")
    window = try reader.integer(1, "local_size", default: 5, in: 1...(1 << 12))
    alpha = try reader.real(2, "alpha", default: 1)
    beta = try reader.real(3, "beta", default: 0.75)
    bias = try reader.real(4, "bias", default: 1)
  }
}

extension LocalNorm: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(fourAxes: .none) }

  func outputShape(_ inputs: [[Int]]) -> [Int] { inputs[0] }

  /// x · (bias + alpha · mean of the squares)⁻ᵇᵉᵗᵃ; beyond the blob, squares are 0.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let (rows, columns) = (input.rows, input.columns)
    let factor = alpha / Float(isWithinChannel ? window * window : window)
    let before = window / 2
    let after = window - before - 1
    func around(_ position: Int, of size: Int) -> Range<Int> {
      max(0, position - before)..<min(size, position + after + 1)
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
        for other in around(channel, of: input.channels) { add(value(other, y, x)) }
      }
      return value(channel, y, x) * pow(bias + factor * sum, -beta)
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let squares = isWithinChannel ? window * window : window
    return .perElement(of: output, steps: Int64(squares) + Cost.exponential)
  }
}

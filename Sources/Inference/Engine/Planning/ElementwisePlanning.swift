import Kernels
import NCNN

extension Planner {
  /// One side of an element-wise operation.
  private enum Operand {
    /// A blob of the result's shape, or of a single pixel, which serves every pixel.
    case blob(String)
    /// A number for each channel, or one for all.
    case numbers([Float])
  }

  mutating func lower(_ node: Graph.Node, _ operation: BinaryOp) {
    guard let (arithmetic, isReversed) = operation.arithmetic.kernel else {
      return lowerFallback(node)
    }
    let first = Operand.blob(node.inputs[0])
    let second = operation.scalar.map { .numbers([$0]) } ?? Operand.blob(node.inputs[1])
    lowerElementwise(node, isReversed ? second : first, [(arithmetic, isReversed ? first : second)])
  }

  mutating func lower(_ node: Graph.Node, _ eltwise: Eltwise) {
    // A file can name any number of blobs, and each takes a step.
    guard (2...16).contains(node.inputs.count) else { return lowerFallback(node) }
    let rest = node.inputs.indices.dropFirst().map {
      (eltwise.kernel(of: $0), Operand.blob(node.inputs[$0]))
    }
    lowerElementwise(node, .blob(node.inputs[0]), rest)
  }

  mutating func lower(_ node: Graph.Node, _ norm: BatchNorm) {
    let (scales, offsets) = norm.factors(node.weights)
    lowerElementwise(
      node, .blob(node.inputs[0]), [(.multiply, .numbers(scales)), (.add, .numbers(offsets))])
  }

  mutating func lower(_ node: Graph.Node, _ scale: Scale) {
    let scales = scale.channels == nil ? [.blob(node.inputs[1])] : node.weights.map(Operand.numbers)
    lowerElementwise(node, .blob(node.inputs[0]), Array(zip([.multiply, .add], scales)))
  }

  /// Plans arithmetic on a blob and a number for each of its channels, or one for all.
  mutating func lower(_ node: Graph.Node, _ arithmetic: VectorArithmetic, _ numbers: [Float]) {
    lowerElementwise(node, .blob(node.inputs[0]), [(arithmetic, .numbers(numbers))])
  }

  /// Plans operations that compute each element from those at the same place, one after the other, all
  /// but the first in place; as a plain layer where no kernel can.
  private mutating func lowerElementwise(
    _ node: Graph.Node, _ first: Operand, _ rest: [(VectorArithmetic, Operand)]
  ) {
    let shape = shape(node.outputs[0])
    guard graph.isBlockable(node.outputs[0]),
      !(takesPicture && node.inputs.contains(where: isInput)),
      node.inputs.allSatisfy({ self.shape($0) == shape || isPixel($0, of: shape) })
    else { return lowerFallback(node) }
    let whole = node.inputs.first { self.shape($0) == shape } ?? node.inputs[0]
    let layout = blocked(whole)
    let output = makeBlob(like: layout, rows: shape[1], columns: shape[2])
    var operand = operandBlocks(first, like: layout)
    for (arithmetic, second) in rest {
      add(
        node.layer.name,
        ElementwiseStep(
          first: operand, second: operandBlocks(second, like: layout), arithmetic: arithmetic,
          writes: output.blocks, rows: output.rows, columns: output.columns))
      operand = .blob(output.blocks)
    }
    define(node.outputs[0], output)
  }

  /// Whether a blob has one number for each channel of another: ncnn broadcasts them over its
  /// pixels.
  private func isPixel(_ name: String, of shape: [Int]) -> Bool {
    let own = self.shape(name)
    return own == [shape[0]] || own == [shape[0], 1, 1]
  }

  /// Where an operand is: for each block of `layout`, the block with the same channels at the same
  /// lanes.
  private mutating func operandBlocks(
    _ operand: Operand, like layout: BlockedBlob
  ) -> ElementwiseStep.Operand {
    switch operand {
    case .blob(let name):
      let blob = blocked(name)
      let blocks = blob.blocks(like: layout) ?? copied(name, like: layout)
      let isWhole = (blob.rows, blob.columns) == (layout.rows, layout.columns)
      return isWhole ? .blob(blocks) : .pixel(blocks)
    case .numbers(let numbers):
      var packed = [Float](repeating: 0, count: layout.blocks.count * plan.lanes)
      let all =
        numbers.count == 1
        ? Array(repeating: numbers[0], count: layout.channels.count) : numbers
      for (place, number) in zip(layout.sourceChannels, all) {
        packed[place.block * plan.lanes + place.lane] = number
      }
      let buffer = AlignedBuffer(packed)
      plan.weightBytes += buffer.byteCount
      return .numbers(buffer)
    }
  }

  /// The blocks of a copy with its channels at the same lanes as another blob's.
  private mutating func copied(_ name: String, like layout: BlockedBlob) -> [Int] {
    let size = blocked(name)
    let tensor = tensor(name)
    let copy = makeBlob(like: layout, rows: size.rows, columns: size.columns)
    add("pack \(name)", PackStep(tensor: tensor, blob: copy), shape: shape(name))
    return copy.blocks
  }
}

extension BlockedBlob {
  /// For each block of another blob the one that holds the same channels at the same lanes; nil
  /// where there is none.
  fileprivate func blocks(like other: BlockedBlob) -> [Int]? {
    var partners: [Int: Int] = [:]
    for (own, place) in zip(channels, other.channels) {
      guard own.lane == place.lane,
        partners.updateValue(own.block, forKey: place.block) ?? own.block == own.block
      else { return nil }
    }
    return other.blocks.compactMap { partners[$0] }
  }
}

extension BinaryOp.Arithmetic {
  /// The kernels' arithmetic, and whether it takes the operands in reverse order; nil where there
  /// is none.
  fileprivate var kernel: (VectorArithmetic, isReversed: Bool)? {
    switch self {
    case .add: (.add, false)
    case .subtract: (.subtract, false)
    case .multiply: (.multiply, false)
    case .divide: (.divide, false)
    case .maximum: (.maximum, false)
    case .minimum: (.minimum, false)
    case .subtractReversed: (.subtract, true)
    case .divideReversed: (.divide, true)
    default: nil
    }
  }
}

extension Eltwise {
  /// The arithmetic that combines the blob of this index with those before it.
  fileprivate func kernel(of number: Int) -> VectorArithmetic {
    switch combination {
    case .product: .multiply
    case .maximum: .maximum
    case .sum(coefficients: []): .add
    case .sum(let coefficients):
      .weightedSum(first: number == 1 ? coefficients[0] : 1, second: coefficients[number])
    }
  }
}

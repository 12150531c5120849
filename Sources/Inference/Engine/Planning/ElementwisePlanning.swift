import Kernels
import NCNN

extension Planner {
  /// One side of an element-wise operation.
  private enum Operand {
    /// A blob of the result's shape, or of a single pixel, which serves every pixel.
    case blob(String)
    /// A number for each channel.
    case numbers([Float])
  }

  /// Plans operations that compute each element from those at the same place; false where no kernel
  /// can.
  mutating func lowerElementwise(_ node: Graph.Node) -> Bool {
    let shape = shape(node.outputs[0])
    guard graph.isBlockable(node.outputs[0]),
      !(takesPicture && node.inputs.contains(where: isInput)),
      node.inputs.allSatisfy({ self.shape($0) == shape || isPixel($0, of: shape) })
    else { return false }
    let blobs = node.inputs.map { Operand.blob($0) }
    func numbers(_ values: [Float]) -> Operand {
      .numbers(values.count == 1 ? Array(repeating: values[0], count: shape[0]) : values)
    }
    switch node.layer.operation {
    case .binaryOp(let operation):
      guard let (arithmetic, isReversed) = operation.arithmetic.kernel else { return false }
      let second = operation.scalar.map { numbers([$0]) } ?? blobs[1]
      lower(
        node, isReversed ? second : blobs[0], [(arithmetic, isReversed ? blobs[0] : second)])
    // A file can name any number of blobs, and each takes a step.
    case .eltwise(let eltwise) where (2...16).contains(blobs.count):
      let rest = blobs.indices.dropFirst()
      lower(node, blobs[0], rest.map { (eltwise.kernel(of: $0), blobs[$0]) })
    case .prelu: lower(node, blobs[0], [(.leak, numbers(node.weights[0]))])
    case .dropout(let scale): lower(node, blobs[0], [(.multiply, numbers([scale]))])
    case .batchNorm(let norm):
      let (scales, offsets) = norm.factors(node.weights)
      lower(node, blobs[0], [(.multiply, .numbers(scales)), (.add, .numbers(offsets))])
    case .bias: lower(node, blobs[0], [(.add, .numbers(node.weights[0]))])
    case .scale where blobs.count == 2: lower(node, blobs[0], [(.multiply, blobs[1])])
    case .scale:
      let operations: [VectorArithmetic] = [.multiply, .add]
      lower(node, blobs[0], Array(zip(operations, node.weights.map { .numbers($0) })))
    default: return false
    }
    return true
  }

  /// Whether a blob has one number for each channel of another: ncnn broadcasts them over its
  /// pixels.
  private func isPixel(_ name: String, of shape: [Int]) -> Bool {
    let own = self.shape(name)
    return own == [shape[0]] || own == [shape[0], 1, 1]
  }

  /// Steps that apply one operation after the other, all but the first in place.
  private mutating func lower(
    _ node: Graph.Node, _ first: Operand, _ rest: [(VectorArithmetic, Operand)]
  ) {
    let shape = shape(node.outputs[0])
    let whole = node.inputs.first { self.shape($0) == shape } ?? node.inputs[0]
    let layout = blocked(whole)
    let output = makeBlob(like: layout, rows: shape[1], columns: shape[2])
    var operand = operandBlocks(first, like: layout)
    for (arithmetic, second) in rest {
      let step = ElementwiseStep(
        first: operand, second: operandBlocks(second, like: layout), arithmetic: arithmetic,
        to: output.blocks, columns: output.columns)
      add(
        node.layer.name, .elementwise(step), tasks: output.rows,
        reads: step.first.blocks + step.second.blocks, writes: step.to)
      operand = .blob(output.blocks)
    }
    define(node.outputs[0], output)
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
      let blocks = layout.blocks
      let positions = Dictionary(uniqueKeysWithValues: zip(blocks, blocks.indices))
      var packed = [Float](repeating: 0, count: blocks.count * plan.lanes)
      for (place, number) in zip(layout.channels, numbers) {
        packed[(positions[place.block] ?? 0) * plan.lanes + place.lane] = number
      }
      let start = plan.weights.count
      plan.weights += packed
      return .numbers(start)
    }
  }

  /// The blocks of a copy with its channels at the same lanes as another blob's.
  private mutating func copied(_ name: String, like layout: BlockedBlob) -> [Int] {
    let size = blocked(name)
    let tensor = tensor(name)
    let copy = makeBlob(like: layout, rows: size.rows, columns: size.columns)
    add(
      "pack \(name)", .pack(tensor: tensor, to: copy), tasks: 1, reads: [], writes: copy.blocks,
      shape: shape(name))
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
    case .power, .powerReversed, .arcTangent, .arcTangentReversed: nil
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

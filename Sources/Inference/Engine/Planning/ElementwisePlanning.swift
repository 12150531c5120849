// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

extension Planner {
  /// Plans arithmetic that computes each element from those at the same place, one operation after the other,
  /// all but the first in place; as a plain layer where no kernel can.
  mutating func lowerArithmetic(
    _ node: Graph.Node, _ first: Lowering.Operand,
    _ rest: [(Lowering.Arithmetic, Lowering.Operand)]
  ) {
    let shape = shape(node.outputs[0])
    guard graph.isBlockable(node.outputs[0]),
      !(takesPicture && node.inputs.contains(where: isInput)),
      node.inputs.allSatisfy({ self.shape($0) == shape || isPixel($0, of: shape) })
    else { return lowerFallback(node) }
    let whole = node.inputs.first { self.shape($0) == shape } ?? node.inputs[0]
    let layout = blocked(whole)
    let output = makeBlob(like: layout, rows: shape[1], columns: shape[2])
    var operand = operandBlocks(first, of: node, like: layout)
    for (arithmetic, second) in rest {
      add(
        node.layer.name,
        ElementwiseStep(
          first: operand, second: operandBlocks(second, of: node, like: layout),
          arithmetic: VectorArithmetic(arithmetic), writes: output.blocks, rows: output.rows,
          columns: output.columns))
      operand = .blob(output.blocks)
    }
    define(node.outputs[0], output)
  }

  /// Whether a blob has one number for each channel of another, which serves all its pixels.
  private func isPixel(_ name: String, of shape: [Int]) -> Bool {
    let own = self.shape(name)
    return own == [shape[0]] || own == [shape[0], 1, 1]
  }

  /// Where an operand is: for each block of `layout`, the block with the same channels at the same
  /// lanes.
  private mutating func operandBlocks(
    _ operand: Lowering.Operand, of node: Graph.Node, like layout: BlockedBlob
  ) -> ElementwiseStep.Operand {
    switch operand {
    case .input(let index):
      let name = node.inputs[index]
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

extension VectorArithmetic {
  fileprivate init(_ arithmetic: Lowering.Arithmetic) {
    switch arithmetic {
    case .add: self = .add
    case .subtract: self = .subtract
    case .multiply: self = .multiply
    case .divide: self = .divide
    case .maximum: self = .maximum
    case .minimum: self = .minimum
    case .leak: self = .leak
    case .weightedSum(let first, let second): self = .weightedSum(first: first, second: second)
    }
  }
}

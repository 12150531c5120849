// SPDX-License-Identifier: Apache-2.0

/// A box with a class and a score.
struct ScoredBox {
  let label: Int
  let score: Float
  let left, top, right, bottom: Float

  init(label: Int, score: Float, x: Float, y: Float, width: Float, height: Float) {
    (self.label, self.score) = (label, score)
    (left, top) = (x - width / 2, y - height / 2)
    (right, bottom) = (x + width / 2, y + height / 2)
  }

  private var area: Float { (right - left) * (bottom - top) }

  /// The common area divided by that of both.
  func overlap(_ other: ScoredBox) -> Float {
    let width = min(right, other.right) - max(left, other.left)
    let height = min(bottom, other.bottom) - max(top, other.top)
    let common = width < 0 || height < 0 ? 0 : width * height
    return common / (area + other.area - common)
  }
}

extension [ScoredBox] {
  /// By falling score; equal ones stay in their order.
  func ranked() -> [ScoredBox] { sorted { $0.score > $1.score } }

  /// The boxes in their order, without those that overlap an earlier one by more than a limit.
  func thinned(_ limit: Float) -> [ScoredBox] {
    var kept: [ScoredBox] = []
    for box in self where !kept.contains(where: { box.overlap($0) > limit }) { kept.append(box) }
    return kept
  }

  /// Rows of class, score and edges. Rows of zeros follow, whose class 0 is the background: a blob
  /// has a size before its numbers are known.
  func rows(_ shape: [Int]) -> Tensor {
    var result = Tensor(shape)
    for (row, box) in prefix(shape[0]).enumerated() {
      let numbers = [Float(box.label), box.score, box.left, box.top, box.right, box.bottom]
      result.values.replaceSubrange(6 * row..<6 * row + 6, with: numbers)
    }
    return result
  }
}

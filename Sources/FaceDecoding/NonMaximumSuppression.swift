// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// What non-maximum suppression decided about a list of candidates.
public struct Suppression: Sendable, Hashable {
  /// How many candidates are considered by default: more than a picture of a crowd gives, and few
  /// enough that even a model or a picture made to waste time cannot stall suppression.
  public static let maximumCandidates = 30_000

  /// Indices of the candidates kept, best score first; among equal scores the lower index first.
  public let kept: [Int]
  /// For each candidate, the index of the kept one that suppressed it: of those that overlap it too much, the best.
  /// nil for a candidate that was kept, has the score NaN, or came after the maximum number had been kept or
  /// considered.
  public let suppressor: [Int?]
}

/// Greedy non-maximum suppression: of candidates that overlap too much, only the best stays.
///
/// Candidates are visited from the best score down, among equal scores the lower index first. One
/// is kept unless its `intersectionOverUnion` with a kept one is over `overlapThreshold`. The cost
/// is that of sorting, plus candidates considered × kept; a threshold that keeps all compares no
/// boxes.
///
/// - Parameters:
///   - candidates: any number, in any order. One whose score is NaN is dropped. One whose box is
///     degenerate overlaps nothing, so it is kept and suppresses nothing.
///   - overlapThreshold: the largest IoU that two kept boxes may have. Below 0 counts as 0; at 1 or
///     above, or where it is NaN, nothing is suppressed.
///   - maximumCount: the most candidates to keep, the best first; below 1 none.
///   - maximumCandidates: the most candidates to consider, the best first, which bounds the time;
///     the others are dropped. Below 1 none.
public func nonMaximumSuppression(
  of candidates: [Face], overlapThreshold: Double, maximumCount: Int = .max,
  maximumCandidates: Int = Suppression.maximumCandidates
) -> Suppression {
  var kept: [Int] = []
  var keptBoxes = KeptBoxes(overlapThreshold: overlapThreshold)
  var suppressor = [Int?](repeating: nil, count: candidates.count)
  let scores = candidates.map { $0.score }
  let bestFirst = scores.indices.filter { !scores[$0].isNaN }.sorted { scores[$0] > scores[$1] }
  for index in bestFirst.prefix(max(0, maximumCandidates)) {
    if kept.count >= maximumCount { break }
    let box = candidates[index].box
    if let position = keptBoxes.firstOverlapping(box) {
      suppressor[index] = kept[position]
    } else {
      kept.append(index)
      keptBoxes.append(box)
    }
  }
  return Suppression(kept: kept, suppressor: suppressor)
}

/// The boxes kept so far, in blocks that fill a vector's lanes, so that one candidate is compared
/// with a block at a time.
private struct KeptBoxes {
  /// Double, as `Box` is: decisions agree with `intersectionOverUnion` to the last digits,
  /// and nothing is converted.
  typealias Vector = SIMD4<Double>

  /// Lanes without a box have edges that meet no other box.
  struct Block {
    var (minX, minY) = (Vector(repeating: .infinity), Vector(repeating: .infinity))
    var (maxX, maxY) = (Vector(repeating: -.infinity), Vector(repeating: -.infinity))
    var area = Vector.zero

    /// Lanes in which the IoU with a box is over the threshold, written without a division:
    /// intersection > threshold · union.
    func overlaps(_ box: Box, threshold: Double) -> SIMDMask<Vector.MaskStorage> {
      let left = minX.replacing(with: box.minX, where: minX .< box.minX)
      let top = minY.replacing(with: box.minY, where: minY .< box.minY)
      let right = maxX.replacing(with: box.maxX, where: maxX .> box.maxX)
      let bottom = maxY.replacing(with: box.maxY, where: maxY .> box.maxY)
      let isApart = (right .<= left) .| (bottom .<= top)
      let intersection = ((right - left) * (bottom - top)).replacing(with: 0, where: isApart)
      return intersection .> threshold * (area + box.area - intersection)
    }
  }

  private let overlapThreshold: Double
  private var blocks: [Block] = []
  private var count = 0

  init(overlapThreshold: Double) {
    self.overlapThreshold = overlapThreshold < 0 ? 0 : overlapThreshold
  }

  /// Adds a box. A degenerate one takes up a lane but leaves it empty.
  mutating func append(_ box: Box) {
    let (last, lane) = count.quotientAndRemainder(dividingBy: Vector.scalarCount)
    if lane == 0 { blocks.append(Block()) }
    if !box.isDegenerate {
      blocks[last].minX[lane] = box.minX
      blocks[last].minY[lane] = box.minY
      blocks[last].maxX[lane] = box.maxX
      blocks[last].maxY[lane] = box.maxY
      blocks[last].area[lane] = box.area
    }
    count += 1
  }

  /// The position, in the order of appending, of the first box whose IoU with this one is over the
  /// threshold.
  func firstOverlapping(_ box: Box) -> Int? {
    // Written so that a NaN threshold, too, keeps all.
    guard overlapThreshold < 1, !box.isDegenerate else { return nil }
    for (number, block) in blocks.enumerated() {
      let overlaps = block.overlaps(box, threshold: overlapThreshold)
      if any(overlaps), let lane = overlaps.indices.first(where: { overlaps[$0] }) {
        return number * Vector.scalarCount + lane
      }
    }
    return nil
  }
}

import Geometry

/// A pair as improbable as this does not count.
private let improbabilityLimit = 15.0

/// Added to the improbability of a pair whose face was missed in the frame before: the natural
/// logarithm of how much more often a face is found if that frame had it. A face hidden behind
/// another stays hidden for a while, and must not get the other's box.
private let improbabilityOfReturn = 0.5

/// Which of the found boxes belongs to each motion, so that all pairs together are the most
/// probable; nil where none does.
///
/// Every pair too improbable to count costs the same, so that the assignment does not give up one
/// good pair for two bad ones.
///
/// - Parameters:
///   - motions: advanced to the time of the boxes.
///   - isMissing: for each motion, whether its box was not found in the frame before.
///   - boxes: none degenerate.
func associate(
  _ motions: [BoxMotion], isMissing: [Bool], with boxes: [Rectangle]
) -> [Int?] {
  let costs = zip(motions, isMissing).flatMap { motion, isMissing in
    boxes.map { box in
      let cost = motion.improbability(of: box) + (isMissing ? improbabilityOfReturn : 0)
      // NaN, from numbers that diverged, is no pair either.
      return cost < improbabilityLimit ? cost : improbabilityLimit
    }
  }
  let assignment = minimumCostAssignment(
    rows: motions.count, columns: boxes.count, costs: costs)
  return assignment.enumerated().map { motion, box in
    box.flatMap { costs[motion * boxes.count + $0] < improbabilityLimit ? $0 : nil }
  }
}

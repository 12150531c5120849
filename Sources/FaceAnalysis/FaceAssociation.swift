import Geometry

/// A pair this improbable does not count.
private let improbabilityLimit = 15.0

/// ln of how much more often a face is found if it was found in the frame before: one that is
/// hidden behind another stays hidden for a while, and must not be given the other's box.
private let improbabilityOfReturn = 0.5

/// Which of the found boxes belongs to each motion, so that all pairs together are the most
/// probable; nil where none does.
///
/// What is not probable enough to be a pair costs as much as leaving both alone does. No pair costs
/// more, so one good pair is not given up for two bad ones.
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
      // NaN, from numbers that went wild, is no pair either.
      return cost < improbabilityLimit ? cost : improbabilityLimit
    }
  }
  let assignment = minimumCostAssignment(
    rows: motions.count, columns: boxes.count, costs: costs)
  return assignment.enumerated().map { motion, box in
    box.flatMap { costs[motion * boxes.count + $0] < improbabilityLimit ? $0 : nil }
  }
}

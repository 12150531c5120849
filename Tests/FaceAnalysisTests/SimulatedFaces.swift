// SPDX-License-Identifier: Apache-2.0
import TestSupport
import YOLOFaceDecoding

/// Faces that move over a picture of 1280 × 720, and what a detector would find.
struct SimulatedFaces {
  /// The faults of the simulated detections.
  struct Faults {
    /// Standard deviation of a box's numbers, in sides.
    var jitter = 0.03
    /// The probability that a face in a frame is missed.
    var missing = 0.05
    /// The probability that a frame has a box without a face.
    var falsePositive = 0.1
    /// How much wider a head is than its face on either side, as a fraction of the face's width. A
    /// head hides what is behind it; nil where faces hide each other only by non-maximum
    /// suppression.
    var headMargin: Double?
    /// The probability that a frame starts a gap of dropped frames of up to 0.3 seconds.
    var dropped = 0.02
  }

  /// A path through the picture: the centre and the side at a time, nil while the face is away.
  struct Path {
    var name: Int
    var side: (Double) -> Double
    var center: (Double) -> Point2D?
  }

  var paths: [Path]
  var faults: Faults
  private var generator: SeededGenerator
  private var dropsUntil = 0.0

  init(_ paths: [Path], faults: Faults, seed: UInt64) {
    self.paths = paths
    self.faults = faults
    generator = SeededGenerator(seed: seed)
  }

  /// The true faces whose centre is in the picture, the nearest, which hide others, last.
  func truth(at seconds: Double) -> [GroundTruthFace] {
    paths.compactMap { path in
      guard let center = path.center(seconds), (0...1280).contains(center.x),
        (0...720).contains(center.y)
      else { return nil }
      let side = path.side(seconds)
      return GroundTruthFace(
        name: path.name,
        box: Box(center: center, size: Size2D(width: side, height: 1.25 * side)))
    }
  }

  mutating func dropsFrame(at seconds: Double) -> Bool {
    if seconds >= dropsUntil, chance(faults.dropped) {
      dropsUntil = seconds + .random(in: 0...0.3, using: &generator)
    }
    return seconds < dropsUntil
  }

  /// What a detector finds: of a face that is partly hidden the part that is seen, and of two boxes
  /// with an IoU over 0.45 only the nearer, as non-maximum suppression leaves it.
  mutating func detections(of truth: [GroundTruthFace]) -> [Face] {
    var boxes: [Box] = []
    for (index, face) in truth.enumerated().reversed() where !chance(faults.missing) {
      let nearer = truth[(index + 1)...].map(\.box)
      guard let seen = visiblePart(of: face.box, behind: nearer) else { continue }
      let box = trembling(seen)
      if !boxes.contains(where: { $0.intersectionOverUnion(with: box) > 0.45 }) {
        boxes.append(box)
      }
    }
    if chance(faults.falsePositive) {
      boxes.append(
        Box(
          x: .random(in: 0...1200, using: &generator), y: .random(in: 0...640, using: &generator),
          width: .random(in: 20...80, using: &generator),
          height: .random(in: 20...80, using: &generator)))
    }
    return boxes.shuffled(using: &generator).map(face)
  }

  /// The part of a face not hidden by nearer heads; nil for less than 0.45 of it.
  private func visiblePart(of box: Box, behind nearer: [Box]) -> Box? {
    guard let margin = faults.headMargin else { return box }
    var (left, right) = (box.minX, box.maxX)
    for other in nearer {
      let height = min(box.maxY, other.maxY) - max(box.minY, other.minY)
      guard height > 0.4 * box.height else { continue }
      let (start, end) = (other.minX - margin * other.width, other.maxX + margin * other.width)
      if start <= left { left = max(left, end) } else if end >= right { right = min(right, start) }
    }
    guard right - left >= 0.45 * box.width else { return nil }
    return Box(x: left, y: box.y, width: right - left, height: box.height)
  }

  private mutating func trembling(_ box: Box) -> Box {
    let deviation = faults.jitter * box.area.squareRoot()
    return Box(
      x: box.x + deviation * normal(), y: box.y + deviation * normal(),
      width: box.width + deviation * normal(), height: box.height + deviation * normal())
  }

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < probability
  }

  /// An approximately standard normal number: the Irwin–Hall sum of twelve uniform ones.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
  }
}

/// A face whose box alone matters.
func face(_ box: Box) -> Face { Face(score: 0.9, box: box) }

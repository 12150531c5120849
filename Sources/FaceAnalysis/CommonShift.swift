// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// The shift that most faces share between where they are expected, or were, and where they are found.
///
/// Each pair of an expected and a found box that could be the same face proposes the shift from one to the other. An
/// expected box gives each proposal a vote from 0 to 1: the nearer the proposal brings it to a found box of about its
/// size, the higher. The proposal with the most votes wins, if at least three faces, and half of all, vote for it.
/// Faces that move by themselves propose different shifts and are outvoted, wherever they go.
///
/// Only the 32 largest expected and the 32 largest found boxes take part, which bounds the cost.
struct CommonShift {
  private static let mostBoxes = 32
  static let fewestVoters = 3
  /// How far a proposal may leave an expected box from a found one, in sides of the expected one.
  private static let reach = 0.3
  /// How far a box may have moved, in its sides: a greater distance means a cut.
  private static let farthest = 4.0
  /// The largest ratio of a face's areas in two successive frames.
  private static let areaRatio = 1.7
  /// How many more votes than no shift at all another proposal needs.
  private static let margin = 1.0

  /// An expected box that may have moved to a found one.
  private struct Pair {
    /// The expected box's number; pairs are ordered by it.
    var voter: Int
    var shift: SIMD2<Double>
    /// The square of the reach, in pixels.
    var reachSquared: Double
  }

  private struct Count {
    var votes = 0.0
    var voters = 0
    /// The weighted mean of the voters' own shifts.
    var mean = SIMD2(0.0, 0.0)
  }

  private let pairs: [Pair]
  /// How many boxes could have a vote and be matched.
  private let voters: Int

  /// Boxes are in any order. Those that enclose nothing, or are extremely large, small or far away, have no vote.
  init(from expected: [Box], to found: [Box]) {
    let (expected, found) = (Self.largest(expected), Self.largest(found))
    voters = min(expected.count, found.count)
    pairs = expected.enumerated().flatMap { voter, old in
      let reachSquared = Self.reach * Self.reach * old.area
      return found.compactMap { (new: Box) -> Pair? in
        let ratio = new.area / old.area
        let shift = SIMD2(new.center.x - old.center.x, new.center.y - old.center.y)
        guard ratio < Self.areaRatio, ratio > 1 / Self.areaRatio,
          (shift * shift).sum() < Self.farthest * Self.farthest * old.area
        else { return nil }
        return Pair(voter: voter, shift: shift, reachSquared: reachSquared)
      }
    }
  }

  /// The shift with the most votes, in pixels; nil where too few agree.
  var winner: SIMD2<Double>? {
    let needed = max(Self.fewestVoters, (voters + 1) / 2)
    guard voters >= needed else { return nil }
    var best = count(for: .zero)
    best.votes += Self.margin
    for pair in pairs {
      let count = count(for: pair.shift)
      if count.votes > best.votes { best = count }
    }
    return best.voters >= needed ? best.mean : nil
  }

  private func count(for shift: SIMD2<Double>) -> Count {
    var count = Count()
    var weights = 0.0
    var rest = pairs[...]
    while let first = rest.first {
      var (vote, nearest) = (0.0, first)
      while let pair = rest.first, pair.voter == first.voter {
        let difference = pair.shift - shift
        let nearness = 1 - (difference * difference).sum() / pair.reachSquared
        if nearness > vote { (vote, nearest) = (nearness, pair) }
        rest.removeFirst()
      }
      guard vote > 0 else { continue }
      // In pixels, a small box gives the shift more exactly than a large one.
      let weight = vote / nearest.reachSquared
      count.votes += vote
      count.voters += 1
      count.mean += weight * nearest.shift
      weights += weight
    }
    if weights > 0 { count.mean /= weights }
    return count
  }

  /// The shift of the picture since an earlier frame, in pixels; nil where too few faces agree. It is sought first
  /// near the shift of a camera that keeps its motion, then near no shift: the camera may have stopped.
  static func shift(
    from old: [Box], expecting expected: SIMD2<Double>, to found: [Box]
  ) -> SIMD2<Double>? {
    let moved = old.map { $0.moved(by: expected) }
    if let more = CommonShift(from: moved, to: found).winner { return expected + more }
    return CommonShift(from: old, to: found).winner
  }

  private static func largest(_ boxes: [Box]) -> [Box] {
    let usable = boxes.filter { box in
      (1e-6...1e18).contains(box.area) && abs(box.center.x) < 1e9 && abs(box.center.y) < 1e9
    }
    return Array(usable.sorted { $0.area > $1.area }.prefix(mostBoxes))
  }
}

extension Box {
  func moved(by shift: SIMD2<Double>) -> Box {
    Box(x: x + shift.x, y: y + shift.y, width: width, height: height)
  }
}

/// How far a camera has turned by each frame, in pixels: the sum of the shifts that most faces share.
struct CameraPath {
  private typealias Offset = SIMD2<Double>

  /// The frames that had faces, oldest first, and the shift of the picture since the first of them.
  private var offsets: [(frame: Int, offset: Offset)] = []
  private var boxes: [Box] = []
  /// The last shift, in pixels per frame.
  private var speed: Offset = .zero

  /// Adds the boxes of a later frame's faces; none where the detector found nothing.
  mutating func add(_ found: [Box], frame: Int) {
    guard !found.isEmpty else { return }
    var shift = Offset.zero
    if let last = offsets.last {
      let frames = Double(frame - last.frame)
      shift = CommonShift.shift(from: boxes, expecting: speed * frames, to: found) ?? .zero
      speed = shift / frames
    }
    offsets.append((frame, (offsets.last?.offset ?? .zero) + shift))
    boxes = found
  }

  /// Forgets the boxes of the frames so far: those that follow are of another scene.
  mutating func cut() {
    boxes = []
    speed = .zero
  }

  /// A box, seen in one frame, where it would be in another if it had moved with the picture alone.
  func box(_ box: Box, from frame: Int, to other: Int) -> Box {
    box.moved(by: offset(in: other) - offset(in: frame))
  }

  /// The offset in a frame, between those of the nearest frames that had faces.
  private func offset(in frame: Int) -> Offset {
    let after = offsets.first { $0.frame >= frame }
    let before = offsets.last { $0.frame <= frame }
    guard let before, let after else { return before?.offset ?? after?.offset ?? .zero }
    let share = Double(frame - before.frame) / Double(max(1, after.frame - before.frame))
    return before.offset + share * (after.offset - before.offset)
  }

  /// Drops what no frame from this one on depends on.
  mutating func forget(before frame: Int) {
    while offsets.count > 1, offsets[1].frame <= frame { offsets.removeFirst() }
  }
}

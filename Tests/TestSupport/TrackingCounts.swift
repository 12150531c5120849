// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceDecoding

/// A face in a frame, by its name.
package struct GroundTruthFace {
  package var name: Int
  package var box: Box

  package init(name: Int, box: Box) {
    self.name = name
    self.box = box
  }
}

/// The CLEAR MOT counts (Bernardin and Stiefelhagen, "Evaluating multiple object tracking
/// performance", 2008). A face of the ground truth and a tracked one match if they overlap by at
/// least 0.5; pairs that matched last stay together where they still do, the others pair up best
/// first. A face unmatched for over a second, the tracker's gap, may get another ID.
package struct TrackingCounts: CustomStringConvertible {
  package private(set) var truths = 0
  package private(set) var misses = 0
  package private(set) var falsePositives = 0
  /// Switches of faces that overlapped no other by 0.5 or more within the last second, the longest
  /// time that a face may be hidden.
  package private(set) var switchesApart = 0
  package private(set) var switchesAtCrossings = 0
  /// How many times two faces came to overlap by 0.5 or more.
  package private(set) var crossings = 0
  /// The most switches of a face in one crossing, from its beginning to one second after its end.
  /// Two faces that exchange their IDs have one each.
  package private(set) var mostSwitchesPerCrossing = 0

  package var switches: Int { switchesApart + switchesAtCrossings }

  /// MOTA: 1 less the mistakes per face of the ground truth.
  package var accuracy: Double { 1 - Double(misses + falsePositives + switches) / Double(truths) }

  package var description: String {
    "\(truths) faces, \(misses) misses, \(falsePositives) false positives, "
      + "\(switches) identity switches (\(switchesApart) apart), "
      + "\(crossings) crossings, MOTA \((accuracy * 10000).rounded() / 100) %"
  }

  package init() {}

  private struct Crossing {
    var names: Set<Int>
    var end: Double
    var switches: [Int: Int] = [:]
  }

  private var lastMatch: [Int: (id: Int, seconds: Double)] = [:]
  private var recentCrossings: [Crossing] = []

  package mutating func add(
    _ truth: [GroundTruthFace], _ tracked: [TrackedFace], at seconds: Double
  ) {
    noteCrossings(truth, seconds)
    var free = tracked
    var matches: [Int: Int] = [:]
    func match(_ truth: GroundTruthFace, _ index: Int) {
      matches[truth.name] = free.remove(at: index).id
    }
    for face in truth {
      if let id = lastMatch[face.name]?.id,
        let index = free.firstIndex(where: { $0.id == id }),
        free[index].face.box.intersectionOverUnion(with: face.box) >= 0.5
      {
        match(face, index)
      }
    }
    while true {
      let candidates = truth.filter { matches[$0.name] == nil }.flatMap { face in
        free.indices.map { (face, $0, free[$0].face.box.intersectionOverUnion(with: face.box)) }
      }
      guard let best = candidates.max(by: { $0.2 < $1.2 }), best.2 >= 0.5 else { break }
      match(best.0, best.1)
    }
    for (name, id) in matches {
      if let last = lastMatch[name], last.id != id, seconds - last.seconds <= 1 {
        noteSwitch(of: name)
      }
      lastMatch[name] = (id, seconds)
    }
    truths += truth.count
    misses += truth.count - matches.count
    falsePositives += free.count
  }

  /// Adds the counts of another sequence.
  package mutating func add(_ other: TrackingCounts) {
    truths += other.truths
    misses += other.misses
    falsePositives += other.falsePositives
    switchesApart += other.switchesApart
    switchesAtCrossings += other.switchesAtCrossings
    crossings += other.crossings
    mostSwitchesPerCrossing = max(mostSwitchesPerCrossing, other.mostSwitchesPerCrossing)
  }

  /// Adds a frame that the tracker does not see.
  package mutating func addDropped(_ truth: [GroundTruthFace], at seconds: Double) {
    noteCrossings(truth, seconds)
  }

  private mutating func noteCrossings(_ truth: [GroundTruthFace], _ seconds: Double) {
    recentCrossings.removeAll { $0.end + 1 < seconds }
    for (index, a) in truth.enumerated() {
      for b in truth[..<index] where a.box.intersectionOverUnion(with: b.box) >= 0.5 {
        let names: Set = [a.name, b.name]
        if let known = recentCrossings.firstIndex(where: { $0.names == names }) {
          recentCrossings[known].end = seconds
        } else {
          recentCrossings.append(Crossing(names: names, end: seconds))
          crossings += 1
        }
      }
    }
  }

  private mutating func noteSwitch(of name: Int) {
    guard let last = recentCrossings.lastIndex(where: { $0.names.contains(name) }) else {
      switchesApart += 1
      return
    }
    switchesAtCrossings += 1
    let count = recentCrossings[last].switches[name, default: 0] + 1
    recentCrossings[last].switches[name] = count
    mostSwitchesPerCrossing = max(mostSwitchesPerCrossing, count)
  }
}

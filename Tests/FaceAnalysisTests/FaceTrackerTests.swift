// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

struct FaceTrackerTests {
  private var tracker = FaceTracker()

  private func square(_ x: Double, _ y: Double = 100, side: Double = 80) -> Face {
    face(Box(x: x, y: y, width: side, height: side))
  }

  /// Frames a tenth of a second apart.
  private func time(_ tenths: Int) throws -> RationalTime {
    try RationalTime(value: tenths, timescale: 10)
  }

  @Test mutating func distinguishesNewUpdatedMissedAndLost() throws {
    let first = try tracker.update([square(0), square(300)], at: time(0))
    #expect(first.new.map(\.id) == [1, 2])
    #expect(first.new.map(\.face) == [square(0), square(300)])
    #expect(first.new.allSatisfy { $0.duration.value == 0 && $0.duration.timescale == 10 })
    #expect(first.updated == [] && first.missed == [] && first.lost == [])

    // The order of the faces does not matter.
    let second = try tracker.update([square(310), square(600), square(0)], at: time(1))
    #expect(second.updated.map(\.id) == [1, 2] && second.new.map(\.id) == [3])
    #expect(second.updated.map(\.face) == [square(0), square(310)])
    #expect(second.faces.map(\.id) == [1, 2, 3])
    #expect(try second.updated.allSatisfy { try $0.duration == time(1) })
    #expect(try second.time == time(1))

    let third = try tracker.update([square(0)], at: time(2))
    #expect(third.updated.map(\.id) == [1] && third.missed.map(\.id) == [2, 3])
    #expect(third.missed.map(\.face) == [square(310), square(600)])
    #expect(try third.missed.allSatisfy { try $0.missedFrames == 1 && $0.lastSeen == time(1) })
    #expect(tracker.faces.map(\.id) == [1, 2, 3])

    // A second after it was last seen is not too late, a moment more is.
    let fourth = try tracker.update([square(0), square(600)], at: time(11))
    #expect(fourth.updated.map(\.id) == [1, 3] && fourth.missed.map(\.missedFrames) == [2])
    #expect(try fourth.updated[1].duration == time(10) && fourth.updated[1].missedFrames == 0)
    let fifth = try tracker.update(
      [square(0), square(600), square(310)], at: RationalTime(value: 110_001, timescale: 100_000))
    #expect(fifth.lost.map(\.id) == [2] && fifth.new.map(\.id) == [4])
    #expect(try fifth.lost[0].duration == time(1))
    #expect(tracker.faces.map(\.id) == [1, 3, 4])
  }

  @Test mutating func aCutEndsAllTracks() throws {
    _ = try tracker.update([square(0), square(300)], at: time(0))
    let next = try tracker.update([square(0)], at: time(1), isCut: true)
    #expect(next.lost.map(\.id) == [1, 2] && next.new.map(\.id) == [3])
    #expect(next.missed.isEmpty && tracker.faces.map(\.id) == [3])
  }

  @Test mutating func timeMustIncrease() throws {
    _ = try tracker.update([square(0)], at: time(5))
    for earlier in [5, 4, -5] {
      let error = ValueError("found a frame at \(earlier)/10 s, expected one after 5/10 s")
      #expect(throws: error) { try tracker.update([square(0)], at: time(earlier)) }
    }
    // The same moment in another timescale, and times that cannot be subtracted.
    for (value, timescale) in [(1, 2), (.max, Int(Int32.max))] {
      #expect(throws: ValueError.self) {
        try tracker.update([], at: RationalTime(value: value, timescale: timescale))
      }
    }
    #expect(try tracker.time == time(5))
    #expect(tracker.faces.map(\.missedFrames) == [0])
    #expect(try tracker.update([square(0)], at: time(6)).updated.map(\.id) == [1])
  }

  /// Half a second without frames: the face comes back 2.5 sides away from where it was.
  @Test mutating func followsThroughDroppedFrames() throws {
    for frame in Array(0..<20) + [24] {
      let update = try tracker.update([square(40 * Double(frame))], at: time(frame))
      #expect(update.faces.map(\.id) == [1])
    }
  }

  /// A camera pans over four faces at 256 pixels per second and stops at two of them, too few to
  /// show it. A third that then appears is expected to stay where it is, even over a dropped frame.
  @Test mutating func cameraMotionStopsWithoutEvidence() throws {
    for frame in 0..<20 {
      let faces = (0..<4).map { square(1000 + 200 * Double($0) - 25.6 * Double(frame)) }
      let update = try tracker.update(faces, at: time(frame))
      #expect(update.faces.map(\.id) == [1, 2, 3, 4])
    }
    let two = [square(1000 - 25.6 * 19), square(1200 - 25.6 * 19)]
    for frame in 20..<30 {
      #expect(try tracker.update(two, at: time(frame)).updated.map(\.id) == [1, 2])
    }
    #expect(try tracker.update(two + [square(300, side: 20)], at: time(30)).new.map(\.id) == [5])
    let update = try tracker.update(two + [square(300, side: 20)], at: time(32))
    #expect(update.updated.map(\.id) == [1, 2, 5])
  }

  @Test func withoutAGapNoFaceLasts() throws {
    var tracker = FaceTracker(maximumGap: RationalTime(seconds: 0))
    _ = try tracker.update([square(0)], at: time(0))
    let update = try tracker.update([square(0)], at: time(1))
    #expect(update.new.map(\.id) == [2] && update.lost.map(\.id) == [1])
  }

  @Test mutating func leavesOutFacesWithoutArea() throws {
    let bad = Box.degenerate.map(face)
    let update = try tracker.update(bad + [square(0)] + bad, at: time(0))
    #expect(update.new.map(\.face) == [square(0)])
    #expect(try tracker.update(bad, at: time(1)).missed.map(\.id) == [1])
  }

  /// With numbers of every size, whose squares and quotients overflow or underflow, nothing traps,
  /// and every face is in one list.
  @Test func survivesWildNumbers() throws {
    var generator = SeededGenerator(seed: 4)
    func wild() -> Double {
      let exponent = Double.random(in: -1074...1024, using: &generator)
      let number = Double(
        sign: .plus, exponent: Int(exponent), significand: .random(in: 1..<2, using: &generator))
      return Bool.random(using: &generator) ? number : -number
    }
    var tracker = FaceTracker(maximumGap: RationalTime(seconds: .max))
    var time = -1 << 60
    var seen = 0
    for _ in 0..<Rounds.few(60, of: 300) {
      time += 1 << Int.random(in: 0...52, using: &generator)
      var faces = tracker.faces.map(\.face).shuffled(using: &generator)
      for _ in 0..<8 {
        faces.append(face(Box(x: wild(), y: wild(), width: abs(wild()), height: abs(wild()))))
      }
      for index in faces.indices where Bool.random(using: &generator) {
        faces[index].box.x += faces[index].box.width * .random(in: -1...1, using: &generator)
        faces[index].box.height *= .random(in: 0.5...2, using: &generator)
      }
      faces = Array(faces.prefix(100))
      let update = try tracker.update(faces, at: RationalTime(seconds: time))
      #expect(update.faces.count == faces.count { !$0.box.isDegenerate })
      #expect(Set(tracker.faces.map(\.id)).count == tracker.faces.count)
      seen += update.updated.count
    }
    #expect(seen > 100)
  }

  @Test mutating func refusesMoreFacesThanTheLimit() throws {
    let limit = FaceTracker.maximumFaces
    _ = try tracker.update([square(0)], at: time(0))
    let heap = (0...limit).map { square(Double($0 % 7)) }
    #expect(throws: ValueError.self) { try tracker.update(heap, at: time(1)) }
    #expect(tracker.faces.map(\.id) == [1])
    #expect(try tracker.time == time(0))
    // One fewer is the limit, all in one place.
    #expect(try tracker.update(heap.dropLast(), at: time(1)).new.count == limit - 1)
    #expect(try tracker.update(heap.dropLast(), at: time(2)).updated.count == limit)
  }

  @Test mutating func dropsTheLongestMissingWhenFull() throws {
    let limit = FaceTracker.maximumFaces
    func row(_ count: Int, _ y: Double) -> [Face] {
      (0..<count).map { square(100 * Double($0), y) }
    }
    _ = try tracker.update(row(3, 0) + row(3, 500), at: time(0))
    _ = try tracker.update(row(3, 500), at: time(1))
    let update = try tracker.update(row(limit - 4, 1000), at: time(2))
    #expect(update.lost.map(\.id) == [1, 2])
    #expect(update.missed.map(\.id) == [3, 4, 5, 6])
    #expect(tracker.faces.count == limit)
    #expect(tracker.faces.map(\.id) == tracker.faces.map(\.id).sorted())
  }

  /// A camera that accelerates and then stands still: the expected shift is by then farther than any face
  /// may have moved, and only where the faces were shows that it ended.
  @Test mutating func aCameraMayStopAtOnce() throws {
    let positions = [100.0, 100, 150, 250, 350] + Array(repeating: 100.0, count: 10)
    for (frame, x) in positions.enumerated() {
      let faces = [100.0, 300, 500, 700].map { square(x, $0, side: 20) }
      let update = try tracker.update(faces, at: RationalTime(value: frame, timescale: 30))
      if frame > 5 { #expect(update.new.isEmpty, "frame \(frame)") }
    }
  }

  /// Between frames that follow each other at once, a pixel looks like a great speed.
  @Test mutating func aShortIntervalIsNoSpeed() throws {
    for (ticks, shift) in [(0, 0.0), (3000, 0), (3001, 1), (6000, 1), (9000, 1)] {
      let faces = [0.0, 300, 600].map { square($0 + shift, side: 100) }
      let update = try tracker.update(faces, at: RationalTime(value: ticks, timescale: 90_000))
      #expect(update.new.isEmpty == (ticks > 0), "\(ticks)")
    }
  }
}

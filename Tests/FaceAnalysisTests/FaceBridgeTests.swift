// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

struct FaceBridgeTests {
  private let interval: RationalTime

  init() throws { interval = try RationalTime(value: 1, timescale: 30) }

  private func box(_ x: Double, _ y: Double = 100) -> Box {
    Box(x: x, y: y, width: 40, height: 50)
  }

  /// The boxes of each frame of a film, in which these are found in a frame.
  private func covered(
    _ frames: Int, bridge length: Int = 10, found: (Int) -> [Box]
  ) throws -> [[Box]] {
    var bridge = try FaceBridge(frames: length, interval: interval)
    var result: [[Box]] = []
    for number in 0..<frames {
      let boxes = try bridge.add(found(number).map(face))
      #expect((boxes == nil) == (number < length), "as late as the bridge is long")
      if let boxes { result.append(boxes.map(\.box)) }
    }
    return result + bridge.end().map { $0.map(\.box) }
  }

  /// A face moves by 2 pixels a frame and is missed in frames 5 to 9.
  @Test func gapsAreInterpolated() throws {
    let found = try covered(20) { (5...9).contains($0) ? [] : [box(100 + 2 * Double($0))] }
    for (number, boxes) in found.enumerated() {
      #expect(boxes.count == 1)
      #expect(abs((boxes.first?.x ?? 0) - (100 + 2 * Double(number))) < 1e-9)
    }
  }

  @Test func endsAreHeld() throws {
    let found = try covered(30, bridge: 4) { (10...14).contains($0) ? [box(100)] : [] }
    #expect(found == (0..<30).map { (6...18).contains($0) ? [box(100)] : [] })
  }

  /// A face is seen until frame 12, another at its place from frame 15 on; frame 14 is the first of a scene.
  @Test func noFaceStaysBeyondACut() throws {
    var bridge = try FaceBridge(frames: 5, interval: interval)
    var found: [[FaceBridge.Place]] = []
    for number in 0..<20 {
      let boxes = number <= 12 ? [box(100)] : number < 15 ? [] : [box(104)]
      let places = try bridge.add(boxes.map(face), isCut: number == 14)
      if let places { found.append(places) }
    }
    found += bridge.end()
    #expect(found.prefix(14).allSatisfy { $0 == [.init(id: 1, box: box(100))] })
    #expect(found.suffix(6).allSatisfy { $0 == [.init(id: 2, box: box(104))] })
  }

  /// Missed for 15 frames, longer than the bridge, while it moves by 2 pixels a frame, or by 6: it is covered
  /// wherever it is.
  @Test(arguments: [2.0, 6]) func aLongGapIsCovered(speed: Double) throws {
    func place(_ frame: Int) -> Box { box(100 + speed * Double(frame)) }
    let found = try covered(40) { (8..<23).contains($0) ? [] : [place($0)] }
    for (number, boxes) in found.enumerated() {
      #expect(boxes.contains { $0.intersectionOverUnion(with: place(number)) > 0.6 }, "\(number)")
      #expect(boxes.count <= 3)
    }
    #expect(found[7] == [place(7)])
  }

  /// A third of a second, but at least one frame.
  @Test(arguments: [
    (1, 1), (10, 4), (24, 8), (25, 9), (30, 10), (60, 20), (120, 40), (10_000, 300),
  ])
  func bridgesLastAThirdOfASecond(rate: Int, frames: Int) throws {
    #expect(try FaceBridge.usualFrames(at: RationalTime(value: 1, timescale: rate)) == frames)
    #expect(try FaceBridge.usualFrames(at: RationalTime(value: 3600, timescale: 1)) == 1)
    #expect(try FaceBridge.usualFrames(at: RationalTime(value: 1001, timescale: 30_000)) == 10)
  }

  /// The numbers that a film's faces have in each frame.
  private func numbers(_ frames: Int, found: (Int) -> [Box]) throws -> [[FaceBridge.Place]] {
    var bridge = try FaceBridge(frames: 10, interval: interval)
    var places: [[FaceBridge.Place]] = []
    for number in 0..<frames { try bridge.add(found(number).map(face)).map { places.append($0) } }
    return places + bridge.end()
  }

  /// Someone else may have come into the place of a face that was not seen for longer than a tenth of a second: it has
  /// both numbers meanwhile, and in the three frames before.
  @Test(arguments: [1, 2, 3, 8])
  func aFaceThatComesBackMayBeAnother(missed: Int) throws {
    let found = try numbers(40) { (20..<20 + missed).contains($0) ? [] : [box(100)] }
    for (number, places) in found.enumerated() {
      let expected =
        missed < 3 || number < max(20, 17 + missed) && number < 20
        ? [1] : number < 20 + missed ? [1, 2] : [2]
      #expect(places.flatMap { $0.otherIDs + [$0.id] } == expected, "frame \(number)")
      #expect(places.allSatisfy { $0.formerID == ($0.id == 2 ? 1 : nil) })
    }
  }

  /// Two faces pass through each other: no number from before is one of theirs after. Passing at a distance of their
  /// size, they keep their numbers.
  @Test(arguments: [0.0, 50])
  func facesThatCrossGetNewNumbers(distance: Double) throws {
    let found = try numbers(60) {
      [box(100 + 4 * Double($0)), box(336 - 4 * Double($0), 100 + distance)]
    }
    #expect(Set(found[10].map(\.id)) == [1, 2])
    #expect(Set(found[50].map(\.id)).isDisjoint(with: [1, 2]) == (distance == 0))
    #expect(found[50].count == 2)
  }

  /// One is seen in frame 0 alone, the other, beside it, from frame 11 on.
  @Test func twoFacesTakenForOneAreBothCovered() throws {
    let one = Box(x: 100, y: 100, width: 100, height: 100)
    let other = Box(x: 250, y: 100, width: 100, height: 100)
    let found = try covered(20) { $0 == 0 ? [one] : $0 < 11 ? [] : [other] }
    for (number, boxes) in found.enumerated() {
      if number <= 10 { #expect(boxes.contains(one), "frame \(number)") }
      if number >= 1 { #expect(boxes.contains(other), "frame \(number)") }
    }
  }

  /// A face of 40 × 50 moves by 60 pixels a frame, and is seen in every third one: it is covered until ten
  /// frames after the last. Which way it came is known from the second sighting on, for frames up to ten earlier.
  @Test func leapsAreBridged() throws {
    func place(_ frame: Int) -> Box { box(100 + 60 * Double(frame)) }
    let found = try covered(50) { (15...33).contains($0) && $0 % 3 == 0 ? [place($0)] : [] }
    for (number, boxes) in found.enumerated() {
      let isCovered = boxes.contains { $0.intersectionOverUnion(with: place(number)) > 0.9 }
      #expect(isCovered == (8...43).contains(number), "frame \(number)")
    }
  }

  /// A face that is found late beside one that stays does not continue it, and is held where it is.
  @Test func aFaceBesideAnotherIsHeldAsAnyOther() throws {
    let found = try covered(20) { $0 == 12 ? [box(100), box(150)] : [box(100)] }
    for (number, boxes) in found.enumerated() {
      #expect(Set(boxes) == (number < 2 ? [box(100)] : [box(100), box(150)]))
    }
  }

  /// Nor does one that was lost beside it lose it its own place.
  @Test func aFaceThatContinuesAnotherIsHeldToo() throws {
    let found = try covered(20) { $0 < 10 ? [box(100)] : $0 == 12 ? [box(150)] : [] }
    #expect(found.dropFirst(2).allSatisfy { $0.contains(box(150)) })
  }

  /// A face that is lost is not continued by one that is too far away, or of another size, nor by one that comes
  /// too late.
  @Test func othersDoNotContinueAFace() throws {
    let large = Box(x: 130, y: 100, width: 70, height: 80)
    for (other, frame) in [(box(400), 5), (large, 5), (box(140), 36)] {
      let found = try covered(40) { $0 == 2 ? [box(100)] : $0 == frame ? [other] : [] }
      #expect(found.joined().allSatisfy { $0 == box(100) || $0 == other })
    }
  }

  /// Without a bridge, boxes are those found. A film shorter than it comes at the end.
  @Test(arguments: [(0, [1, 1, 1, 0, 1, 1]), (10, [1, 1]), (10, [])])
  func filmsAndBridgesMayBeShort(length: Int, counts: [Int]) throws {
    let found = try covered(counts.count, bridge: length) {
      length == 0 && $0 == 3 ? [] : [box(100)]
    }
    #expect(found.map(\.count) == counts)
  }

  /// Random drop-outs of up to five frames, while faces move, the camera pans, and two cross: wherever a
  /// face was seen in the two frames around a gap, it is covered inside the gap.
  @Test(arguments: 0..<20)
  func noFaceIsUncoveredInADropOut(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let speeds = (0..<4).map { _ in Double.random(in: -3...3, using: &numbers) }
    let pan = Double.random(in: -4...4, using: &numbers)
    func place(_ actor: Int, _ frame: Int) -> Box {
      box(
        100 + 150 * Double(actor) + (speeds[actor] + pan) * Double(frame),
        100 + 20 * Double(actor % 2))
    }
    var film = (0..<60).map { frame in (0..<4).map { place($0, frame) as Box? } }
    for actor in 0..<4 {
      for _ in 0..<3 {
        let start = Int.random(in: 2..<50, using: &numbers)
        let end = start + Int.random(in: 1...5, using: &numbers)
        for frame in start..<end { film[frame][actor] = nil }
      }
    }
    let found = try covered(60) { film[$0].compactMap(\.self) }
    for frame in 0..<60 {
      for actor in 0..<4 {
        let box = place(actor, frame)
        // As large as the tool hides it by default.
        let isCovered = found[frame].contains { hidden in
          abs(hidden.center.x - box.center.x) <= 0.65 * hidden.width - 0.5 * box.width
            && abs(hidden.center.y - box.center.y) <= 0.65 * hidden.height - 0.5 * box.height
        }
        #expect(isCovered, "face \(actor) in frame \(frame)")
      }
    }
  }

  /// Lengths are clamped.
  @Test(arguments: [(-1, 0), (9999, 300)])
  func aFilmMayBeLong(length: Int, clamped: Int) throws {
    var bridge = try FaceBridge(frames: length, interval: interval)
    for frame in 0..<3000 { _ = try bridge.add(frame.isMultiple(of: 40) ? [face(box(10))] : []) }
    #expect(bridge.end().count == clamped)
  }
}

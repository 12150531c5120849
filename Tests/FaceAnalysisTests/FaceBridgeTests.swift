import FaceAnalysis
import FaceDecoding
import TestSupport
import Testing

struct FaceBridgeTests {
  private let interval: RationalTime

  init() throws { interval = try RationalTime(value: 1, timescale: 30) }

  private func face(x: Double, y: Double = 100) -> Face {
    Face(score: 0.9, box: Rectangle(x: x, y: y, width: 40, height: 50))
  }

  /// The boxes of each frame of a film.
  private func boxes(of film: [[Face]], frames: Int) throws -> [[Rectangle]] {
    var bridge = try FaceBridge(frames: frames, interval: interval)
    var result: [[Rectangle]] = []
    for (number, faces) in film.enumerated() {
      let boxes = try bridge.add(faces)
      #expect((boxes == nil) == (number < frames), "as late as the bridge is long")
      if let boxes { result.append(boxes.map(\.box)) }
    }
    return result + bridge.end().map { $0.map(\.box) }
  }

  @Test func gapsAreInterpolated() throws {
    // A face moves by 2 pixels a frame and is missed in frames 5 to 9.
    let film = (0..<20).map { (5...9).contains($0) ? [] : [face(x: 100 + 2 * Double($0))] }
    let found = try boxes(of: film, frames: 10)
    #expect(found.count == 20)
    for (number, boxes) in found.enumerated() {
      #expect(boxes.count == 1)
      #expect(abs((boxes.first?.x ?? 0) - (100 + 2 * Double(number))) < 1e-9)
    }
  }

  @Test func endsAreHeld() throws {
    let film = (0..<30).map { (10...14).contains($0) ? [face(x: 100)] : [] }
    let found = try boxes(of: film, frames: 4)
    #expect(found.indices.filter { !found[$0].isEmpty } == Array(6...18))
    #expect(found.flatMap { $0 }.allSatisfy { $0 == face(x: 100).box })
  }

  /// A face is seen until frame 12, another at its place from frame 15 on; frame 14 is the first of a scene.
  @Test func noFaceStaysBeyondACut() throws {
    var bridge = try FaceBridge(frames: 5, interval: interval)
    var found: [[FaceBridge.Place]] = []
    for number in 0..<20 {
      let faces = number <= 12 ? [face(x: 100)] : number < 15 ? [] : [face(x: 104)]
      if let places = try bridge.add(faces, isCut: number == 14) { found.append(places) }
    }
    found += bridge.end()
    #expect(found.prefix(14).allSatisfy { $0 == [.init(id: 1, box: face(x: 100).box)] })
    #expect(found.suffix(6).allSatisfy { $0 == [.init(id: 2, box: face(x: 104).box)] })
  }

  @Test func aLongGapIsCoveredFromBothEnds() throws {
    // Missed for 15 frames, longer than the bridge, while it moves by 2 pixels a frame.
    let film = (0..<30).map { (5..<20).contains($0) ? [] : [face(x: 100 + 2 * Double($0))] }
    let found = try boxes(of: film, frames: 10)
    let (last, next) = (face(x: 108).box, face(x: 140).box)
    for (number, boxes) in found.enumerated() where (5..<20).contains(number) {
      #expect(boxes.contains(last) == (number <= 14), "frame \(number)")
      #expect(boxes.contains(next) == (number >= 10), "frame \(number)")
    }
  }

  @Test func twoFacesTakenForOneAreBothCovered() throws {
    // One is seen in frame 0 alone, the other, beside it, from frame 11 on.
    func face(x: Double) -> Face {
      Face(score: 0.9, box: Rectangle(x: x, y: 100, width: 100, height: 100))
    }
    let film = (0..<20).map { $0 == 0 ? [face(x: 100)] : $0 < 11 ? [] : [face(x: 250)] }
    for (number, boxes) in try boxes(of: film, frames: 10).enumerated() {
      let near = [number <= 10 ? 100.0 : nil, number >= 1 ? 250 : nil].compactMap(\.self)
      for x in near { #expect(boxes.contains(face(x: x).box), "frame \(number)") }
    }
  }

  /// A face of 40 × 50 moves by 60 pixels a frame, and is seen in every third one: it is covered until ten
  /// frames after the last. Which way it came is known from the second sighting on, for frames up to ten earlier.
  @Test func leapsAreBridged() throws {
    func x(_ frame: Int) -> Double { 100 + 60 * Double(frame) }
    let film = (0..<50).map { (15...33).contains($0) && $0 % 3 == 0 ? [face(x: x($0))] : [] }
    for (number, boxes) in try boxes(of: film, frames: 10).enumerated() {
      let isCovered = boxes.contains {
        $0.intersectionOverUnion(with: face(x: x(number)).box) > 0.9
      }
      #expect(isCovered == (8...43).contains(number), "frame \(number)")
    }
  }

  /// A face that is found late beside one that stays does not continue it, and is held where it is.
  @Test func aFaceBesideAnotherIsHeldAsAnyOther() throws {
    let film = (0..<20).map { $0 == 12 ? [face(x: 100), face(x: 150)] : [face(x: 100)] }
    for (number, boxes) in try boxes(of: film, frames: 10).enumerated() {
      #expect(
        Set(boxes) == (number < 2 ? [face(x: 100).box] : [face(x: 100).box, face(x: 150).box]))
    }
  }

  /// Nor does one that was lost beside it lose it its own place.
  @Test func aFaceThatContinuesAnotherIsHeldToo() throws {
    let film = (0..<20).map { $0 < 10 ? [face(x: 100)] : $0 == 12 ? [face(x: 150)] : [] }
    for (number, boxes) in try boxes(of: film, frames: 10).enumerated() where number >= 2 {
      #expect(boxes.contains(face(x: 150).box), "frame \(number)")
    }
  }

  /// A face that is lost is not continued by one that is too far away, or of another size, nor by one that comes
  /// too late.
  @Test func othersDoNotContinueAFace() throws {
    let large = Face(score: 0.9, box: Rectangle(x: 130, y: 100, width: 70, height: 80))
    for (other, frame) in [(face(x: 400), 5), (large, 5), (face(x: 140), 16)] {
      let film = (0..<20).map { $0 == 2 ? [face(x: 100)] : $0 == frame ? [other] : [] }
      for boxes in try boxes(of: film, frames: 10) {
        #expect(boxes.allSatisfy { $0 == face(x: 100).box || $0 == other.box })
      }
    }
  }

  @Test func withoutABridgeBoxesAreThoseFound() throws {
    let film = (0..<6).map { $0 == 3 ? [] : [face(x: 100)] }
    #expect(try boxes(of: film, frames: 0).map(\.count) == [1, 1, 1, 0, 1, 1])
  }

  @Test func aFilmShorterThanTheBridgeComesAtTheEnd() throws {
    #expect(try boxes(of: [[face(x: 10)], []], frames: 10).map(\.count) == [1, 1])
    #expect(try boxes(of: [], frames: 10).isEmpty)
  }

  /// Random drop-outs of up to five frames, while faces move, the camera pans, and two cross: wherever a
  /// face was seen in the two frames around a gap, it is covered inside the gap.
  @Test(arguments: 0..<20)
  func noFaceIsUncoveredInADropOut(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let speeds = (0..<4).map { _ in Double.random(in: -3...3, using: &numbers) }
    let pan = Double.random(in: -4...4, using: &numbers)
    func place(_ actor: Int, _ frame: Int) -> Face {
      face(
        x: 100 + 150 * Double(actor) + (speeds[actor] + pan) * Double(frame),
        y: 100 + 20 * Double(actor % 2))
    }
    var film = (0..<60).map { frame in (0..<4).map { place($0, frame) as Face? } }
    for actor in 0..<4 {
      for _ in 0..<3 {
        let start = Int.random(in: 2..<50, using: &numbers)
        for frame in start..<start + .random(in: 1...5, using: &numbers) {
          film[frame][actor] = nil
        }
      }
    }
    let found = try boxes(of: film.map { $0.compactMap { $0 } }, frames: 10)
    for frame in 0..<60 {
      for actor in 0..<4 {
        let box = place(actor, frame).box
        // As large as the tool hides it by default.
        let isCovered = found[frame].contains { hidden in
          abs(hidden.center.x - box.center.x) <= 0.65 * hidden.width - 0.5 * box.width
            && abs(hidden.center.y - box.center.y) <= 0.65 * hidden.height - 0.5 * box.height
        }
        #expect(isCovered, "face \(actor) in frame \(frame)")
      }
    }
  }

  @Test func aFilmMayBeLong() throws {
    var bridge = try FaceBridge(frames: 300, interval: interval)
    for frame in 0..<3000 { _ = try bridge.add(frame.isMultiple(of: 40) ? [face(x: 10)] : []) }
    #expect(bridge.end().count == 300)
  }

  @Test func lengthsAreClamped() throws {
    #expect(try FaceBridge(frames: -1, interval: interval).frames == 0)
    #expect(try FaceBridge(frames: 9999, interval: interval).frames == 300)
  }
}

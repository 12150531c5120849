// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace

/// Videos of known faces through the detector and the bridge, with drop-outs of up to five frames: what is
/// covered before and after must be covered between.
struct HidingVideoTests {
  private typealias Actor = ComposedVideo.Actor
  private typealias Frame = (image: RGBImage, truth: [GroundTruthFace])

  @Test(arguments: [UInt64(1), 2, 3])
  func headsThatPassEachOther(seed: UInt64) throws {
    let video = try ComposedVideo([
      Actor(name: 0, scale: 0.8) { Point2D(x: 400 - 110 * $0, y: 140) },
      Actor(name: 1, scale: 1) { Point2D(x: 56 + 120 * $0, y: 110) },
      Actor(name: 2, scale: 0.6) { Point2D(x: 60 * $0, y: 20 + 90 * $0) },
    ])
    let (gaps, faces) = try uncovered(frames: 60, seed: seed) {
      video.frame(at: $0, onlyVisible: true)
    }
    #expect(gaps.isEmpty, "frames and faces: \(gaps)")
    #expect(faces > 100)
  }

  /// A camera turns back and forth over a crowd.
  @Test(
    .enabled(if: SharedData.exists, SharedData.explanation), arguments: [80.0, 300],
    [UInt64(4), 5, 6])
  func panOverACrowd(width: Double, seed: UInt64) throws {
    let crowd = try PannedCrowd()
    // A face at the edge is seen in part, and its box says little about the rest.
    let (gaps, faces) = try uncovered(frames: 60, seed: seed) {
      try crowd.frame(at: $0, width: width, leastShare: 1)
    }
    #expect(gaps.isEmpty, "frames and faces: \(gaps)")
    #expect(faces > 500)
  }

  /// The frames and names of faces that are not covered though they are before and after, within the
  /// bridge's reach; and how often a face was covered.
  private func uncovered(
    frames: Int, seed: UInt64, _ frame: (Double) throws -> Frame
  ) throws -> ([String], faces: Int) {
    let reach = 10
    var generator = SeededGenerator(seed: seed)
    let detector = try FaceDetector(threads: 2)
    let options = detector.optionsForHiding()
    var bridge = try FaceBridge(
      frames: reach, interval: RationalTime(value: 1, timescale: ComposedVideo.framesPerSecond))
    var truths: [[GroundTruthFace]] = []
    var hidden: [[Box]] = []
    var nextDrop = 3
    var droppedUntil = 0
    for number in 0..<frames {
      let (image, truth) = try frame(Double(number) / Double(ComposedVideo.framesPerSecond))
      truths.append(truth)
      if number == nextDrop {
        droppedUntil = number + Int.random(in: 1...5, using: &generator)
        nextDrop = droppedUntil + Int.random(in: 2...6, using: &generator)
      }
      let faces = number < droppedUntil ? [] : try detector.detect(in: image, options: options)
      if let boxes = try bridge.add(faces) { hidden.append(boxes.map(\.box)) }
    }
    hidden += bridge.end().map { $0.map(\.box) }
    var covered: [Int: [Int]] = [:]
    for (number, (truth, boxes)) in zip(truths, hidden).enumerated() {
      for face in truth where isCovered(face.box, by: boxes) {
        covered[face.name, default: []].append(number)
      }
    }
    var gaps: [String] = []
    for (name, numbers) in covered {
      for (first, next) in zip(numbers, numbers.dropFirst()) where next - first <= 2 * reach {
        for number in first + 1..<next where truths[number].contains(where: { $0.name == name }) {
          gaps.append("\(number): \(name)")
        }
      }
    }
    return (gaps, covered.values.reduce(0) { $0 + $1.count })
  }

  /// Whether four fifths of a face are within ellipses 1.3 times as large as the boxes, as the tool hides
  /// them. The truth's boxes come from another search, and their sides differ by up to a seventh.
  private func isCovered(_ face: Box, by boxes: [Box]) -> Bool {
    func isHidden(_ x: Double, _ y: Double) -> Bool {
      boxes.contains { box in
        let across = (x - box.center.x) / (0.65 * box.width)
        let down = (y - box.center.y) / (0.65 * box.height)
        return across * across + down * down <= 1
      }
    }
    let inside = (0..<400).count { cell in
      let (column, row) = (Double(cell % 20) + 0.5, Double(cell / 20) + 0.5)
      return isHidden(face.x + column / 20 * face.width, face.y + row / 20 * face.height)
    }
    return inside >= 320
  }
}

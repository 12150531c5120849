// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace

/// Videos of known faces through the detector and the tracker.
struct TrackingVideoTests {
  private typealias Actor = ComposedVideo.Actor

  /// Two large faces pass each other, one behind the other, at several heights. At the last, boxes
  /// overlap by 0.2 at most, but the nearer head hides much of the farther face.
  @Test(arguments: [0.0, 20, 90])
  func crossing(height: Double) throws {
    let video = try ComposedVideo([
      Actor(name: 0, scale: 0.8) { Point2D(x: 400 - 110 * $0, y: 120 + height) },
      Actor(name: 1, scale: 1) { Point2D(x: 56 + 120 * $0, y: 110) },
    ])
    let (counts, ids) = try follow(video, frames: 45, dropped: [9, 23, 24])
    print("video, crossing at a height of \(height): \(counts)")
    #expect(ids == 2)
    #expect(counts.switches == 0)
    #expect(counts.accuracy > 0.8)
    #expect(counts.crossings == (height < 60 ? 1 : 0))
  }

  /// One frame in four is dropped. A face that comes back late may take another's place.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func panOverACrowd() throws {
    let crowd = try PannedCrowd()
    let dropped = Set(stride(from: 10, to: 60, by: 4))
    let (counts, _) = try follow(frames: 60, dropped: dropped, scoreThreshold: 0.7) {
      try crowd.frame(at: $0, width: 150, leastShare: 1.0 / 3)
    }
    print("video, pan over a crowd: \(counts)")
    #expect(counts.truths > 1000)
    #expect(counts.switches <= 1)
  }

  private func follow(
    _ video: ComposedVideo, frames: Int, dropped: Set<Int>
  ) throws -> (TrackingCounts, ids: Int) {
    try follow(frames: frames, dropped: dropped) { video.frame(at: $0) }
  }

  /// The counts, and how many IDs were given.
  private func follow(
    frames: Int, dropped: Set<Int>, scoreThreshold: Float = 0.5,
    _ frame: (Double) throws -> (image: RGBImage, truth: [GroundTruthFace])
  ) throws -> (TrackingCounts, ids: Int) {
    let detector = try FaceDetector(threads: 2)
    let options = DetectionOptions { $0.scoreThreshold = scoreThreshold }
    var tracker = FaceTracker()
    var counts = TrackingCounts()
    var ids = 0
    for number in 0..<frames {
      let time = try RationalTime(value: number, timescale: ComposedVideo.framesPerSecond)
      let (image, truth) = try frame(time.seconds)
      guard !dropped.contains(number) else {
        counts.addDropped(truth, at: time.seconds)
        continue
      }
      let update = try tracker.update(try detector.detect(in: image, options: options), at: time)
      counts.add(truth, update.faces, at: time.seconds)
      ids += update.new.count
    }
    return (counts, ids)
  }

  /// One face stays and is passed by others. Another leaves; when it comes back two seconds later,
  /// it is a new one.
  @Test func leavingAndComingBack() throws {
    let video = try ComposedVideo([
      Actor(name: 0, scale: 0.7) { _ in Point2D(x: 300, y: 60) },
      Actor(name: 1, scale: 0.9) { Point2D(x: 400 - 300 * $0, y: 250) },
      Actor(name: 2, scale: 0.9) { $0 < 4.1 ? nil : Point2D(x: -160 + 300 * ($0 - 4.1), y: 250) },
      Actor(name: 3, scale: 0.8) { Point2D(x: 640 - 150 * $0, y: 70) },
    ])
    let (counts, ids) = try follow(video, frames: 85, dropped: [9, 10, 11, 40])
    print("video, leaving and coming back: \(counts)")
    #expect(ids == 4)
    #expect(counts.switches == 0)
    #expect(counts.accuracy > 0.8)
    #expect(counts.crossings == 1)
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding

@testable import YOLOFace

struct SightingFusionTests {
  private let passes: [SearchPass]

  init() throws {
    let size = Size2D(width: 640, height: 480)
    passes = try [1.0, 2, 4].map { scale in
      scale == 1
        ? try SearchPass(whole: size, mode: .longSide(640), style: .yolov5)
        : try SearchPass(enlarged: size, scale: scale, upTo: 1280, style: .yolov5)
    }
  }

  private func sighting(_ score: Float, x: Double = 100, side: Double = 20, pass: Int) -> Sighting {
    Sighting(
      face: Face(score: score, box: Box(x: x, y: 100, width: side, height: side)), pass: pass)
  }

  /// Expects one face whose mean over the looks is 0.4: the score is 0.4³, 0.064, to the power of 1/4.
  private func expectOne(_ sightings: [Sighting], of passes: [SearchPass], x: Double = 100) throws {
    let faces = fused(sightings, of: passes)
    let face = try #require(faces.first)
    #expect(faces.count == 1)
    #expect(abs(face.score - 0.502973) < 1e-6)
    #expect(abs(face.box.x - x) < 1e-6)
  }

  /// Three looks expect a face of 20 pixels. Two saw it, and the boxes weigh 2 to 1.
  @Test func sightingsOfOneFaceAreOne() throws {
    try expectOne([sighting(0.4, x: 103, pass: 0), sighting(0.8, pass: 1)], of: passes, x: 101)
  }

  /// A face of 60 pixels is too large for the third look, 240 pixels, and one of 6 too small for the
  /// first. One of 200 is for the first look alone, whose score stays.
  @Test func looksThatCannotSeeAFaceHaveNoSay() throws {
    try expectOne([sighting(0.8, side: 60, pass: 1)], of: passes)
    try expectOne([sighting(0.8, side: 6, pass: 2)], of: passes)
    #expect(fused([sighting(0.8, side: 200, pass: 0)], of: passes).first?.score == 0.8)
  }

  /// A face of 450 pixels is too large for the first look to be expected, but it saw it; the small look, 157
  /// pixels, did not.
  @Test func looksThatNobodyExpectedCount() throws {
    let size = Size2D(width: 640, height: 480)
    let small = try SearchPass(whole: size, mode: .longSide(224), style: .yolov5, isSmall: true)
    let both = [passes[0], small]
    try expectOne([sighting(0.8, side: 450, pass: 0)], of: both)
    #expect(fused([sighting(0.8, side: 450, pass: 1)], of: both).first?.score == 0.8)
  }

  @Test func twoTilesOfOneLookCountOnce() throws {
    try expectOne(
      [sighting(0.9, pass: 2), sighting(0.6, x: 101, pass: 2), sighting(0.3, pass: 0)], of: passes)
  }

  /// Means of boxes can overlap where the boxes did not.
  @Test func noTwoFacesOverlap() {
    var numbers = SeededGenerator(seed: 22)
    let sightings = (0..<600).map { _ in
      let box = Box(
        x: numbers.double(in: 0...60), y: numbers.double(in: 0...60),
        width: numbers.double(in: 10...30), height: numbers.double(in: 10...30))
      let face = Face(score: Float(numbers.double(in: 0.1...1)), box: box)
      return Sighting(face: face, pass: numbers.integer(0...2))
    }
    let faces = fused(sightings, of: passes)
    for (index, face) in faces.enumerated() {
      for other in faces[..<index] {
        #expect(face.box.intersectionOverUnion(with: other.box) <= 0.4)
        #expect(other.score >= face.score)
      }
    }
  }

  @Test func nothingComesOfNothing() {
    #expect(fused([], of: passes).isEmpty)
    #expect(fused([sighting(.nan, x: 0, pass: 0)], of: passes).isEmpty)
  }
}

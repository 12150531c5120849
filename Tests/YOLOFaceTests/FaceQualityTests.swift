// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@_spi(Tool) import YOLOFace
import YOLOFaceDecoding

struct FaceQualityTests {
  private let face: Face

  init() throws { face = try #require(try detector.detect(in: photo).first) }

  /// The face with its points and its box's corners elsewhere.
  private func moved(_ place: (Point2D) -> Point2D) -> Face {
    let (corner, opposite) = (
      Point2D(x: face.box.minX, y: face.box.minY), Point2D(x: face.box.maxX, y: face.box.maxY)
    )
    return Face(
      score: 1, box: Box(corner: place(corner), opposite: place(opposite)),
      landmarks: face.landmarks?.map(place))
  }

  private func quality(of image: RGBImage) throws -> FaceQuality {
    try #require(image.quality(of: face))
  }

  @Test func aGoodPortraitIsGood() throws {
    let quality = try quality(of: photo)
    #expect(quality.score > 0.6 && quality.score <= 1)
    #expect(quality.completeness == 1)
  }

  @Test func blurLowersSharpness() throws {
    var last = try quality(of: photo)
    for side in [256, 128, 64, 40] {
      let blurred = try photo.resized(width: side, height: side, filter: .area)
        .resized(width: 512, height: 512, filter: .bilinear)
      let quality = try quality(of: blurred)
      #expect(quality.sharpness < last.sharpness && quality.score < last.score)
      #expect(quality.size == last.size && quality.pose == last.pose)
      last = quality
    }
    #expect(last.score < 0.2)
  }

  @Test func darknessLowersLight() throws {
    var last = try quality(of: photo)
    for divisor in 2...8 as ClosedRange<UInt8> {
      let dark = try RGBImage(width: 512, height: 512, pixels: photo.pixels.map { $0 / divisor })
      let quality = try quality(of: dark)
      #expect(quality.light < last.light && quality.score < last.score)
      last = quality
    }
    #expect(last.light < 0.05)
    let white = RGBImage(width: 512, height: 512, fill: .white)
    #expect(try quality(of: white).score == 0)
  }

  /// Eyes 43 pixels apart, then half and a quarter as far: one step of the logarithm each.
  @Test func smallFacesAreWorseByTheLogarithm() throws {
    let sizes = try [1, 2, 4].map { factor in
      let small = try photo.resized(width: 512 / factor, height: 512 / factor, filter: .area)
      let scale = 1 / Double(factor)
      let scaled = moved { Point2D(x: scale * $0.x, y: scale * $0.y) }
      return try #require(small.quality(of: scaled)).size
    }
    #expect(abs(sizes[0] - sizes[1] - (sizes[1] - sizes[2])) < 1e-9)
    #expect(abs(sizes[0] - sizes[1] - 0.279) < 0.001, "one of the log2(12) = 3.585 doublings")
  }

  @Test func facesThatAreCutOffAreIncomplete() throws {
    let left = face.box.center.x
    let half = try photo.cropped(x: Int(left), y: 0, width: 300, height: 512)
    let quality = half.quality(of: moved { Point2D(x: $0.x - left, y: $0.y) })
    #expect(try abs(#require(quality).completeness - 0.5) < 0.01)
  }

  @Test func facesWithoutAPositionHaveNone() {
    var faces = [face, face, face, face]
    faces[0].landmarks = nil
    faces[1].isMarkedUpsideDown = true
    faces[2].landmarks = face.landmarks?.map { _ in Point2D(x: 9, y: 9) }
    faces[3].landmarks = face.landmarks?.map { Point2D(x: .nan, y: $0.y) }
    for face in faces { #expect(photo.quality(of: face) == nil) }
  }

  /// Aligned, these have nothing of the picture in them, or a single pixel.
  @Test(arguments: [1e-6, 1e6, 1e12])
  func facesOfAnySizeAreJudged(scale: Double) {
    var huge = face
    huge.landmarks = face.landmarks?.map { Point2D(x: scale * $0.x, y: scale * $0.y) }
    if let quality = photo.quality(of: huge) { #expect((0...1).contains(quality.score)) }
  }

  @Test func theSharpestComesFirst() throws {
    let blurred = try head.resized(width: 48, height: 48, filter: .area)
      .resized(width: 256, height: 256)
    var scene = RGBImage(width: 512, height: 256)
    scene.draw(blurred, atX: 0, y: 0)
    scene.draw(head, atX: 256, y: 0)
    let found = try detector.detect(in: scene)
    try #require(found.count == 2)
    for faces in [found, found.reversed()] {
      #expect(scene.sharpestFirst(faces).map { $0.box.x > 256 } == [true, false])
    }
    var none = found[0]
    none.landmarks = nil
    #expect(scene.sharpestFirst([none, none, found[0]]) == [found[0], none, none])
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace
import YOLOFaceDecoding

/// Searches that take several passes, and those of long pictures.
struct FaceSearchTests {
  private let thorough = DetectionOptions { $0.effort = .thorough }

  /// A scene of 2000 × 1000 with faces of about 14 pixels, 5 of the network's first input.
  private func crowd(at places: [(x: Int, y: Int)]) throws -> RGBImage {
    let head = try head.resized(width: 32, height: 32, filter: .area)
    var scene = RGBImage(width: 2000, height: 1000, fill: RGBColor(red: 90, green: 120, blue: 110))
    for place in places { scene.draw(head, atX: place.x, y: place.y) }
    return scene
  }

  @Test func findsWhatOneLookCannot() throws {
    // Tiles of the third look begin at 0, 500 and 1000 and end at 1000, 1500 and 2000; faces lie across these
    // edges.
    let places = (0..<24).map { (x: 46 + 80 * $0, y: 100 + 160 * ($0 % 5)) }
    #expect(places.contains { $0.x + 8 < 1500 && 1500 < $0.x + 24 })
    let scene = try crowd(at: places)
    let once = try detector.detect(in: scene)
    let faces = try detector.detect(in: scene, options: thorough)
    #expect(once.count < 6)
    #expect(faces.count == places.count, "each once")
    for (x, y) in places {
      let place = Point2D(x: Double(x + 16), y: Double(y + 14))
      #expect(faces.count { isClose($0.box.center, place, tolerance: 8) } == 1, "at \(place)")
    }
  }

  @Test func tellsHowFarItIs() throws {
    let scene = try crowd(at: [(400, 300)])
    var shares: [Double] = []
    _ = try detector.detect(in: scene, options: thorough) { shares.append($0) }
    // The picture's 2000 pixels are looked at as 1280 in one tile, then as 2000 or more in two or more, each
    // mirrored, too.
    #expect(shares.count >= 3 && shares == shares.sorted() && shares.last == 1)
    #expect(Set(shares).count == shares.count)
    _ = try detector.detect(in: scene) { _ in Issue.record("one pass has no progress") }
  }

  @Test(arguments: [Orientation.right, .down, .left])
  func findsFacesThatLie(orientation: Orientation) throws {
    let upright = try #require(try detector.detect(in: photo, options: thorough).first)
    let turned = photo.upright(from: orientation)
    let space = try ViewSpace(imageSize: photo.size, orientation: orientation)
    let found = try detector.detect(in: turned, options: thorough)
    let face = space.unmap(try #require(found.first))
    #expect(found.count == 1)
    #expect(face.box.intersectionOverUnion(with: upright.box) > 0.9)
    // A thirteenth of the face.
    #expect(isClose(face.landmarks!, upright.landmarks!, tolerance: 6))
  }

  /// Upright heads, and one on its side or upside down. The network also finds heads that are upside down, with
  /// points as if they were not.
  @Test(arguments: [Orientation.right, .down])
  func directionsMayDiffer(orientation: Orientation) throws {
    var scene = RGBImage(width: 900, height: 300, fill: .white)
    for x in [20, 320] { scene.draw(head, atX: x, y: 20) }
    scene.draw(head.upright(from: orientation), atX: 620, y: 20)
    let faces = try detector.detect(in: scene, options: thorough)
    #expect(faces.map { Int($0.box.center.x) / 300 }.sorted() == [0, 1, 2])
    for face in faces {
      let up = face.landmarks!.rightMouth.y - face.landmarks!.rightEye.y
      let isUpright = face.box.center.x < 600
      #expect(isUpright ? up > 20 : orientation == .down ? up < -20 : abs(up) < 20)
    }
  }

  @Test func otherOptionsHold() throws {
    var options = thorough
    options.maximumFaces = 1
    options.clipsToImage = true
    options.orientation = .down
    let faces = try detector.detect(in: photo.upright(from: .down), options: options)
    #expect(faces.count == 1 && faces[0].box == faces[0].box.clipped(to: photo.size))
    options.scoreThreshold = 1
    #expect(try detector.detect(in: photo, options: options).isEmpty)
  }

  /// A screenshot of 640 × 6400 with heads of 130 pixels, which one look would show with 13; windows of 1280
  /// overlap by 640, so that each edge inside the picture cuts one of them.
  @Test(arguments: [Orientation.up, .left])
  func longPicturesAreSeenInWindows(orientation: Orientation) throws {
    var scene = RGBImage(width: 640, height: 6400, fill: .white)
    let places = stride(from: 0, through: 6100, by: 610).map(\.self)
    for y in places { scene.draw(head, atX: 190, y: y) }
    let image = scene.upright(from: orientation)
    var options = DetectionOptions { $0.orientation = orientation.inverse }
    let faces = try detector.detect(in: image, options: options)
    let space = try ViewSpace(imageSize: image.size, orientation: options.orientation)
    let tops = faces.map { space.map($0).box.minY }.sorted()
    #expect(tops.count == places.count, "each once")
    for (top, place) in zip(tops, places) { #expect(abs(top - Double(place) - 53) < 12) }
    #expect(try detector.looks(at: image, options: options).count == 9)
    // The same with more passes.
    options.effort = SearchEffort(tiles: 1, looksSmall: true)
    #expect(try detector.detect(in: image, options: options).count == places.count)
  }

  /// Four heads, each as wide as the strip.
  @Test func facesMayFillAStrip() throws {
    let head = try photo.cropped(x: 130, y: 10, width: 190, height: 210)
    var strip = RGBImage(width: 190, height: 860, fill: .white)
    for y in stride(from: 0, to: 860, by: 215) { strip.draw(head, atX: 0, y: y) }
    #expect(try detector.detect(in: strip).count == 4)
  }

  @Test(arguments: [(1, 1), (1, 700), (3000, 8), (31, 33), (16_384, 3)])
  func oddPicturesAreSearched(width: Int, height: Int) throws {
    let picture = RGBImage(width: width, height: height, fill: .white)
    #expect(try detector.detect(in: picture, options: thorough).isEmpty)
  }
}

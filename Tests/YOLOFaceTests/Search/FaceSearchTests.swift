import FaceDecoding
import TestSupport
import Testing
import YOLOFace

/// Searches that take several passes, and those of long pictures.
struct FaceSearchTests {
  private let detector: FaceDetector
  private let photo: RGBImage
  private var thorough = DetectionOptions()

  init() throws {
    detector = try FaceDetector()
    photo = try Picture.read(path: SharedData.astronaut)
    thorough.effort = .thorough
  }

  /// A scene of 2000 × 1000 with faces of about 14 pixels, 5 of the network's first input.
  private func crowd(at places: [(x: Int, y: Int)]) throws -> RGBImage {
    let head = try photo.cropped(x: 100, y: 0, width: 256, height: 256)
      .resized(width: 32, height: 32, filter: .area)
    var scene = RGBImage(width: 2000, height: 1000, fill: Color(red: 90, green: 120, blue: 110))
    for place in places { scene.draw(head, atX: place.x, y: place.y) }
    return scene
  }

  @Test func findsWhatOneLookCannot() throws {
    // Tiles of the third look begin at 0, 500 and 1000 and end at 1000, 1500 and 2000; faces lie across these
    // edges.
    let places = (0..<24).map { (x: 46 + 80 * $0, y: 100 + 160 * ($0 % 5)) }
    let edges = [500, 1000, 1500].map { edge in places.count { $0.x + 8 < edge && edge < $0.x + 24 }
    }
    #expect(edges.reduce(0, +) > 0)
    let scene = try crowd(at: places)
    let once = try detector.detect(in: scene)
    let faces = try detector.detect(in: scene, options: thorough)
    #expect(once.count < 6)
    #expect(faces.count == places.count, "each once")
    for place in places {
      let near = faces.filter {
        abs($0.box.center.x - Double(place.x + 16)) < 8
          && abs($0.box.center.y - Double(place.y + 14)) < 8
      }
      #expect(near.count == 1, "at \(place)")
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
    let (points, expected) = (try #require(face.landmarks), try #require(upright.landmarks))
    for (point, other) in zip(points.points, expected.points) {
      #expect(abs(point.x - other.x) < 6 && abs(point.y - other.y) < 6, "a thirteenth of the face")
    }
  }

  /// A head turned by 90° beside an upright one.
  @Test func directionsMayDiffer() throws {
    let head = try photo.cropped(x: 100, y: 0, width: 256, height: 256)
    var scene = RGBImage(width: 600, height: 300, fill: .white)
    scene.draw(head, atX: 20, y: 20)
    scene.draw(head.upright(from: .right), atX: 320, y: 20)
    let faces = try detector.detect(in: scene, options: thorough)
    #expect(faces.count == 2)
    #expect(faces.contains { $0.box.center.x < 300 } && faces.contains { $0.box.center.x > 300 })
  }

  /// The network also finds heads that are upside down, with points as if they were not.
  @Test func aHeadUpsideDownIsFoundAsOne() throws {
    let head = try photo.cropped(x: 100, y: 0, width: 256, height: 256)
    var scene = RGBImage(width: 900, height: 300, fill: .white)
    for x in [20, 320] { scene.draw(head, atX: x, y: 20) }
    scene.draw(head.upright(from: .down), atX: 620, y: 20)
    let faces = try detector.detect(in: scene, options: thorough)
    #expect(faces.count == 3)
    for face in faces {
      let points = try #require(face.landmarks)
      let isTurned = points.rightEye.y > points.rightMouth.y
      #expect(isTurned == (face.box.center.x > 600))
    }
  }

  @Test func otherOptionsHold() throws {
    var options = thorough
    options.maximumFaces = 1
    options.clipsToImage = true
    options.orientation = .down
    let faces = try detector.detect(in: photo.upright(from: .down), options: options)
    #expect(faces.count == 1)
    for face in faces { #expect(face.box == face.box.clipped(to: photo.size)) }
    options.scoreThreshold = 1
    #expect(try detector.detect(in: photo, options: options).isEmpty)
  }

  /// A screenshot of 640 × 6400 with heads of 130 pixels, which one look would show with 13; windows of 1280
  /// overlap by 640, so that each edge inside the picture cuts one of them.
  @Test(arguments: [Orientation.up, .left])
  func longPicturesAreSeenInWindows(orientation: Orientation) throws {
    let head = try photo.cropped(x: 100, y: 0, width: 256, height: 256)
    var scene = RGBImage(width: 640, height: 6400, fill: .white)
    let places = stride(from: 0, through: 6100, by: 610).map(\.self)
    for y in places { scene.draw(head, atX: 190, y: y) }
    let image = scene.upright(from: orientation)
    var options = DetectionOptions()
    options.orientation = orientation == .up ? .up : .right
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

// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry

@testable import YOLOFace

struct SearchPassTests {
  @Test(arguments: [
    (800.0, 600.0, 3.2), (4000, 3000, 1), (4001, 2999, 0.77), (10_000, 40, 1), (33, 9000, 2.5),
    (1, 1, 3),
  ])
  func tilesCoverThePictureAndOverlap(width: Double, height: Double, scale: Double) throws {
    let pass = try SearchPass(
      enlarged: Size2D(width: width, height: height), scale: scale, upTo: 1280, style: .yolov5)
    let tiles = pass.looks.map(\.tile)
    for tile in tiles {
      #expect(tile.x >= 0 && tile.x + tile.width <= Int(width))
      #expect(tile.y >= 0 && tile.y + tile.height <= Int(height))
      #expect(
        Double(tile.width) * scale < 1280 + scale && Double(tile.height) * scale < 1280 + scale)
      #expect(tile.width == tiles[0].width && tile.height == tiles[0].height)
    }
    for (starts, length, side) in [
      (tiles.map(\.x), tiles[0].width, width), (tiles.map(\.y), tiles[0].height, height),
    ] {
      let starts = Set(starts).sorted()
      #expect(starts[0] == 0 && starts[starts.count - 1] + length == Int(side))
      for (start, next) in zip(starts, starts.dropFirst()) {
        // Whole pixels may cost one at either end.
        #expect(Double(start + length - next) >= 192 / scale - 2)
      }
    }
  }

  /// Tiles of a small fixed input overlap by half.
  @Test func smallInputsTakeFewTiles() throws {
    let pass = try SearchPass(
      enlarged: Size2D(width: 800, height: 600), scale: 1, upTo: 1280,
      style: Letterbox.Style(fill: 114, size: .init(width: 160, height: 120)))
    #expect(pass.looks.count == 8 * 9)
    #expect(!pass.reports(Box(x: 0, y: 0, width: 41, height: 41)), "two thirds of 60")
  }

  @Test func enlargedLooksAreForSmallFaces() throws {
    let size = Size2D(width: 800, height: 600)
    let first = try SearchPass(whole: size, mode: .longSide(640), style: .yolov5)
    let second = try SearchPass(enlarged: size, scale: 1.6, upTo: 1280, style: .yolov5)
    func square(_ side: Double) -> Box { Box(x: 0, y: 0, width: side, height: side) }
    #expect(first.reports(square(100)) && first.reports(square(8)))
    #expect(first.isExpectedToFind(square(100)))
    #expect(!first.isExpectedToFind(square(8)), "6.4 pixels of the input")
    #expect(!second.reports(square(100)), "160 pixels of the input")
    #expect(second.isExpectedToFind(square(50)))
    #expect(second.isExpectedToFind(square(8)), "12.8 pixels of the input")
  }

  /// A tile as large as the picture, but beside it, shows what is there.
  @Test func aTileShowsItsPlace() throws {
    var picture = RGBImage(width: 64, height: 64, fill: .black)
    for y in 0..<64 { picture[63, y] = .white }
    let tile = PictureTile(x: 32, y: 0, width: 64, height: 64)
    let seen = try Look(tile, mode: .longSide(64), style: .yolov5).input(of: picture)
    #expect(seen[31, 10] == .white && seen[63, 10] != .white)
    #expect(throws: ValueError.self) {
      try Look(PictureTile(x: 0, y: 0, width: .max, height: 1), mode: .longSide(64), style: .yolov5)
    }
  }

  @Test func facesCutOffInsideThePictureAreLeftToTheNextTile() {
    let size = Size2D(width: 1000, height: 500)
    let tile = PictureTile(x: 0, y: 0, width: 600, height: 500)
    func isCut(_ x: Double, _ width: Double) -> Bool {
      tile.cut(Box(x: x, y: 100, width: width, height: 30), in: size, overlap: 80)
        == .wholeElsewhere
    }
    #expect(isCut(560, 36), "4 pixels before the edge, of 36")
    #expect(!isCut(560, 34), "6 of 34")
    #expect(!isCut(-5, 30), "at the picture's own edge")
    #expect(!isCut(530, 62), "the next tile may have it no farther from its edge")
  }

  /// Windows are twice as long as wide and overlap by half, or by more where that covers the picture evenly.
  @Test(arguments: [(1080.0, 12_000.0), (12_000, 1080), (1000, 3001), (1000, 3999), (700, 2500)])
  func windowsCoverALongPicture(width: Double, height: Double) throws {
    let (short, long) = (Int(min(width, height)), Int(max(width, height)))
    let pass = try SearchPass(
      whole: Size2D(width: width, height: height), mode: .longSide(640), style: .yolov5)
    let tiles = pass.looks.map(\.tile)
    let starts = tiles.map { width < height ? $0.y : $0.x }
    #expect(tiles.allSatisfy { max($0.width, $0.height) == 2 * short })
    #expect(tiles.allSatisfy { min($0.width, $0.height) == short })
    #expect(starts.first == 0 && starts.last == long - 2 * short)
    for (start, next) in zip(starts, starts.dropFirst()) { #expect(next - start <= short) }
    #expect(tiles.count == (long - 2 * short + short - 1) / short + 1)
    #expect(abs(pass.scale - 320 / Double(short)) < 1e-9)
  }

  /// One look at a picture that is not long, that has no more pixels than the input, or whose short side has
  /// enough of them.
  @Test func otherPicturesAreSeenWhole() throws {
    for (width, height, longSide, count) in [
      (3000.0, 1000.0, 640, 1), (640, 20, 640, 1),
      // 368 columns of the input.
      (1080, 12_000, 4096, 1),
      // Looks of 640 pixels, which are not enlarged.
      (16_384, 3, 640, 26), (1_048_576, 1, 640, 1641),
    ] {
      let pass = try SearchPass(
        whole: Size2D(width: width, height: height), mode: .longSide(longSide), style: .yolov5)
      #expect(pass.looks.count == count)
    }
  }
}

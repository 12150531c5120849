import Geometry
import Testing

@testable import YOLOFace

struct SearchPassTests {
  private let input = Size(width: 1280, height: 1280)

  @Test(arguments: [
    (800.0, 600.0, 3.2), (4000, 3000, 1), (4001, 2999, 0.77), (10_000, 40, 1), (33, 9000, 2.5),
    (1, 1, 3),
  ])
  func tilesCoverThePictureAndOverlap(width: Double, height: Double, scale: Double) {
    let pass = SearchPass(image: Size(width: width, height: height), scale: scale, input: input)
    for tile in pass.tiles {
      #expect(tile.x >= 0 && tile.x + tile.width <= Int(width))
      #expect(tile.y >= 0 && tile.y + tile.height <= Int(height))
      #expect(
        Double(tile.width) * scale < 1280 + scale && Double(tile.height) * scale < 1280 + scale)
      #expect(tile.width == pass.tiles[0].width && tile.height == pass.tiles[0].height)
    }
    func requireOverlap(_ starts: [Int], length: Int, side: Double) {
      #expect(starts.first == 0)
      #expect((starts.last ?? 0) + length == Int(side))
      for (start, next) in zip(starts, starts.dropFirst()) {
        // Whole pixels may cost one at either end.
        #expect(Double(start + length - next) >= 192 / scale - 2)
      }
    }
    requireOverlap(
      Set(pass.tiles.map(\.x)).sorted(), length: pass.tiles[0].width, side: width)
    requireOverlap(
      Set(pass.tiles.map(\.y)).sorted(), length: pass.tiles[0].height, side: height)
  }

  /// Tiles of a small fixed input overlap by half.
  @Test func smallInputsTakeFewTiles() {
    let pass = SearchPass(
      image: Size(width: 800, height: 600), scale: 1, input: Size(width: 160, height: 120))
    #expect(pass.tiles.count == 8 * 9)
    #expect(!pass.looksFor(Rectangle(x: 0, y: 0, width: 41, height: 41)), "two thirds of 60")
  }

  @Test func enlargedLooksAreForSmallFaces() {
    let first = SearchPass(whole: Size(width: 800, height: 600), scale: 0.8)
    let second = SearchPass(image: Size(width: 800, height: 600), scale: 1.6, input: input)
    let large = Rectangle(x: 0, y: 0, width: 100, height: 100)
    let small = Rectangle(x: 0, y: 0, width: 50, height: 50)
    let tiny = Rectangle(x: 0, y: 0, width: 8, height: 8)
    #expect(first.looksFor(large) && first.looksFor(tiny))
    #expect(
      first.isExpectedToFind(large) && !first.isExpectedToFind(tiny), "6.4 pixels of the input")
    #expect(!second.looksFor(large), "160 pixels of the input")
    #expect(second.isExpectedToFind(small))
    #expect(second.isExpectedToFind(tiny), "12.8 pixels of the input")
  }

  @Test func facesCutOffInsideThePictureAreLeftToTheNextTile() {
    let size = Size(width: 1000, height: 500)
    let tile = SearchPass.Tile(x: 0, y: 0, width: 600, height: 500)
    func isCut(_ x: Double, _ width: Double) -> Bool {
      tile.cuts(Rectangle(x: x, y: 100, width: width, height: 50), in: size, margin: 2)
    }
    #expect(isCut(560, 39), "it ends a pixel before the edge")
    #expect(!isCut(560, 30))
    #expect(!isCut(-5, 30), "at the picture's own edge")
  }
}

import Inference
import NCNN
import Testing
import YOLOFace

@testable import Explanation

struct FeatureMapsTests {
  private func picture(_ maps: FeatureMaps) throws -> RGBImage {
    try Picture.decode(bytes(maps.png))
  }

  private func grey(_ maps: FeatureMaps) throws -> [UInt8] {
    let picture = try picture(maps)
    return stride(from: 0, to: picture.pixels.count, by: 3).map { picture.pixels[$0] }
  }

  @Test func greyRunsFromTheLowestToTheHighest() throws {
    let tensor = try Tensor(shape: [1, 2, 2], values: [-1, 0, 1, 2])
    let maps = try FeatureMaps(of: tensor, pixels: 100)
    #expect(try grey(maps) == [0, 85, 170, 255])
    #expect(floats(maps.ranges) == [-1, 2])
    #expect((maps.channels, maps.shown, maps.width, maps.height) == (1, 1, 2, 2))
  }

  /// Half of the smallest number is 0, twice the largest infinite.
  @Test(arguments: [Float.leastNonzeroMagnitude, .greatestFiniteMagnitude])
  func greyCoversExtremes(value: Float) throws {
    for (values, expected) in [
      ([0, value], [0, 255]), ([-value, 0, value], [0, 128, 255]),
      ([value, .nan, -value], [255, 0, 0]),
    ] as [([Float], [UInt8])] {
      let tensor = try Tensor(shape: [1, 1, values.count], values: values)
      #expect(try grey(FeatureMaps(of: tensor, pixels: 100)) == expected)
    }
  }

  @Test func largeBlobsAreShrunkToMeans() throws {
    // 3 × 3 in squares of 2 × 2, those at the edges cut off.
    let tensor = try Tensor(shape: [1, 3, 3], values: [0, 4, 8, 0, 4, 0, 10, 20, 16])
    let maps = try FeatureMaps(of: tensor, pixels: 4)
    #expect(maps.reduction == 2)
    #expect((maps.width, maps.height) == (2, 2))
    // Means 2, 4, 15, 16.
    #expect(floats(maps.ranges) == [2, 16])
    #expect(try grey(maps) == [0, 36, 237, 255])
  }

  @Test func channelsAreSideBySide() throws {
    let values: [Float] = (0..<30).flatMap { (channel: Int) in [Float(channel), Float(channel + 1)]
    }
    let tensor = try Tensor(shape: [30, 1, 2], values: values)
    let maps = try FeatureMaps(of: tensor, pixels: 1000)
    #expect((maps.channels, maps.shown, maps.columns) == (30, 24, 8))
    let picture = try picture(maps)
    #expect((picture.width, picture.height) == (16, 3))
    #expect(floats(maps.ranges) == Array(values.prefix(48)))
    let blackAndWhite: [UInt8] = [0, 255]
    #expect(try grey(maps) == Array(repeatElement(blackAndWhite, count: 24).joined()))
  }

  @Test func headsAreShownAsTheirGrid() throws {
    let grid = CellGrid(rows: 2, columns: 3)
    // Value v of cell c of anchor a is a + 10 v + c / 10, laid out as cells × values and reverse.
    func value(_ a: Int, _ v: Int, _ c: Int) -> Float { Float(a) + 10 * Float(v) + Float(c) / 10 }
    let permuted = (0..<3).flatMap { a in
      (0..<6).flatMap { c in (0..<16).map { value(a, $0, c) } }
    }
    let reshaped = (0..<3).flatMap { a in
      (0..<16).flatMap { v in (0..<6).map { value(a, v, $0) } }
    }
    for (tensor, order) in [
      (try Tensor(shape: [3, 6, 16], values: permuted), .valuesOfCells),
      (try Tensor(shape: [3, 16, 6], values: reshaped), .cellsOfValues),
    ] as [(Tensor, HeadBlob.Order)] {
      let maps = try FeatureMaps(
        of: tensor, head: HeadBlob(grid: grid, width: 16, order: order), pixels: 1000)
      #expect((maps.channels, maps.width, maps.height) == (48, 3, 2))
      let ranges = floats(maps.ranges)
      #expect(ranges[2 * 17] == value(1, 1, 0))
      #expect(ranges[2 * 17 + 1] == value(1, 1, 5))
    }
  }

  @Test func aBlobWithoutChannelsOrNumbersIsShownToo() throws {
    let row = try FeatureMaps(of: try Tensor(shape: [3], values: [1, 2, 3]), pixels: 10)
    #expect((row.channels, row.width, row.height) == (1, 3, 1))
    let odd = try FeatureMaps(
      of: try Tensor(shape: [1, 1, 4], values: [.nan, -.infinity, 5, 5]), pixels: 10)
    #expect(floats(odd.ranges) == [5, 5])
    #expect(try grey(odd) == [0, 0, 0, 0])
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceRaster

struct HidingTests {
  /// A picture of random pixels.
  private func noise(width: Int, height: Int) throws -> RGBImage {
    var numbers = SeededGenerator(seed: 7)
    return try RGBImage(
      width: width, height: height,
      pixels: (0..<3 * width * height).map { _ in .random(in: 0...255, using: &numbers) })
  }

  private func hidden(_ image: RGBImage, _ region: Box, by hiding: Hiding) -> RGBImage {
    var image = image
    image.hide(region, by: hiding)
    return image
  }

  /// A picture of random pixels, of which all are hidden in a box.
  private func hiddenNoise(width: Int, height: Int, by style: Hiding.Style) throws -> RGBImage {
    let whole = Box(x: 0, y: 0, width: Double(width), height: Double(height))
    return hidden(
      try noise(width: width, height: height), whole, by: Hiding(style: style, shape: .box))
  }

  private static let ways = Hiding.Style.allCases.flatMap { style in
    Hiding.Shape.allCases.map { Hiding(style: style, shape: $0) }
  }

  @Test(arguments: ways)
  func changesNothingOutside(hiding: Hiding) throws {
    let image = try noise(width: 50, height: 40)
    let region = Box(x: 10.5, y: 8.25, width: 23, height: 17.5)
    let hidden = hidden(image, region, by: hiding)
    var changed = 0
    for y in 0..<40 {
      for x in 0..<50 where hidden[x, y] != image[x, y] {
        changed += 1
        #expect(x >= 10 && x < 34 && y >= 8 && y < 26)
        let (across, down) = ((Double(x) + 0.5 - 22) / 11.5, (Double(y) + 0.5 - 17) / 8.75)
        #expect(hiding.shape == .box || across * across + down * down <= 1)
      }
    }
    // A random pixel is rarely the colour that covers it.
    let pixels = hiding.shape == .box ? 24.0 * 18 : 23 * 17.5 * .pi / 4
    #expect(Double(changed) > 0.97 * pixels)
  }

  /// Six means across 60 pixels: squares of ten, which two pictures with the same means share.
  @Test func pixelateKeepsMeansAlone() throws {
    var image = RGBImage(width: 60, height: 60, fill: .white)
    for y in 0..<60 {
      for x in 0..<60 where (x + y).isMultiple(of: 2) { image[x, y] = .black }
    }
    image.hide(
      Box(x: 0, y: 0, width: 60, height: 60), by: Hiding(style: .pixelate, shape: .box))
    let gray = image[0, 0]
    #expect(abs(Int(gray.red) - 128) <= 1)
    #expect(image == RGBImage(width: 60, height: 60, fill: gray))
  }

  /// Six means across six pixels would change nothing.
  @Test(arguments: [Hiding.Style.blur, .pixelate]) func smallRegionsChange(style: Hiding.Style)
    throws
  {
    let image = try noise(width: 20, height: 20)
    for side in 2..<8 {
      let region = Box(x: 3, y: 4, width: Double(side), height: Double(side))
      let hidden = hidden(image, region, by: Hiding(style: style, shape: .box))
      let changed = (0..<side * side).count {
        hidden[3 + $0 % side, 4 + $0 / side] != image[3 + $0 % side, 4 + $0 / side]
      }
      #expect(changed > side * side / 2, "\(side)")
    }
  }

  @Test func pixelsOfOneSquareAreAlike() throws {
    let image = try hiddenNoise(width: 60, height: 30, by: .pixelate)
    for y in 0..<30 {
      for x in 0..<60 { #expect(image[x, y] == image[x / 10 * 10, y / 10 * 10]) }
    }
  }

  @Test func blurIsSmooth() throws {
    let image = try hiddenNoise(width: 120, height: 120, by: .blur)
    for y in 0..<120 {
      for x in 1..<120 { #expect(abs(Int(image[x, y].red) - Int(image[x - 1, y].red)) <= 8) }
    }
  }

  @Test(arguments: ways)
  func regionsOfEveryKindAreHidden(hiding: Hiding) throws {
    let image = try noise(width: 20, height: 10)
    for region in [
      Box(x: -5e8, y: -5e8, width: 1e9, height: 1e9),
      Box(x: 3, y: -100, width: 1, height: 1000),
    ] {
      let isChanged = hidden(image, region, by: hiding) != image
      #expect(isChanged)
    }
    for region in [
      Box(x: 30, y: 3, width: 5, height: 5), Box(x: 3, y: 3, width: 0, height: 5),
      Box(x: .nan, y: 3, width: 5, height: 5), Box(x: 3, y: 3, width: -4, height: 5),
      Box(x: 0, y: 0, width: .infinity, height: 5),
    ] {
      let isUnchanged = hidden(image, region, by: hiding) == image
      #expect(isUnchanged)
    }
  }

  /// Of a face whose corner alone is in the picture, no finer means are left than of a whole one: 400 / 6 pixels
  /// are wider than half of the 100 visible ones.
  @Test(arguments: [Hiding.Style.blur, .pixelate], [(-300.0, 400.0, 100), (-95, 100, 5)])
  func theEdgeOfThePictureLeavesNoMoreDetail(
    style: Hiding.Style, face: (corner: Double, side: Double, visible: Int)
  ) throws {
    let region = Box(x: face.corner, y: face.corner, width: face.side, height: face.side)
    let image = hidden(
      try noise(width: 160, height: 120), region, by: Hiding(style: style, shape: .box))
    let part = try image.cropped(x: 0, y: 0, width: face.visible, height: face.visible)
    #expect(part == RGBImage(width: face.visible, height: face.visible, fill: image[0, 0]))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry
import YOLOFaceRaster

@Suite struct BitmapFontTests {
  /// The image as text, a line per row.
  private func drawing(_ image: RGBImage) -> String {
    (0..<image.height).map { y in
      (0..<image.width).map { x in image[x, y] == .white ? "#" : "." }.joined()
    }.joined(separator: "\n")
  }

  private func written(_ text: String, scale: Int = 1) -> RGBImage {
    let (width, height) = RGBImage.textSize(text, scale: scale)
    var image = RGBImage(width: max(width, 1), height: height)
    image.drawText(text, at: Point2D(x: 0, y: 0), scale: scale, color: .white)
    return image
  }

  @Test func writesLetterByLetter() {
    #expect(
      drawing(written("0.9")) == """
        .###.........###.
        #...#.......#...#
        #..##.......#...#
        #.#.#........####
        ##..#...........#
        #...#..##.......#
        .###...##....###.
        """)
  }

  @Test func scalesByWholePixels() {
    let small = written("g7")
    let large = written("g7", scale: 3)
    #expect((large.width, large.height) == (3 * small.width, 3 * small.height))
    #expect(
      large.reds
        == small.reds.flatMap { row in
          [[UInt8]](repeating: row.flatMap { [$0, $0, $0] }, count: 3)
        })
  }

  @Test func showsABoxForUnknownCharacters() {
    let box = drawing(written("\u{7F}"))
    #expect(box.hasPrefix("#####\n#...#\n"))
    for unknown in ["é", "\n", "名"] { #expect(drawing(written(unknown)) == box) }
  }

  /// Each of the 95 characters exists, differs from the others and has the right size.
  @Test func knowsPrintableASCII() {
    let glyphs = (0x20...0x7E).map { written(String(Unicode.Scalar($0)!)) }
    #expect(Set(glyphs.map { $0.pixels }).count == 95)
    for glyph in glyphs { #expect((glyph.width, glyph.height) == (5, 7)) }
    #expect(!glyphs.contains(written("\u{7F}")))
  }

  @Test func clips() {
    var image = RGBImage(width: 3, height: 3)
    image.drawText("####", at: Point2D(x: -7.6, y: -2.4), color: .white)
    // Rounded to (−8, −2): columns 8…10 and rows 2…4 of the text, in the second letter.
    #expect(drawing(image) == "###\n.#.\n###")
  }

  @Test func measures() {
    #expect(RGBImage.textSize("") == (0, 7))
    #expect(RGBImage.textSize("ab", scale: 2) == (22, 14))
    #expect(RGBImage.textSize("a", scale: Int.min) == (5, 7))
    #expect(RGBImage.textSize("a", scale: Int.max) == (5 * 1024, 7 * 1024))
  }
}

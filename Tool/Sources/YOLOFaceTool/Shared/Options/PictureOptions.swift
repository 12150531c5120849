// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
@_spi(Tool) import YOLOFaceFiles

struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Refuse pictures with more pixels (width times height) than this number, which is at most \
      \(RGBImage.maximumPixels). Each pixel takes 6 bytes of memory\
      \(Picture.fileSuffixes.contains(".webp") ? ", or 8 of a WebP" : "")\
      \(Picture.fileSuffixes.contains(".jpg") ? ", or 11 of a progressive JPEG" : "").
      """, valueName: "number"))
  var maxPixels = usualPixels

  private static let usualPixels = Picture.Limits().maximumPixels

  @Flag(
    help: """
      Read pictures that are cut off or damaged, too, as far as they go; a message and JSON say how many rows are \
      missing or may be wrong.
      """)
  var acceptDamaged = false

  @Flag(
    help: """
      Stretch what 16-bit pictures use of their range to the whole of it. Where they use a sixteenth or less, as 10-bit \
      and thermal values do, this is done without it.
      """)
  var stretch = false

  func validate() throws {
    try requireNumber("--max-pixels", maxPixels, in: 1...RGBImage.maximumPixels)
  }

  var isUsual: Bool { maxPixels == Self.usualPixels && !acceptDamaged && !stretch }

  /// If more pixels than usual are allowed, the file may be larger as well: pixels that do not
  /// compress take 4 bytes each.
  var limits: Picture.Limits {
    var limits = Picture.Limits()
    if maxPixels > limits.maximumPixels {
      limits.maximumFileBytes = max(limits.maximumFileBytes, 4 * maxPixels)
    }
    limits.maximumPixels = maxPixels
    return limits
  }

  func read(_ path: String) throws -> RGBImage { try readSaying(path).upright }

  /// Reads a picture, and says what is wrong with it; a batch says so at its turn.
  func readSaying(_ path: String) throws -> Picture.Stored {
    let stored = try readStored(path)
    if let damage = stored.damage { printError("\(path): \(damage)") }
    if let dispute = stored.stated.dispute { printError("\(path): \(dispute); the first counts") }
    return stored
  }

  func readStored(_ path: String) throws -> Picture.Stored {
    if let remedy = remedyForNoFile(path) { throw Failure(remedy) }
    do {
      let bytes = try namingOption { try readFile(path, limit: limits.maximumFileBytes) }
      try requireNoText(bytes, in: path)
      var stored = try decode(bytes, name: path)
      stored.hearSidecars(of: path)
      return stored
    } catch let error as PictureError where isFilmName(path) {
      guard case .unsupported = error.reason else { throw error }
      throw Failure(
        "\(path): found a film, expected \(Picture.formats); give it alone to track or anonymise, or write its "
          + "pictures to files, for example with ffmpeg -i \(path) %05d.png")
    }
  }

  func readFromStandardInput() throws -> Picture.Stored {
    let bytes = try namingOption { try readStandardInput(limit: limits.maximumFileBytes) }
    try requireNoText(bytes, in: "-")
    return try decode(bytes, name: "standard input")
  }

  private func decode(_ bytes: [UInt8], name: String) throws -> Picture.Stored {
    do {
      return try namingOption {
        try Picture.decodeStored(
          bytes, name: name, limits: limits, acceptsDamage: acceptDamaged, isStretched: stretch)
      }
    } catch let error as PictureError {
      if case .damaged = error.reason {
        throw Failure("\(error); --accept-damaged reads what is there")
      }
      guard Picture.formatName(of: bytes) == "WebP", Picture.isAnimated(bytes) else { throw error }
      throw Failure(
        "\(name): found an animated WebP, expected a single picture; give a film, a GIF or an APNG made of it to "
          + "track or anonymise, or take a picture out, for example with webpmux -get frame 1 IN.webp -o OUT.webp"
      )
    }
  }

  private func namingOption<Read>(_ read: () throws -> Read) throws -> Read {
    do { return try read() } catch {
      guard Picture.exceedsLimit(error), maxPixels < RGBImage.maximumPixels else { throw error }
      throw Failure(
        "\(error); --max-pixels sets another limit, up to \(RGBImage.maximumPixels) pixels")
    }
  }
}

import ArgumentParser
import Files
import YOLOFace

struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Refuse pictures with more pixels (width times height) than this number, which is at most \
      \(RGBImage.maximumPixels). Each pixel takes 6 bytes of memory\
      \(Picture.fileSuffixes.contains(".webp") ? ", or 8 of a WebP" : "")\
      \(Picture.fileSuffixes.contains(".jpg") ? ", or 11 of a progressive JPEG" : "").
      """, valueName: "number"))
  var maxPixels = Picture.Limits().maximumPixels

  func validate() throws {
    try requireNumber("--max-pixels", maxPixels, in: 1...RGBImage.maximumPixels)
  }

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

  func read(_ path: String) throws -> RGBImage { try readStored(path).upright }

  func readStored(_ path: String) throws -> Picture.Stored {
    if let remedy = remedyForNoFile(path) { throw Failure(remedy) }
    do {
      return try namingOption {
        let bytes = try readFile(path, limit: limits.maximumFileBytes)
        try requireNoText(bytes, in: path)
        return try Picture.decodeStored(bytes, name: path, limits: limits)
      }
    } catch let error as PictureError where isFilmName(path) {
      guard case .unsupported = error.reason else { throw error }
      throw Failure(
        "\(path): found a film, expected \(Picture.formats); give it alone to track or anonymise, or write its "
          + "pictures to files, for example with ffmpeg -i \(path) %05d.png")
    }
  }

  func readFromStandardInput() throws -> Picture.Stored {
    try namingOption {
      let bytes = try readStandardInput(limit: limits.maximumFileBytes)
      try requireNoText(bytes, in: "-")
      return try Picture.decodeStored(bytes, name: "standard input", limits: limits)
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

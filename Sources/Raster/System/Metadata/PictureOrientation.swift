import Geometry
import Untrusted

/// How a file says that its picture must be turned; `up` where it does not say.
///
/// Several places may say it. They are believed in this order, which is Pillow's; ExifTool hears the same places,
/// and where they disagree believes the first in the file:
///
/// 1. Exif: a PNG's chunk eXIf, a JPEG's segment APP1, a WebP's chunk EXIF.
/// 2. Exif in a PNG's text, as exiv2, ImageMagick and the editors built on them write it in hexadecimal:
///    `Raw profile type exif`, then `Raw profile type APP1`.
/// 3. `tiff:Orientation` in XMP: a PNG's text `XML:com.adobe.xmp`, a JPEG's segment APP1, a WebP's chunk XMP.
/// 4. XMP in a PNG's text in hexadecimal: `Raw profile type xmp` or `Raw profile type APP1`.
///
/// A place that is damaged, malformed or says nothing is passed over. Of several of one kind, the first that
/// says it counts.
struct StatedOrientation {
  /// The kinds of places, in order of trust.
  enum Place: Int {
    case exif, exifProfile, app1Profile, xmp, xmpProfile
  }

  private var believed: (place: Place, orientation: Orientation)?

  var orientation: Orientation { believed?.orientation ?? .up }

  /// Whether a place of this kind would still be believed.
  private func wants(_ place: Place) -> Bool {
    believed.map { place.rawValue < $0.place.rawValue } ?? true
  }

  private mutating func read(_ place: Place, _ orientation: () -> Orientation?) {
    guard wants(place), let orientation = orientation() else { return }
    believed = (place, orientation)
  }
}

extension StatedOrientation {
  /// What XMP's segments and profiles begin with (XMP specification, part 3, 1.1.3).
  private static let xmpIdentifier = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// What the segments of a JPEG say.
  init(jpeg bytes: [UInt8]) {
    for segment in JPEGSegments(bytes) where segment.marker == 0xE1 {
      if segment.content.starts(with: "Exif\0\0".utf8) {
        read(.exif) { exifOrientation(segment.content) }
      } else if segment.content.starts(with: Self.xmpIdentifier) {
        read(.xmp) { xmpOrientation(segment.content.dropFirst(Self.xmpIdentifier.count)) }
      }
    }
  }

  /// What the chunks of a WebP say.
  init(webP bytes: [UInt8]) {
    for chunk in WebPChunks(bytes) {
      switch chunk.name {
      case "EXIF": read(.exif) { exifOrientation(chunk.content) }
      case "XMP ": read(.xmp) { xmpOrientation(chunk.content) }
      default: break
      }
    }
  }

  /// What the chunks of a PNG say.
  ///
  /// - Parameter allowance: how many bytes of texts may be inflated, which this reduces.
  init(png bytes: [UInt8], _ allowance: inout Int) {
    for chunk in PNGChunks(bytes) {
      switch chunk.type {
      case "eXIf": read(.exif) { chunk.isSound ? exifOrientation(chunk.content) : nil }
      case "tEXt", "zTXt", "iTXt":
        guard let place = chunk.keyword.flatMap(Self.place), wants(place), chunk.isSound,
          let text = chunk.text(allowance: &allowance)
        else { continue }
        read(text, at: place)
      default: break
      }
    }
  }

  private static func place(ofKeyword keyword: UntrustedText) -> Place? {
    switch keyword {
    case "Raw profile type exif": .exifProfile
    case "Raw profile type APP1": .app1Profile
    case "XML:com.adobe.xmp": .xmp
    case "Raw profile type xmp": .xmpProfile
    default: nil
    }
  }

  private mutating func read(_ text: ArraySlice<UInt8>, at place: Place) {
    if place == .xmp { return read(.xmp) { xmpOrientation(text) } }
    guard let profile = bytes(ofHexadecimal: text)?[...] else { return }
    if profile.starts(with: Self.xmpIdentifier) {
      read(.xmpProfile) { xmpOrientation(profile.dropFirst(Self.xmpIdentifier.count)) }
    } else if place == .xmpProfile {
      read(place) { xmpOrientation(profile) }
    } else {
      read(place) { exifOrientation(profile) }
    }
  }
}

/// The bytes of a profile as ImageMagick and exiv2 write it into text: an empty line, a line with its name, one
/// with its length, and hexadecimal digits in lines; nil where it is something else.
private func bytes(ofHexadecimal text: ArraySlice<UInt8>) -> [UInt8]? {
  let lines = text.split(
    separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
  guard lines.count == 4 else { return nil }
  var result: [UInt8] = []
  result.reserveCapacity(lines[3].count / 2)
  var high: UInt8?
  for digit in lines[3] where !isSpace(digit) {
    guard let value = hexadecimalValue(digit) else { return nil }
    if let first = high { result.append(first << 4 | value) }
    high = high == nil ? value : nil
  }
  return high == nil ? result : nil
}

private func hexadecimalValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceUntrusted

/// How a picture must be turned, as its file says, and the sidecar beside it; `up` where neither does.
///
/// Several places may say it. They are believed in this order:
///
/// 1. `tiff:Orientation` in the sidecar, an XMP file beside the picture. Who turns a picture in digiKam, darktable or
///    Lightroom leaves its file as the camera wrote it, where Exif mostly states 1: the sidecar is the later word.
///    digiKam believes it first, too.
/// 2. Exif: a PNG's chunk eXIf, a JPEG's segment APP1, a WebP's chunk EXIF.
/// 3. Exif in a PNG's text, as exiv2, ImageMagick and the editors built on them write it in hexadecimal:
///    `Raw profile type exif`, then `Raw profile type APP1`.
/// 4. `tiff:Orientation` in XMP: a PNG's text `XML:com.adobe.xmp`, a JPEG's segment APP1, a WebP's chunk XMP.
/// 5. XMP in a PNG's text in hexadecimal: `Raw profile type xmp` or `Raw profile type APP1`.
///
/// From 2 on the order is Pillow's; ExifTool hears the same places, and where they disagree believes the first in the
/// file. A place that is damaged, malformed or says nothing is passed over. Of several of one kind, the first that
/// says it counts.
public struct StatedOrientation: Equatable, Sendable {
  /// The kinds of places, in order of trust.
  enum Place: Int {
    case sidecar, exif, exifProfile, app1Profile, xmp, xmpProfile

    var name: String {
      switch self {
      case .sidecar: "the sidecar"
      case .exif: "Exif"
      case .exifProfile, .app1Profile: "Exif in text"
      case .xmp: "XMP"
      case .xmpProfile: "XMP in text"
      }
    }
  }

  private var statements: [Place: Orientation] = [:]

  private var inOrder: [(key: Place, value: Orientation)] {
    statements.sorted { $0.key.rawValue < $1.key.rawValue }
  }

  /// Nothing said.
  public init() {}

  /// The orientation that is believed.
  public var orientation: Orientation { inOrder.first?.value ?? .up }

  /// What the places say, by Exif's numbers and the believed one first; nil where they agree.
  public var dispute: String? {
    guard Set(statements.values).count > 1 else { return nil }
    return inOrder.map { "\($0.name) says \($1.rawValue)" }.joined(separator: ", ")
  }

  /// Believes a sidecar, an XMP file, if it says how the picture must be turned and none has said so before.
  ///
  /// - Parameter packet: the whole file. It is read in a time proportional to its length.
  public mutating func hear(sidecar packet: [UInt8]) {
    read(.sidecar) { xmpOrientation(packet[...]) }
  }

  /// Whether a place of this kind is still asked.
  private func wants(_ place: Place) -> Bool { statements[place] == nil }

  private mutating func read(_ place: Place, _ orientation: () -> Orientation?) {
    guard wants(place), let orientation = orientation() else { return }
    statements[place] = orientation
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
}

#if PNG
  extension StatedOrientation {
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
#endif

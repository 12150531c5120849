// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// An ICC profile (ISO 15076-1) with nothing but what colours need. Texts, the time of making, and the names and
/// numbers of a device, as a screen's profile has them, are left out.
enum ColorProfile {
  /// Tags of matrices, curves, tables and white points, which hold no text.
  private static let colors = Set(
    [
      "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "bkpt", "chad", "lumi",
      "cicp", "A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "D2B3",
      "B2D0", "B2D1", "B2D2", "B2D3",
    ].map { UntrustedText($0) })

  /// Of the header, the version, the class, the two colour spaces, "acsp", the flags, the attributes, the intent and
  /// the white point (7.2).
  private static let keptHeader = [8..<24, 36..<40, 44..<48, 56..<80]
  private static let headerSize = 128

  /// The colours of a profile of at least a header. Tags that are outside of it are left out.
  static func colors(of profile: ArraySlice<UInt8>) -> [UInt8] {
    let profile = Array(profile)
    let tags = tags(of: profile)
    let isOld = profile[8] < 4
    let text = isOld ? textDescription : localizedText
    let required = ["desc", "cprt"]
    let dataStart = headerSize + 4 + 12 * (required.count + tags.count)
    var table = bigEndian(required.count + tags.count)
    for name in required {
      table += name.utf8
      table += bigEndian(dataStart) + bigEndian(text.count)
    }
    var data = text
    // Several tags may share their data.
    var places: [Range<Int>: Int] = [:]
    for (name, range) in tags {
      let place = places[range] ?? dataStart + data.count
      if places[range] == nil {
        data += profile[range]
        data += [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      }
      places[range] = place
      table += name
      table += bigEndian(place) + bigEndian(range.count)
    }
    return header(of: profile, size: dataStart + data.count) + table + data
  }

  /// The tags that colours need, each once, whose data is not longer in all than the profile.
  private static func tags(of profile: [UInt8]) -> [(name: UntrustedText, data: Range<Int>)] {
    let count = integer(profile.dropFirst(headerSize).prefix(4))
    var rest = profile.dropFirst(headerSize + 4)
    var tags: [(name: UntrustedText, data: Range<Int>)] = []
    var left = profile.count
    for _ in 0..<min(count, rest.count / 12) {
      let name = UntrustedText(rest.prefix(4))
      let start = integer(rest.dropFirst(4).prefix(4))
      let size = integer(rest.dropFirst(8).prefix(4))
      rest = rest.dropFirst(12)
      guard colors.contains(name), !tags.contains(where: { $0.name == name }),
        start >= headerSize, start <= profile.count, size <= min(profile.count - start, left)
      else { continue }
      left -= size
      tags.append((name, start..<start + size))
    }
    return tags
  }

  private static func header(of profile: [UInt8], size: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: headerSize)
    for range in keptHeader { header.replaceSubrange(range, with: profile[range]) }
    header.replaceSubrange(0..<4, with: bigEndian(size))
    // The first of January 2000: a date is required.
    header.replaceSubrange(24..<30, with: [0x07, 0xD0, 0, 1, 0, 1])
    return header
  }

  /// "ICC" as a name, as versions before 4 write it: its length with a zero, and no names in other alphabets.
  private static let textDescription: [UInt8] =
    Array("desc".utf8) + bigEndian(0) + bigEndian(4) + Array("ICC\0".utf8)
    + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67 + 2)

  /// "ICC" as version 4 writes it: one name of 12 bytes' record, in American English, of 6 bytes at 28.
  private static let localizedText: [UInt8] =
    Array("mluc".utf8) + bigEndian(0) + bigEndian(1) + bigEndian(12) + Array("enUS".utf8)
    + bigEndian(6) + bigEndian(28) + Array("\0I\0C\0C\0\0".utf8)
}

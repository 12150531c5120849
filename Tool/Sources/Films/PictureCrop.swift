// SPDX-License-Identifier: Apache-2.0

/// How many pixels players leave out at the edges of a film's stored pictures, as its container says. Many versions of
/// ffmpeg do not.
struct PictureCrop: Equatable {
  var left = 0
  var top = 0
  var right = 0
  var bottom = 0
  /// Whether the film states a size for what is left, which ffmpeg takes for that of the whole picture.
  var hasDisplaySize = false

  /// What the film says of each of its tracks of pictures, in its order; empty where its container says nothing.
  static func all(in path: String) -> [PictureCrop] {
    if let index = PartedFile(path, .boxes)?.part([boxType("moov")], limit: 1 << 26) {
      return Parts(of: index, .boxes).lazy.filter { $0.id == boxType("trak") }
        .compactMap { PictureCrop(track: $0.content) }
    }
    // Segment and Tracks.
    let tracks = PartedFile(path, .elements)?.part([0x1853_8067, 0x1654_AE6B], limit: 1 << 24)
    return Parts(of: tracks ?? [], .elements).lazy.filter { $0.id == 0xAE }
      .compactMap { PictureCrop(trackEntry: $0.content) }
  }
}

extension PictureCrop {
  /// The clean aperture of a track (ISO/IEC 14496-12, 12.1.4.1); nil where it has no pictures.
  private init?(track: ArraySlice<UInt8>) {
    func part(_ names: [String], of content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
      names.reduce(content) { content, name in
        content.flatMap { Parts(of: $0, .boxes).first { $0.id == boxType(name) }?.content }
      }
    }
    guard let media = part(["mdia"], of: track),
      part(["hdlr"], of: media)?.dropFirst(8).starts(with: "vide".utf8) == true
    else { return nil }
    self.init()
    guard let descriptions = part(["minf", "stbl", "stsd"], of: media),
      case var entries = Parts(of: descriptions.dropFirst(8), .boxes),
      let entry = entries.next()?.content,
      let aperture = part(["clap"], of: entry.dropFirst(78)), aperture.count >= 32
    else { return }
    /// A fraction of two numbers of 32 bits, whose numerator may be negative.
    func fraction(_ index: Int) -> Double {
      let bytes = aperture.dropFirst(8 * index)
      let above = Int32(truncatingIfNeeded: bigEndian(bytes.prefix(4)))
      return Double(above) / Double(bigEndian(bytes.dropFirst(4).prefix(4)))
    }
    (left, right) = Self.edges(
      of: bigEndian(entry.dropFirst(24).prefix(2)), showing: fraction(0), offset: fraction(2))
    (top, bottom) = Self.edges(
      of: bigEndian(entry.dropFirst(26).prefix(2)), showing: fraction(1), offset: fraction(3))
  }

  /// What lies before and behind the part of a side that is shown, whose middle is off the side's.
  private static func edges(
    of side: Int, showing length: Double, offset: Double
  ) -> (before: Int, behind: Int) {
    let start = (Double(side) - length) / 2 + offset
    let (first, end) = (start.rounded(), (start + length).rounded())
    guard 0 <= first, first < end, end <= Double(side) else { return (0, 0) }
    return (Int(first), side - Int(end))
  }

  /// PixelCrop of a track (RFC 9559, 5.1.4.1.28); nil where it has no pictures.
  private init?(trackEntry: ArraySlice<UInt8>) {
    let entries = Parts(of: trackEntry, .elements)
    guard entries.contains(where: { $0.id == 0x83 && bigEndian($0.content.prefix(8)) == 1 }) else {
      return nil
    }
    self.init()
    for (id, content) in Parts(of: entries.first { $0.id == 0xE0 }?.content ?? [], .elements) {
      // At most more than any picture has.
      let number = min(max(0, bigEndian(content.prefix(8))), 1 << 24)
      switch id {
      case 0x54AA: bottom = number
      case 0x54BB: top = number
      case 0x54CC: left = number
      case 0x54DD: right = number
      case 0x54B0, 0x54BA: hasDisplaySize = true
      default: continue
      }
    }
  }
}

private func boxType(_ name: String) -> Int { bigEndian(name.utf8) }

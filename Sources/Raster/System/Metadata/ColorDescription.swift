// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// Which colours a picture's samples stand for, as its file says; empty where it says nothing, so that they are
/// sRGB's.
///
/// It is kept as chunks of PNG: cICP, mDCV, cLLI, iCCP, sRGB, gAMA and cHRM (PNG specification, 11.3.2). Those
/// that are damaged, of a wrong length, repeated, or behind the palette or the pixels are left out, as viewers do;
/// so are profiles of more than 8 MB, or of neither grey nor RGB as the samples are. Of a profile, only what colours
/// need is kept, since its texts may say anything; that of a JPEG or a WebP becomes iCCP.
public struct ColorDescription: Equatable, Sendable {
  private var chunks: [Chunk] = []
  /// Whether the samples are grey. A profile is then one of grey.
  private(set) var isGray = false

  private struct Chunk: Equatable, Sendable {
    var type: UntrustedText
    /// As in a PNG, but of iCCP the profile.
    var content: [UInt8]
  }

  /// No description.
  public init() {}

  /// What the profile of a JPEG says, which may be in several segments (ISO 15076-1, B.4).
  init(jpeg bytes: [UInt8]) {
    let identifier = Array("ICC_PROFILE\0".utf8)
    var parts: [ArraySlice<UInt8>?] = []
    for segment in JPEGSegments(bytes)
    where segment.marker == 0xE2 && segment.content.starts(with: identifier) {
      var part = segment.content.dropFirst(identifier.count)
      guard let number = part.popFirst(), let count = part.popFirst() else { return }
      if parts.isEmpty { parts = Array(repeating: nil, count: Int(count)) }
      let index = Int(number) - 1
      guard parts.count == count, parts.indices.contains(index), parts[index] == nil else { return }
      parts[index] = part
    }
    let whole = parts.compactMap(\.self)
    if whole.count == parts.count { add(profile: Array(whole.joined())[...]) }
  }

  /// What the profile of a WebP says.
  init(webP bytes: [UInt8]) {
    if let chunk = WebPChunks(bytes).first(where: { $0.name == "ICCP" }) {
      add(profile: chunk.content)
    }
  }

  /// Whether an ICC profile is one of grey; nil where it is malformed, or of neither grey nor RGB (ISO 15076-1,
  /// 7.2: its size, the colour space, and "acsp").
  private static func isOfGray(_ profile: ArraySlice<UInt8>) -> Bool? {
    func has(_ text: StaticString, at offset: Int) -> Bool {
      UntrustedText(profile.dropFirst(offset)).starts(with: text)
    }
    let size = integer(profile.prefix(4))
    guard size >= 128, size <= profile.count, has("acsp", at: 36) else { return nil }
    return has("GRAY", at: 16) ? true : has("RGB ", at: 16) ? false : nil
  }

  /// Adds an ICC profile of grey or RGB.
  private mutating func add(profile: ArraySlice<UInt8>) {
    let size = integer(profile.prefix(4))
    guard size <= largestPart, let isGray = Self.isOfGray(profile) else {
      return
    }
    self.isGray = isGray
    chunks.append(
      Chunk(type: UntrustedText("iCCP"), content: ColorProfile.colors(of: profile.prefix(size))))
  }
}

#if PNG
  extension ColorDescription {
    /// What the chunks of a PNG say.
    ///
    /// - Parameter allowance: how many bytes of profiles may be inflated, which this reduces.
    init(png bytes: [UInt8], _ allowance: inout Int) {
      // A bit of IHDR's colour type says that there are colours (PNG specification, 11.2.1).
      isGray = bytes.dropFirst(25).first.map { $0 & 2 == 0 } ?? false
      for chunk in PNGChunks(bytes) {
        if chunk.type == "PLTE" || chunk.type == "IDAT" { break }
        if chunks.contains(where: { $0.type == chunk.type }) { continue }
        if chunk.type == "iCCP" {
          guard chunk.content.count <= largestPart, chunk.isSound,
            chunk.keyword?.isEmpty == false, let profile = chunk.text(allowance: &allowance),
            Self.isOfGray(profile) == isGray
          else { continue }
          add(profile: profile)
        } else if chunk.content.count == Self.length(of: chunk.type), chunk.isSound {
          chunks.append(Chunk(type: chunk.type, content: Array(chunk.content)))
        }
      }
    }

    /// The length of a chunk that is kept as it is; nil for others.
    private static func length(of type: UntrustedText) -> Int? {
      switch type {
      case "sRGB": 1
      case "cICP", "gAMA": 4
      case "cLLI": 8
      case "mDCV": 24
      case "cHRM": 32
      default: nil
      }
    }

    var hasProfile: Bool { chunks.contains { $0.type == "iCCP" } }

    var withoutProfile: ColorDescription {
      var result = self
      result.chunks.removeAll { $0.type == "iCCP" }
      return result
    }

    /// The chunks as they stand in a PNG, between IHDR and the pixels.
    var bytes: [UInt8] {
      chunks.flatMap { chunk -> [UInt8] in
        var content = chunk.content
        if chunk.type == "iCCP" {
          content = deflated(content)
          if content.isEmpty { return [] }
          // A name, and the method of compression.
          content = Array("ICC profile\0\0".utf8) + content
        }
        let checked = chunk.type + content
        return bigEndian(content.count) + checked + bigEndian(PNGChunks.checksum(checked[...]))
      }
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
#if PNG
  import CYOLOFacePNG
  import YOLOFaceUntrusted

  /// A PNG's chunks up to IEND (PNG specification, 5.3), damaged or not.
  struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
      var type: UntrustedText
      var content: ArraySlice<UInt8>
      /// Type and content.
      fileprivate var checked: ArraySlice<UInt8>
      fileprivate var checksum: Int

      /// Whether the checksum is right.
      var isSound: Bool { PNGChunks.checksum(checked) == checksum }
    }

    private var rest: ArraySlice<UInt8>

    /// The chunks of a file, which begins with the signature.
    init(_ bytes: [UInt8]) { rest = bytes.dropFirst(8) }

    mutating func next() -> Chunk? {
      guard rest.count >= 12 else { return nil }
      let length = integer(rest.prefix(4))
      guard length <= rest.count - 12 else { return nil }
      let checked = rest.dropFirst(4).prefix(4 + length)
      let type = UntrustedText(checked.prefix(4))
      rest = rest.dropFirst(8 + length)
      defer { rest = rest.dropFirst(4) }
      return type == "IEND"
        ? nil
        : Chunk(
          type: type, content: checked.dropFirst(4), checked: checked,
          checksum: integer(rest.prefix(4)))
    }

    /// How many bytes a file's texts and profiles together may inflate to. They may expand a thousandfold, and are
    /// read in a time that grows with it; those of editors shrink to a tenth, but are a small part of most files.
    static func inflationAllowance(ofFile count: Int) -> Int { (1 << 20) + 8 * count }

    /// The checksum of a chunk's type and content (PNG specification, 5.5).
    static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
      bytes.withUnsafeBufferPointer { Int(cpng_checksum($0.baseAddress, $0.count)) }
    }
  }

  extension PNGChunks.Chunk {
    /// The keyword of a chunk of text; nil where it is malformed.
    var keyword: UntrustedText? {
      content.prefix(80).firstIndex(of: 0).map { UntrustedText(content[..<$0]) }
    }

    /// The text of a chunk tEXt, zTXt or iTXt (PNG specification, 11.3.3), or the profile of an iCCP, inflated; nil
    /// where it is damaged or too long.
    ///
    /// - Parameter allowance: how many bytes may be inflated, which this reduces.
    func text(allowance: inout Int) -> ArraySlice<UInt8>? {
      guard let end = content.firstIndex(of: 0) else { return nil }
      var rest = content[(end + 1)...]
      let isCompressed =
        type == "zTXt" || type == "iCCP" || type == "iTXt" && rest.popFirst() == 1
      let method = type == "tEXt" ? nil : rest.popFirst()
      if type == "iTXt" {
        // The language, and the keyword in it.
        for _ in 0..<2 {
          guard let end = rest.firstIndex(of: 0) else { return nil }
          rest = rest[(end + 1)...]
        }
      }
      guard isCompressed else { return rest }
      guard method == 0 else { return nil }
      let (text, isWhole) = inflated(rest, limit: min(allowance, largestPart))
      allowance -= text.count
      return isWhole ? text[...] : nil
    }
  }

  /// What zlib's data (RFC 1950) expands to, and whether that is all: it may be damaged, or longer than the limit.
  private func inflated(_ bytes: ArraySlice<UInt8>, limit: Int) -> (bytes: [UInt8], isWhole: Bool) {
    var isWhole = false
    let result = [UInt8](unsafeUninitializedCapacity: max(limit, 0)) { target, count in
      count = target.count
      isWhole = bytes.withUnsafeBufferPointer {
        cpng_inflate($0.baseAddress, $0.count, target.baseAddress, &count)
      }
    }
    return (result, isWhole)
  }

  /// The bytes as zlib's data.
  func deflated(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: cpng_deflate_bound(bytes.count)) { target, count in
      count = target.count
      cpng_deflate(bytes, bytes.count, target.baseAddress, &count)
    }
  }
#endif

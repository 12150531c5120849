// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Explanation {
  /// The bytes of an HTML file that stands alone.
  ///
  /// Texts from outside, such as the names of layers, are in it as JSON alone, in which `<` is
  /// escaped, so that none of them can end the element; the page's scripts never take them for HTML.
  public func page() throws -> [UInt8] {
    let lessThan = UInt8(ascii: "<")
    let json = try JSONEncoder().encode(self)
    var page = bytes(ofEmbedded: EmbeddedPage.head)
    page.reserveCapacity(page.count + json.count + EmbeddedPage.tail.utf8CodeUnitCount)
    for part in json.split(separator: lessThan, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { page += "\\u003c".utf8 }
      page += part.element
    }
    return page + bytes(ofEmbedded: EmbeddedPage.tail)
  }
}

/// Bytes that are written as base64.
struct Base64: Encodable, Sendable {
  var text: String

  init(_ bytes: [UInt8]) { text = Data(bytes).base64EncodedString() }

  /// Numbers of fp32, little-endian.
  init(_ numbers: [Float]) {
    self.init(
      numbers.flatMap { number in
        let bits = number.bitPattern
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
      })
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

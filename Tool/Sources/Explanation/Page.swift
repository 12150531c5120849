// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting
import YOLOFaceUntrusted

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Explanation {
  /// The bytes of a self-contained HTML file.
  ///
  /// Untrusted text, such as the names of layers, enters it only as JSON with `<` escaped, so that it cannot end the
  /// element; the page's scripts never treat it as HTML.
  public func page() throws -> [UInt8] {
    try Self.page(of: self, between: EmbeddedPage.head, and: EmbeddedPage.tail)
  }

  static func page(
    of data: some Encodable, between head: StaticString, and tail: StaticString
  ) throws -> [UInt8] {
    let lessThan = UInt8(ascii: "<")
    let json = Array(try data.json().utf8)
    var page = bytes(ofEmbedded: head)
    page.reserveCapacity(page.count + json.count + tail.utf8CodeUnitCount)
    for part in json.split(separator: lessThan, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { page += "\\u003c".utf8 }
      page += part.element
    }
    return page + bytes(ofEmbedded: tail)
  }
}

/// The bytes of a file that the build embeds as base64.
private func bytes(ofEmbedded base64: StaticString) -> [UInt8] {
  guard let data = Data(base64Encoded: base64.description) else {
    preconditionFailure("the build embeds valid base64")
  }
  return Array(data)
}

struct Base64: Encodable, Sendable {
  var text: String

  init(_ bytes: [UInt8]) { text = Data(bytes).base64EncodedString() }

  init(embedded text: StaticString) { self.text = "\(text)" }

  /// The numbers as little-endian fp32.
  init(_ numbers: [Float]) { self.init(numbers.flatMap(\.bitPattern.littleEndianBytes)) }

  /// The numbers as little-endian fp64.
  init(_ numbers: [Double]) { self.init(numbers.flatMap(\.bitPattern.littleEndianBytes)) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceRaster

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A picture that a page holds, for its reader to choose.
public struct PagePicture: Encodable, Sendable {
  /// What it is called where the reader chooses, such as the file's name.
  public let name: String
  private let png: Base64

  /// The long side of the largest input that a page offers, in pixels: a larger picture only makes the page larger.
  public static let usefulLongSide = 1280

  /// A portrait, a crowd and a cat, all of free terms: `Examples/README.md` says whose they are.
  public static let examples = [
    PagePicture(name: "astronaut.png", png: Base64(embedded: EmbeddedPortrait.base64)),
    PagePicture(name: "crowd.png", png: Base64(embedded: EmbeddedCrowd.base64)),
    PagePicture(name: "cat.png", png: Base64(embedded: EmbeddedCat.base64)),
  ]

  private init(name: String, png: Base64) { (self.name, self.png) = (name, png) }

  /// An upright picture; where its long side has more pixels than that, a smaller copy.
  public init(_ image: RGBImage, named name: String, longSide: Int = .max) throws {
    self.init(name: name, png: Base64(try PNG.encode(try image.shrunk(toLongSide: longSide))))
  }

  /// Its pixels.
  public func image() throws -> RGBImage {
    guard let bytes = Data(base64Encoded: png.text) else {
      preconditionFailure("it was encoded here")
    }
    return try Picture.decode(Array(bytes), name: name)
  }
}

extension RGBImage {
  /// The picture itself where it is not larger.
  func shrunk(toLongSide side: Int) throws -> RGBImage {
    let scale = Double(side) / Double(max(width, height))
    guard scale < 1 else { return self }
    return try resized(
      width: max(1, Int(Double(width) * scale)), height: max(1, Int(Double(height) * scale)),
      filter: .area)
  }
}

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The bytes of a file that the build embeds as base64.
public func bytes(ofEmbedded base64: StaticString) -> [UInt8] {
  guard let data = Data(base64Encoded: base64.description) else {
    preconditionFailure("the build embeds valid base64")
  }
  return Array(data)
}

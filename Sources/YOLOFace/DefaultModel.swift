import NCNN

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Network {
  /// The model that is embedded in the library, `Models/yoloface-n-0.5`; see its card there.
  package static func embedded() throws(ModelError) -> Network {
    var network = try Network(
      param: bytes(ofEmbedded: EmbeddedModel.param),
      source: "\(FaceDetector.defaultModelName).param")
    try network.loadWeights(
      bytes(ofEmbedded: EmbeddedModel.bin), source: "\(FaceDetector.defaultModelName).bin")
    return network
  }
}

/// The bytes of a file that the build embeds as base64.
package func bytes(ofEmbedded base64: StaticString) -> [UInt8] {
  guard let data = Data(base64Encoded: base64.description) else {
    preconditionFailure("the build embeds valid base64")
  }
  return Array(data)
}

import NCNN

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Network {
  /// The model that is embedded in the library: `Models/yoloface-n-0.5`, see its card there.
  package static func embedded() throws(ModelError) -> Network {
    var network = try Network(
      param: decoded(EmbeddedModel.param), source: "\(FaceDetector.defaultModelName).param")
    try network.loadWeights(
      decoded(EmbeddedModel.bin), source: "\(FaceDetector.defaultModelName).bin")
    return network
  }
}

private func decoded(_ base64: StaticString) -> [UInt8] {
  guard let data = Data(base64Encoded: base64.description) else {
    preconditionFailure("the build embeds valid base64")
  }
  return Array(data)
}

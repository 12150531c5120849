import CModel
import NCNN

extension FaceDetector {
  /// The arithmetic of a network's layers.
  ///
  /// Int8 is faster, most of all on processors with instructions for products of bytes, and its
  /// weights and blobs are smaller. It costs a little accuracy: scores, boxes and landmarks differ
  /// slightly, and a face near the score threshold may appear or disappear.
  public enum Precision: String, CaseIterable, Codable, Sendable {
    /// Floats of 32 bits.
    case fp32
    /// Bytes, where the model's layers have scales for them; floats elsewhere.
    case int8

    /// The name of the embedded model in this precision.
    public var defaultModelName: String {
      switch self {
      case .fp32: FaceDetector.defaultModelName
      case .int8: "\(FaceDetector.defaultModelName)-int8"
      }
    }
  }
}

extension Network {
  /// The model that is embedded in the library, `Models/yoloface-n-0.5`; see its card there.
  public static func embedded(
    _ precision: FaceDetector.Precision = .fp32
  ) throws(ModelError) -> Network {
    let (param, bin) =
      switch precision {
      case .fp32: (yoloface_fp32_param(), yoloface_fp32_bin())
      case .int8: (yoloface_int8_param(), yoloface_int8_bin())
      }
    func bytes(_ file: ModelFile) -> [UInt8] {
      Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
    let name = precision.defaultModelName
    var network = try Network(param: bytes(param), source: "\(name).param")
    try network.loadWeights(bytes(bin), source: "\(name).bin")
    return network
  }

  /// Int8 if any layer computes in it.
  public var precision: FaceDetector.Precision {
    layers.contains { $0.operation.computesInInt8 } ? .int8 : .fp32
  }
}

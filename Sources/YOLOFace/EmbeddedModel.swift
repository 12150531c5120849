// SPDX-License-Identifier: Apache-2.0

// Left out without the package's trait EmbeddedModel.
#if EmbeddedModel
  import CYOLOFaceModel
  import YOLOFaceNCNN

  extension FaceDetector {
    /// A detector with the embedded default model.
    ///
    /// - Parameters:
    ///   - precision: which form of the model.
    ///   - threads: how many threads one detection uses; the result does not depend on it.
    ///   - instructionSet: one of `instructionSets`; nil uses the environment's, or else the fastest.
    /// - Throws: `InferenceError` where the instruction set is not available.
    public init(
      precision: Precision = .fp32, threads: Int = 1, instructionSet: String? = nil
    ) throws {
      try self.init(
        network: try Network.embedded(precision), recipe: .yoloFace, threads: threads,
        instructionSet: instructionSet)
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
  }
#endif

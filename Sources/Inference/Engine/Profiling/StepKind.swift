import NCNN

extension Plan.Kind {
  /// The kind's name in a profile.
  var name: String {
    switch self {
    case .convolution(let step):
      switch step.source {
      case .blocks: "convolution 1x1"
      case .upsampled: "1x1 of upsampled"
      case .bordered: "convolution \(step.windows.kernel.width)x\(step.windows.kernel.height)"
      case .winograd: "Winograd 3x3"
      case .pointwise: "1x1 + \(step.windows.kernel.width)x\(step.windows.kernel.height)"
      case .depthwise: "depthwise + 1x1"
      case .interleaved, .picture: "first convolution"
      }
    case .byteConvolution(let step):
      switch step.source {
      case .blocks: "int8 1x1"
      case .bordered: "int8 \(step.windows.kernel.width)x\(step.windows.kernel.height)"
      case .depthwise: "int8 depthwise + 1x1"
      case .picture: "int8 first convolution"
      }
    case .byteDepthwise: "int8 depthwise"
    case .bytePooling: "int8 pooling"
    case .byteGather: "int8 nearest"
    case .quantise: "quantise"
    case .depthwise: "depthwise"
    case .pooling: "pooling"
    case .gather: "nearest"
    case .bilinear: "bilinear"
    case .activation: "activation"
    case .elementwise: "element-wise"
    case .picture: "picture"
    case .pack: "pack"
    case .unpack: "unpack"
    case .fallback: "plain layer"
    }
  }
}

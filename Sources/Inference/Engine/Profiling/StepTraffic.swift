import Kernels
import NCNN

extension Plan {
  /// The fewest bytes that a step can move, see `StepTime.bytes`.
  func bytes(of step: Step) -> Int {
    var elements = elements(ofBlocks: step.reads) + elements(ofBlocks: step.writes)
    var bytes = 0
    switch step.kind {
    case .convolution(let convolution):
      elements += convolution.weightElements
      switch convolution.source {
      case .interleaved(let tensor, _): elements += self.elements(ofTensors: [tensor])
      case .picture: bytes = 3 * convolution.windows.inputRows * convolution.windows.inputColumns
      default: break
      }
    case .byteConvolution(let convolution):
      bytes += convolution.weightBytes
      if case .picture = convolution.source {
        bytes += 3 * convolution.windows.inputRows * convolution.windows.inputColumns
      }
    case .byteDepthwise(let depthwise): bytes += depthwise.parameterBytes
    case .depthwise(let depthwise):
      elements += depthwise.parameters.weightElements(lanes: lanes)
    case .elementwise(let arithmetic):
      for case .numbers in [arithmetic.first, arithmetic.second] {
        elements += arithmetic.to.count * lanes
      }
    case .picture(_, let tensor):
      bytes = self.elements(ofTensors: [tensor])
      elements += bytes
    case .pack(let tensor, _), .unpack(_, let tensor):
      elements += self.elements(ofTensors: [tensor])
    case .fallback(_, let weights, let inputs, let outputs):
      elements += self.elements(ofTensors: inputs) + self.elements(ofTensors: outputs)
      elements += weights.reduce(0) { $0 + $1.count }
    case .pooling, .gather, .bilinear, .activation, .bytePooling, .byteGather, .quantise: break
    }
    return elements * MemoryLayout<Float>.size + bytes
  }

  /// A block that is listed twice counts once.
  private func elements(ofBlocks blocks: [Int]) -> Int {
    Set(blocks).reduce(0) { $0 + blockSizes[$1] }
  }

  private func elements(ofTensors tensors: [Int]) -> Int {
    Set(tensors).reduce(0) { $0 + tensorShapes[$1].reduce(1, *) }
  }
}

extension ConvolutionStep {
  /// Packed weights and biases, including those of convolutions fused into it.
  fileprivate var weightElements: Int {
    var positions = 1
    var elements = prelude?.weightElements ?? 0
    switch source {
    case .winograd(_, let tile): positions = tile.positions
    case .depthwise(_, let parameters): elements += parameters.weightElements(lanes: lanes)
    default: break
    }
    return elements + blockCount * lanes * (positions * sourceCount + 1)
  }
}

extension DepthwiseParameters {
  /// Packed weights and biases.
  fileprivate func weightElements(lanes: Int) -> Int {
    weights.count * lanes * (windows.kernel.width * windows.kernel.height + 1)
  }
}

extension ByteConvolutionStep {
  /// Packed weights, biases and factors, including those of a depthwise convolution before it.
  fileprivate var weightBytes: Int {
    var bytes = groups.reduce(0) { $0 + $1.blocks * ($1.sourceCount * 64 + 192) }
    if case .depthwise(let step) = source { bytes += step.parameterBytes }
    return bytes
  }
}

extension ByteDepthwiseStep {
  /// Packed weights, biases and factors.
  fileprivate var parameterBytes: Int { from.count * (passes * weightBytes + 192) }
}

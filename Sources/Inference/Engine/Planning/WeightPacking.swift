import Kernels
import NCNN

/// One input channel of a convolution as the kernel finds it.
struct SourceChannel: Hashable {
  /// The position of its block in the step's list; 0 in an interleaved copy.
  var block: Int
  var lane: Int
}

/// Writes the sources and weights of convolutions into the plan, as the kernels read them.
extension Planner {
  /// Writes the offset of every source: for each channel the taps, row by row.
  mutating func packSources(_ channels: [SourceChannel], _ step: inout ConvolutionStep) {
    step.sources = plan.sources.count
    if case .winograd(_, let tile) = step.source {
      plan.sources += channels.map { $0.block * step.taskTiles(tile) * plan.lanes + $0.lane }
      step.sourceCount = channels.count
      return
    }
    for channel in channels {
      for ky in 0..<step.windows.kernel.height {
        for kx in 0..<step.windows.kernel.width {
          let (row, column) = (ky * step.windows.dilation.height, kx * step.windows.dilation.width)
          let offset: Int
          switch step.source {
          case .blocks, .upsampled:
            // Relative to the block, which the executor adds.
            offset = channel.lane
          case .bordered, .pointwise, .winograd:
            let lanes =
              if case .pointwise(_, let prelude) = step.source { prelude.lanes } else { plan.lanes }
            offset =
              ((channel.block * step.borderedRows + row) * step.borderedColumns + column) * lanes
              + channel.lane
          case .depthwise:
            offset =
              channel.block * step.chunk * step.windows.outputColumns * plan.lanes + channel.lane
          case .interleaved, .picture:
            offset = (row * step.borderedColumns + column) * channels.count + channel.lane
          }
          plan.sources.append(offset)
        }
      }
    }
    step.sourceCount = plan.sources.count - step.sources
    switch step.source {
    case .blocks(let blocks), .upsampled(let blocks, _, _):
      step.blockOfSource = channels.map { blocks[$0.block] }
    default: break
    }
  }

  /// Packs the weights of one or two output blocks at a time, see `PackedWeights`.
  mutating func packWeights(
    _ convolution: WeightedConvolution, of blocks: [Int], from firstChannel: Int = 0,
    _ step: inout ConvolutionStep
  ) {
    var packed = PackedWeights(
      weights: convolution.weights, biases: convolution.biases,
      channels: convolution.operation.outputChannels, sources: step.sourceCount)
    packed.biasScale = convolution.scale
    packed.scale = convolution.scale
    if case .picture(let normalisation) = step.source { packed.scale /= normalisation.divisor }
    if case .winograd(_, let tile) = step.source {
      packed.weights = tile.weights(packed.weights)
      packed.positions = tile.positions
    }
    for first in stride(from: 0, to: blocks.count, by: 2) {
      var group = ConvolutionStep.OutputGroup(
        block: blocks[first], partner: first + 1 < blocks.count ? blocks[first + 1] : nil,
        weights: plan.weights.count, bias: 0)
      let start = firstChannel + first * step.lanes
      let channels = start..<start + group.blockCount * step.lanes
      packed.append(weightsOf: channels, to: &plan.weights)
      group.bias = plan.weights.count
      plan.weights += packed.biases(of: channels)
      step.outputs.append(group)
    }
  }
}

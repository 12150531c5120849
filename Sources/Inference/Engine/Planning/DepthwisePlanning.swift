import Kernels
import NCNN

extension Planner {
  /// Plans a depthwise convolution as a step of its own.
  mutating func lowerDepthwise(_ node: Graph.Node, _ convolution: WeightedConvolution) {
    let input = blocked(node.inputs[0])
    let shape = shape(node.outputs[0])
    let output = makeBlob(like: input, rows: shape[1], columns: shape[2])
    let step = DepthwiseStep(
      from: input.blocks, to: output.blocks, parameters: packDepthwise(convolution, input))
    add(
      node.layer.name, .depthwise(step), tasks: output.rows, reads: step.from, writes: step.to,
      multiplyAdds: product([output.rows, output.columns, convolution.operation.weightCount]))
    define(node.outputs[0], output)
  }

  /// Packs the weights of each block of the input, lane by lane.
  mutating func packDepthwise(
    _ depthwise: WeightedConvolution, _ input: BlockedBlob
  ) -> DepthwiseParameters {
    let operation = depthwise.operation
    plan.zeroCount = max(plan.zeroCount, input.columns * plan.lanes)
    var parameters = DepthwiseParameters(
      weights: [], biases: [],
      windows: Windows(operation, over: [input.channels.count, input.rows, input.columns]),
      activation: depthwise.activation)
    let taps = operation.kernel.width * operation.kernel.height
    var starts: [Int: Int] = [:]
    for block in input.blocks {
      starts[block] = plan.weights.count
      parameters.weights.append(plan.weights.count)
      parameters.biases.append(plan.weights.count + taps * plan.lanes)
      plan.weights += [Float](repeating: 0, count: (taps + 1) * plan.lanes)
    }
    for (channel, place) in input.channels.enumerated() {
      guard let start = starts[place.block] else { continue }
      for tap in 0..<taps {
        plan.weights[start + tap * plan.lanes + place.lane] =
          depthwise.weights[channel * taps + tap] * depthwise.scale
      }
      if operation.hasBias {
        plan.weights[start + taps * plan.lanes + place.lane] =
          depthwise.biases[channel] * depthwise.scale
      }
    }
    return parameters
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

extension Graph {
  /// Fuses activations, and arithmetic with a number for each channel such as BatchNorm's, into the convolution
  /// before them, where nothing else reads its result.
  func fusingActivations() -> Graph {
    var graph = self
    graph.nodes = []
    let counts = readCounts
    var producers: [String: Int] = [:]
    for node in nodes {
      if node.inputs.count == 1, counts[node.inputs[0]] == 1,
        let producer = producers[node.inputs[0]], takesFunctions(graph.nodes[producer]),
        let both = graph.nodes[producer].convolution?.followed(by: node.lowering)
      {
        graph.nodes[producer].convolution = both
        graph.nodes[producer].outputs = node.outputs
        graph.nodes[producer].layers += node.layers
        producers[node.outputs[0]] = producer
        continue
      }
      for output in node.outputs { producers[output] = graph.nodes.count }
      graph.nodes.append(node)
    }
    return graph
  }

  /// Whether kernels compute a node's convolution, and write fp32.
  private func takesFunctions(_ node: Node) -> Bool {
    runsInKernels(node) || runsInPhases(node) || writesFloatsFromBytes(node)
  }

  /// Folds the factor −log₂e of Swish's exponent into the weights of the convolution before it.
  func foldingSwish() -> Graph {
    var graph = self
    for index in nodes.indices
    where nodes[index].convolution?.activation == .swish
      && nodes[index].convolution?.quantization == nil
    {
      graph.nodes[index].convolution?.activation = .foldedSwish
      graph.nodes[index].convolution?.scale = swishFactor
    }
    return graph
  }
}

extension WeightedConvolution {
  /// The convolution and a function of its result as one; nil where there is no such convolution.
  fileprivate func followed(by lowering: Lowering) -> WeightedConvolution? {
    guard activation == .none else { return nil }
    var both = self
    if case .function(let function) = lowering {
      both.activation = VectorActivation(function)
      return both
    }
    guard quantization == nil, case .arithmetic(.input(0), let rest) = lowering else { return nil }
    for (arithmetic, operand) in rest {
      guard case .numbers(let numbers) = operand,
        both.apply(arithmetic, numbers.count == 1 ? { _ in numbers[0] } : { numbers[$0] })
      else { return nil }
    }
    let isFinite =
      both.weights.allSatisfy { $0.isFinite } && both.biases.allSatisfy { $0.isFinite }
    return isFinite ? both : nil
  }

  /// Applies arithmetic with a number for each output channel, or returns false.
  private mutating func apply(
    _ arithmetic: Lowering.Arithmetic, _ number: (_ channel: Int) -> Float
  ) -> Bool {
    let (channels, size) = (operation.outputChannels, weights.count / operation.outputChannels)
    operation.hasBias = true
    if biases.isEmpty { biases = [Float](repeating: 0, count: channels) }
    for channel in 0..<channels {
      let number = number(channel)
      switch arithmetic {
      case .add: biases[channel] += number
      case .subtract: biases[channel] -= number
      case .multiply:
        biases[channel] *= number
        for index in channel * size..<(channel + 1) * size { weights[index] *= number }
      case .divide:
        biases[channel] /= number
        for index in channel * size..<(channel + 1) * size { weights[index] /= number }
      case .maximum, .minimum, .leak, .weightedSum: return false
      }
    }
    return true
  }
}

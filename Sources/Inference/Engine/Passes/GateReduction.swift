// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

extension Graph {
  /// A gated output whose gates alone are computed at every cell, and the 1 × 1 convolution that
  /// computes the rest on demand.
  struct ReducedOutput {
    /// The blob of the gates: groups × rows × columns.
    var gates: String
    /// The blob that the whole convolution reads.
    var input: String
    var convolution: WeightedConvolution
    /// The number of the convolution's channels in each group.
    var width: Int
  }

  /// Reduces each output that ends in a 1 × 1 convolution, Reshape and Permute to the channels with
  /// the gates, where nothing else reads the others, which are then computed at single cells.
  ///
  /// - Returns: the graph, and for each output what it was reduced to; nil for those of another form.
  func reducing(
    _ outputs: [GatedOutput], exceptFor whole: [String]
  ) -> (graph: Graph, reduced: [ReducedOutput?]) {
    var graph = self
    let counts = readCounts
    var asked: [String: Int] = [:]
    for name in whole + outputs.map({ $0.blob }) { asked[resolved(name), default: 0] += 1 }
    let reduced = outputs.map { output -> ReducedOutput? in
      asked[resolved(output.blob)] == 1 ? graph.reduce(output, counts) : nil
    }
    return (graph, reduced)
  }

  private mutating func reduce(
    _ output: GatedOutput, _ readCounts: [String: Int]
  ) -> ReducedOutput? {
    let name = resolved(output.blob)
    guard let permute = producer(of: name),
      case .transpose = nodes[permute].lowering,
      let reshape = producer(of: nodes[permute].inputs[0]),
      // The output has the asked-for shape, so this one divides all channels into groups.
      case .reshape = nodes[reshape].lowering, nodes[reshape].inputs.count == 1,
      let index = producer(of: nodes[reshape].inputs[0]),
      let convolution = nodes[index].convolution, convolution.operation.isPointwise,
      runsInKernels(nodes[index]) || writesFloatsFromBytes(nodes[index]),
      !inputs.contains(nodes[index].inputs[0]),
      convolution.activation == .none, case .none = nodes[index].prelude,
      convolution.operation.outputChannels == output.groups * output.width,
      [permute, reshape, index].allSatisfy({ readCounts[nodes[$0].outputs[0]] == 1 })
    else { return nil }
    let gates = "\(nodes[index].outputs[0]) gates"
    let reduced = ReducedOutput(
      gates: gates, input: nodes[index].inputs[0], convolution: convolution, width: output.width)
    nodes[index].convolution = convolution.keeping(
      (0..<output.groups).map { $0 * output.width + output.gate })
    nodes[index].outputs = [gates]
    nodes[index].outputChannels = [output.groups]
    nodes[index].layers += nodes[reshape].layers + nodes[permute].layers
    nodes = nodes.indices.filter { $0 != permute && $0 != reshape }.map { nodes[$0] }
    wanted.remove(name)
    wanted.formUnion([gates, reduced.input])
    return reduced
  }

  private func producer(of name: String) -> Int? {
    nodes.firstIndex { $0.outputs.contains(name) }
  }
}

extension WeightedConvolution {
  /// The convolution with some of its output channels only.
  func keeping(_ channels: [Int]) -> WeightedConvolution {
    var part = self
    let inputs = operation.inputChannels
    part.weights = channels.flatMap { weights[$0 * inputs..<($0 + 1) * inputs] }
    if operation.hasBias { part.biases = channels.map { biases[$0] } }
    part.operation.outputChannels = channels.count
    if quantization != nil { part.weightSums = channels.map { weightSums[$0] } }
    part.quantization = quantization.map { scales in
      Int8Scales(
        weightScales: channels.map { scales.weightScales[$0] }, inputScale: scales.inputScale,
        outputScale: scales.outputScale)
    }
    return part
  }
}

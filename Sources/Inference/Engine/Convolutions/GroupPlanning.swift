// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// Plans convolutions of blobs in blocks: whole, group by group, and the parts of a deconvolution.
extension Planner {
  /// Plans a convolution of any number of groups over some windows.
  ///
  /// - Returns: the blob that it makes.
  mutating func convolve(
    _ input: BlockedBlob, _ node: Graph.Node, _ convolution: WeightedConvolution,
    _ windows: WindowGeometry
  ) throws(InferenceError) -> BlockedBlob {
    let (rows, columns) = (windows.outputRows, windows.outputColumns)
    if convolution.operation.isDepthwise {
      let output = makeBlob(like: input, rows: rows, columns: columns)
      var depthwise = try pack(convolution, input, windows)
      depthwise.writes = output.blocks
      addStep(node, convolution, depthwise)
      return output
    }
    try requireRoom(forWeights: convolution.joinedWeightCount)
    var output = BlockedBlob(rows: rows, columns: columns, channels: [])
    for (part, channels) in convolution.parts {
      var source = input
      source.channels = Array(input.channels[channels])
      let blob = makeBlob(channels: part.operation.outputChannels, rows: rows, columns: columns)
      var packed = PackedConvolution(part, windows, lanes: plan.lanes)
      packed.addOutputs(blob.blocks, channels: 0)
      try add(node, part, packed, of: source)
      output.channels += blob.channels
    }
    return output
  }

  /// Plans a convolution of two axes, see `Graph.runsAlongRows`: blobs of two axes are never held in blocks.
  mutating func lowerRowConvolution(_ node: Graph.Node) throws(InferenceError) {
    guard let convolution = node.convolution else { return }
    let name = node.outputs[0]
    let input = copied(node.inputs[0])
    let windows = WindowGeometry(
      convolution.operation, over: [input.channels.count, 1, input.columns])
    let output = try convolve(input, node, convolution, windows)
    let tensor = makeTensor(shape(name))
    add("unpack \(name)", UnpackStep(blob: output, tensor: tensor), shape: shape(name))
    plan.values[name] = Plan.Value(shape: shape(name), tensor: tensor)
  }

  /// Plans a deconvolution, see `Graph.runsInPhases`: a convolution for each row and column of its stride, and the pixels of all in turns.
  mutating func lowerDeconvolution(
    _ node: Graph.Node, _ deconvolution: Deconvolution
  ) throws(InferenceError) {
    let (inputShape, shape) = (shape(node.inputs[0]), shape(node.outputs[0]))
    guard let whole = node.convolution,
      let phases = deconvolution.phases(of: inputShape, output: shape)
    else { return }
    let input = blocked(node.inputs[0])
    var parts: [BlockedBlob] = []
    for phase in phases.joined() {
      let windows = WindowGeometry(
        inputRows: inputShape[1], inputColumns: inputShape[2], outputRows: phase.rows,
        outputColumns: phase.columns, kernel: phase.convolution.kernel, stride: .one,
        padTop: phase.padTop, padLeft: phase.padLeft)
      parts.append(try convolve(input, node, whole.keeping(phase), windows))
      try requireBounds()
    }
    guard parts.count > 1 else { return define(node.outputs[0], parts[0]) }
    let output = makeBlob(like: parts[0], rows: shape[1], columns: shape[2])
    add(
      node.layer.name,
      InterleaveStep(
        parts: parts.map { $0.blocks }, rowStride: phases.count, columnStride: phases[0].count,
        writes: output.blocks, rows: shape[1], columns: shape[2]))
    define(node.outputs[0], output)
  }
}

extension WeightedConvolution {
  /// Convolutions of one group that together are this one, and the channels that they read. As many groups as fill
  /// a block of the widest vectors are computed together, with weights of 0 between them; with narrower vectors, too,
  /// so that all give the same bits.
  fileprivate var parts: [(convolution: WeightedConvolution, channels: Range<Int>)] {
    let group = operation.group
    guard group > 1 else { return [(self, 0..<operation.inputChannels)] }
    let (inputs, outputs) = (operation.inputChannels / group, operation.outputChannels / group)
    let joined = groupsInPart
    return stride(from: 0, to: group, by: joined).map { first in
      let groups = first..<min(first + joined, group)
      return (
        joining(groups, inputs: inputs, outputs: outputs),
        groups.lowerBound * inputs..<groups.upperBound * inputs
      )
    }
  }

  /// As many groups as fill a block of the widest vectors.
  private var groupsInPart: Int {
    min(operation.group, max(1, 16 * operation.group / operation.outputChannels))
  }

  /// The weights of all parts, those between groups included; 2²⁸ for any larger number.
  fileprivate var joinedWeightCount: Int {
    Int(min(product([operation.weightCount, groupsInPart]), 1 << 28))
  }

  /// Some groups as one, each of which reads and makes some channels.
  private func joining(_ groups: Range<Int>, inputs: Int, outputs: Int) -> WeightedConvolution {
    var part = self
    part.joinedGroups = groups.count
    part.operation.group = 1
    part.operation.inputChannels = groups.count * inputs
    part.operation.outputChannels = groups.count * outputs
    if !biases.isEmpty {
      part.biases = Array(biases[groups.lowerBound * outputs..<groups.upperBound * outputs])
    }
    let size = inputs * operation.kernel.width * operation.kernel.height
    let zeros = [Float](repeating: 0, count: size)
    part.weights = groups.flatMap { group in
      (group * outputs..<(group + 1) * outputs).flatMap { output in
        groups.flatMap { $0 == group ? weights[output * size..<(output + 1) * size] : zeros[...] }
      }
    }
    return part
  }

  /// The convolution that makes some pixels of a deconvolution.
  fileprivate func keeping(_ phase: Deconvolution.Phase) -> WeightedConvolution {
    var part = self
    part.operation = phase.convolution
    let size = operation.kernel.width * operation.kernel.height
    part.weights = stride(from: 0, to: weights.count, by: size).flatMap { window in
      phase.samples.map { weights[window + $0] }
    }
    return part
  }
}

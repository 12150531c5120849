import Kernels
import NCNN

/// How a blob is held in int8: as unsigned bytes, each a number plus a zero.
struct HeldBytes: Hashable {
  /// What numbers are multiplied by; nil where each layer that writes the blob has its own scale.
  var scale: Float?
  var zero: UInt8
}

extension Graph {
  /// Decides which blobs that are int8 by the network's own account kernels write and read: all
  /// those, or none, that nodes between them only rearrange.
  func keepingInt8InKernels() -> Graph {
    var graph = self
    while true {
      let sets = graph.rearrangedSets().filter { !graph.int8BlobsInKernels.isDisjoint(with: $0) }
      let rest = sets.filter { names in
        !graph.wanted.isDisjoint(with: names)
          || !graph.nodes.allSatisfy { node in
            graph.rearranges(node) || graph.runsInBytes(node)
              || names.isDisjoint(with: node.inputs + node.outputs)
          }
      }
      if rest.isEmpty { return graph }
      for names in rest { graph.int8BlobsInKernels.subtract(names) }
    }
  }

  /// Decides which blobs are held in int8 between convolutions in int8: those that such
  /// convolutions alone write, and that all readers want with the same scale. Others are held in
  /// fp32, and quantised for each reader.
  ///
  /// - Parameter asked: the blobs that the caller asks for.
  func holdingBytes(exceptFor asked: Set<String>) -> Graph {
    var graph = self
    for names in rearrangedSets() where asked.isDisjoint(with: names) {
      let others = nodes.filter { !rearranges($0) }
      let writers = others.filter { !names.isDisjoint(with: $0.outputs) }
      let readers = others.filter { !names.isDisjoint(with: $0.inputs) }
      guard !writers.isEmpty, (writers + readers).allSatisfy(runsInBytes) else { continue }
      var scale: Float?
      if int8Blobs.isDisjoint(with: names) {
        let scales = Set(readers.compactMap(\.readScale))
        guard scales.count == 1 else { continue }
        scale = scales.first
      }
      let smallest =
        writers.map { node -> Int in
          guard let convolution = node.convolution,
            let written = scale ?? convolution.quantisation?.outputScale,
            let activation = convolution.byteActivation(scale: written)
          else { return -127 }
          return Int(activation.smallest)
        }.min() ?? -127
      let form = HeldBytes(scale: scale, zero: UInt8(-min(0, smallest)))
      for name in names { graph.byteForms[name] = form }
    }
    return graph
  }

  /// Sets of blobs between which nodes only rearrange channels or pixels.
  private func rearrangedSets() -> [Set<String>] {
    var parents: [String: String] = [:]
    func root(_ name: String) -> String {
      var name = name
      while let parent = parents[name] { name = parent }
      return name
    }
    var names: Set<String> = []
    for node in nodes {
      let blobs = (node.inputs + node.outputs).filter { isBlockable($0) && !inputs.contains($0) }
      names.formUnion(blobs)
      guard rearranges(node), let first = blobs.first else { continue }
      for name in blobs.dropFirst() where root(name) != root(first) {
        parents[root(name)] = root(first)
      }
    }
    return Dictionary(grouping: names.sorted(), by: root).sorted { $0.key < $1.key }
      .map { Set($0.value) }
  }

  /// Whether a node only rearranges the channels or pixels of blobs, or takes the largest of some.
  private func rearranges(_ node: Node) -> Bool {
    guard (node.inputs + node.outputs).allSatisfy({ isBlockable($0) && !inputs.contains($0) })
    else { return false }
    switch node.layer.operation {
    case .concat(let axis):
      // A blob that is listed twice would be copied.
      return (axis == 0 || axis == -3) && Set(node.inputs).count == node.inputs.count
    case .slice(let slice): return slice.axis == 0 || slice.axis == -3
    case .shuffleChannel, .dropout(scale: 1): return true
    case .interp(let interp): return interp.method == .nearest
    case .pooling(let pooling): return pooling.method == .maximum && pooling.slides
    default: return false
    }
  }

  /// Whether the int8 kernels can run a convolution.
  func runsInBytes(_ node: Node) -> Bool {
    guard let convolution = node.convolution, let scales = convolution.quantisation,
      isBlockable(node.inputs[0]), let shape = shapes[node.inputs[0]],
      VectorActivation(convolution.operation.activation) != nil, convolution.fits32Bits
    else { return false }
    let operation = convolution.operation
    let isPlain =
      operation.group == 1
      || operation.isDepthwise && operation.dilation == Extent(width: 1, height: 1)
    guard isPlain, operation.hasPlainBorder, operation.outputChannels <= Self.maximumChannels,
      operation.readsBeyondLeftBorder(shape)
    else { return false }
    return scales.outputScale == nil || int8BlobsInKernels.contains(node.outputs[0])
  }

  /// Whether a convolution in int8 writes fp32, to which an activation can be applied.
  func writesFloatsFromBytes(_ node: Node) -> Bool {
    runsInBytes(node) && node.convolution?.quantisation?.outputScale == nil
  }
}

extension Graph.Node {
  /// The scale with which a convolution in int8 reads its input.
  fileprivate var readScale: Float? {
    if case .depthwise(let before) = prelude { return before.quantisation?.inputScale }
    return convolution?.quantisation?.inputScale
  }
}

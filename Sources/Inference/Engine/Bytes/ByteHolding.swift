// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
@_spi(Tool) import YOLOFaceNCNN

/// How a blob is held in int8: as unsigned bytes, each a number plus a zero.
struct HeldBytes: Hashable {
  /// What numbers are multiplied by; nil where each layer that writes the blob has its own scale.
  var scale: Float?
  var zero: UInt8
}

extension Graph {
  /// Decides which of the blobs that the network itself has in int8 are written and read by kernels:
  /// of those between which nodes only rearrange numbers, all or none.
  func keepingInt8InKernels() -> Graph {
    var graph = self
    // Each round may take away what another node needs; a long chain of such is not worth its time.
    for _ in 0..<8 where !graph.int8BlobsInKernels.isEmpty {
      let sets = graph.rearrangedSets()
      var refused = Set(graph.wanted.compactMap { sets[$0] })
      for node in graph.nodes where !graph.rearranges(node) && !graph.runsInBytes(node) {
        refused.formUnion((node.reads + node.outputs).compactMap { sets[$0] })
      }
      let rest = graph.int8BlobsInKernels.filter { name in
        sets[name].map { !refused.contains($0) } ?? false
      }
      if rest == graph.int8BlobsInKernels { return graph }
      graph.int8BlobsInKernels = rest
    }
    graph.int8BlobsInKernels = []
    return graph
  }

  /// Decides which blobs are held in int8 between convolutions in int8: those that only such
  /// convolutions write, and that all readers quantise with the same scale. Others are held in fp32
  /// and quantised for each reader.
  ///
  /// - Parameter asked: the blobs that the caller asks for.
  func holdingBytes(exceptFor asked: Set<String>) -> Graph {
    guard nodes.contains(where: { $0.convolution?.quantization != nil }) else { return self }
    let sets = rearrangedSets()
    var candidates: [String: Candidate] = [:]
    for (name, set) in sets where asked.contains(name) || inputs.contains(name) {
      candidates[set, default: Candidate()].isRefused = true
    }
    let others = nodes.filter { !rearranges($0) }
    for node in others {
      let isInt8 = runsInBytes(node)
      for name in node.reads {
        guard let set = sets[name] else { continue }
        if !isInt8 { candidates[set, default: Candidate()].isRefused = true }
        if let scale = node.readScale {
          candidates[set, default: Candidate()].scales.insert(scale)
        }
      }
      for name in node.outputs {
        guard let set = sets[name] else { continue }
        if !isInt8 { candidates[set, default: Candidate()].isRefused = true }
        candidates[set, default: Candidate()].isWritten = true
      }
    }
    for (name, set) in sets where int8Blobs.contains(name) { candidates[set]?.isInt8 = true }
    for node in others {
      for set in node.outputs.compactMap({ sets[$0] }) {
        guard var candidate = candidates[set], candidate.isHeld else { continue }
        let activation = node.convolution?.byteActivation(scale: candidate.scale ?? 1, curves)
        candidate.zero = max(candidate.zero, UInt8(-min(0, Int(activation?.smallest ?? -127))))
        candidates[set] = candidate
      }
    }
    var graph = self
    for (name, set) in sets {
      guard let candidate = candidates[set], candidate.isHeld else { continue }
      graph.heldBytes[name] = HeldBytes(scale: candidate.scale, zero: candidate.zero)
    }
    return graph
  }

  /// Blobs that may be held in int8 together.
  private struct Candidate {
    var isRefused = false
    var isWritten = false
    /// Whether the network itself has them in int8.
    var isInt8 = false
    var scales: Set<Float> = []
    var zero: UInt8 = 0

    var isHeld: Bool { isWritten && !isRefused && (isInt8 || scales.count == 1) }
    var scale: Float? { isInt8 ? nil : scales.first }
  }

  /// The blob that stands for each blob's set: nodes only rearrange channels or pixels between the blobs
  /// of a set.
  private func rearrangedSets() -> [String: String] {
    var names: Set<String> = []
    var sets = DisjointSets()
    for node in nodes {
      let blobs = (node.inputs + node.outputs).filter { isBlockable($0) && !inputs.contains($0) }
      names.formUnion(blobs)
      guard rearranges(node), let first = blobs.first else { continue }
      for name in blobs { sets.join(name, first) }
    }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, sets.root(of: $0)) })
  }

  /// Whether a node only rearranges the channels or pixels of blobs, or takes the largest of some.
  private func rearranges(_ node: Node) -> Bool {
    guard (node.inputs + node.outputs).allSatisfy({ isBlockable($0) && !inputs.contains($0) })
    else { return false }
    let traits = node.layer.operation.traits
    guard traits.movesNumbers else { return false }
    switch traits.channels {
    case .new: return false
    case .joined, .cut, .shuffled: return true
    case .kept:
      guard case .pooling = node.lowering else { return node.inputs.count == 1 }
      // The least number, which a window outside of the blob gives, may be no byte.
      return node.suitsKernels
    }
  }

  /// Whether the int8 kernels can run a convolution.
  func runsInBytes(_ node: Node) -> Bool {
    guard let convolution = node.convolution, let scales = convolution.quantization,
      isBlockable(node.inputs[0]), node.suitsKernels, convolution.fits32Bits
    else { return false }
    let operation = convolution.operation
    let suitsKernels =
      operation.group == 1
      || operation.isDepthwise && operation.dilation == .one
    guard suitsKernels, operation.hasZeroBorder, operation.outputChannels <= Self.maximumChannels
    else { return false }
    return scales.outputScale == nil || int8BlobsInKernels.contains(node.outputs[0])
  }

  /// Whether a convolution in int8 writes fp32, to which an activation can be applied.
  func writesFloatsFromBytes(_ node: Node) -> Bool {
    runsInBytes(node) && node.convolution?.quantization?.outputScale == nil
  }
}

extension Graph.Node {
  /// The scale with which a convolution in int8 reads its input.
  fileprivate var readScale: Float? {
    if case .depthwise(let before) = prelude { return before.quantization?.inputScale }
    return convolution?.quantization?.inputScale
  }
}

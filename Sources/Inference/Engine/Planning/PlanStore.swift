// SPDX-License-Identifier: Apache-2.0

/// What plans for different shapes of the input have in common: what the passes make of the network, curves and
/// packed weights.
final class PlanStore {
  /// What the passes made for the last plan.
  var graph: PassedGraph?
  let curves = ByteCurves()
  /// By layer: a few forms of each.
  private var floats: [String: [Entry<PackedWeights>]] = [:]
  private var bytes: [String: [Entry<ByteWeights>]] = [:]
  private var depthwise: [String: [Entry<ByteDepthwiseWeights>]] = [:]

  private struct Entry<Request: PackingRequest> {
    var request: Request
    var packed: Request.Packed
  }

  /// Drops the packed weights that no plan uses.
  func prune() {
    prune(&floats)
    prune(&bytes)
    prune(&depthwise)
  }

  private func prune<Request>(_ entries: inout [String: [Entry<Request>]]) {
    for layer in Array(entries.keys) {
      for index in entries[layer, default: []].indices.reversed()
      where isKnownUniquelyReferenced(&entries[layer, default: []][index].packed) {
        entries[layer, default: []].remove(at: index)
      }
    }
  }

  func packed(_ request: PackedWeights) -> AlignedBuffer<Float> { find(request, in: &floats) }

  func packed(_ request: ByteWeights) -> PackedByteWeights { find(request, in: &bytes) }

  func packed(_ request: ByteDepthwiseWeights) -> PackedByteDepthwiseWeights {
    find(request, in: &depthwise)
  }

  private func find<Request>(
    _ request: Request, in entries: inout [String: [Entry<Request>]]
  ) -> Request.Packed {
    let known = entries[request.layer]?.first { $0.request == request }
    if let known { return known.packed }
    let packed = request.packed()
    entries[request.layer, default: []].append(Entry(request: request, packed: packed))
    return packed
  }
}

/// What packed weights depend on.
protocol PackingRequest: Equatable {
  associatedtype Packed: AnyObject
  var layer: String { get }
  func packed() -> Packed
}

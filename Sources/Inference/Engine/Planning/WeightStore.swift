/// Packed weights, which plans for other shapes of the input use again.
final class WeightStore {
  private var floats: [Entry<PackedWeights, AlignedBuffer<Float>>] = []
  private var bytes: [Entry<ByteWeights, PackedByteWeights>] = []
  /// The number of the plan that is being made.
  private var plan = 0

  private struct Entry<Request: Equatable, Packed> {
    var request: Request
    var packed: Packed
    /// The last plan that used them.
    var plan: Int
  }

  /// Begins a plan. What none of the last plans has used is dropped.
  ///
  /// - Parameter kept: the number of plans.
  func begin(keeping kept: Int) {
    plan += 1
    floats.removeAll { $0.plan < plan - kept }
    bytes.removeAll { $0.plan < plan - kept }
  }

  func packed(_ request: PackedWeights) -> AlignedBuffer<Float> {
    find(request, in: &floats) { request.packed() }
  }

  func packed(_ request: ByteWeights) -> PackedByteWeights {
    find(request, in: &bytes) { PackedByteWeights(request) }
  }

  private func find<Request: Equatable, Packed>(
    _ request: Request, in entries: inout [Entry<Request, Packed>], _ make: () -> Packed
  ) -> Packed {
    if let index = entries.firstIndex(where: { $0.request == request }) {
      entries[index].plan = plan
      return entries[index].packed
    }
    let packed = make()
    entries.append(Entry(request: request, packed: packed, plan: plan))
    return packed
  }
}

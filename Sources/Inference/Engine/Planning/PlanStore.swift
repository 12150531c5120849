import Kernels
import NCNN

/// What plans for different shapes of the input have in common: packed weights and what else depends on the
/// network alone.
final class PlanStore {
  private var convolutions: [Int: WeightedConvolution] = [:]
  private var activations: [Curve: ByteActivation?] = [:]
  /// By layer: a few forms of each.
  private var floats: [String: [Entry<PackedWeights, AlignedBuffer<Float>>]] = [:]
  private var bytes: [String: [Entry<ByteWeights, PackedByteWeights>]] = [:]

  private struct Entry<Request: Equatable, Packed: AnyObject> {
    var request: Request
    var packed: Packed
  }

  private struct Curve: Hashable {
    var activation: VectorActivation
    var scale: Float
  }

  /// Drops the packed weights that no plan uses.
  func prune() {
    for layer in Array(floats.keys) { prune(&floats[layer, default: []]) }
    for layer in Array(bytes.keys) { prune(&bytes[layer, default: []]) }
  }

  private func prune<Request, Packed: AnyObject>(_ entries: inout [Entry<Request, Packed>]) {
    for index in entries.indices.reversed() {
      if isKnownUniquelyReferenced(&entries[index].packed) { entries.remove(at: index) }
    }
  }

  /// The convolution of a layer; nil for layers of other kinds.
  ///
  /// - Parameter index: the layer's, in the network.
  func convolution(of layer: Layer, _ index: Int, _ weights: [[Float]]) -> WeightedConvolution? {
    if let convolution = convolutions[index] { return convolution }
    let convolution = WeightedConvolution(layer, weights)
    convolutions[index] = convolution
    return convolution
  }

  /// How an activation gives int8 numbers of a scale; nil where no curve is good enough.
  func activation(_ activation: VectorActivation, scale: Float) -> ByteActivation? {
    let curve = Curve(activation: activation, scale: scale)
    if let found = activations[curve] { return found }
    let found = ByteActivation(activation, scale: scale)
    activations[curve] = .some(found)
    return found
  }

  func packed(_ request: PackedWeights) -> AlignedBuffer<Float> {
    find(request, in: &floats[request.layer, default: []]) { request.packed() }
  }

  func packed(_ request: ByteWeights) -> PackedByteWeights {
    find(request, in: &bytes[request.convolution.layer, default: []]) { PackedByteWeights(request) }
  }

  private func find<Request: Equatable, Packed: AnyObject>(
    _ request: Request, in entries: inout [Entry<Request, Packed>], _ make: () -> Packed
  ) -> Packed {
    if let entry = entries.first(where: { $0.request == request }) { return entry.packed }
    let packed = make()
    entries.append(Entry(request: request, packed: packed))
    return packed
  }
}

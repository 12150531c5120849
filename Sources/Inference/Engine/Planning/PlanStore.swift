import Kernels
import NCNN

/// What plans for different shapes of the input have in common: packed weights and what else depends on the
/// network alone.
final class PlanStore {
  private var convolutions: [Int: WeightedConvolution] = [:]
  private var activations: [Curve: ByteActivation?] = [:]
  private var floats: [Entry<PackedWeights, AlignedBuffer<Float>>] = []
  private var bytes: [Entry<ByteWeights, PackedByteWeights>] = []

  private struct Entry<Request: Equatable, Packed: AnyObject> {
    var request: Request
    var packed: Packed

    /// Whether a plan uses them.
    var isUsed: Bool { mutating get { !isKnownUniquelyReferenced(&packed) } }
  }

  private struct Curve: Hashable {
    var activation: VectorActivation
    var scale: Float
  }

  /// Drops the packed weights that no plan uses.
  func prune() {
    for index in floats.indices.reversed() where !floats[index].isUsed { floats.remove(at: index) }
    for index in bytes.indices.reversed() where !bytes[index].isUsed { bytes.remove(at: index) }
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
    find(request, in: &floats) { request.packed() }
  }

  func packed(_ request: ByteWeights) -> PackedByteWeights {
    find(request, in: &bytes) { PackedByteWeights(request) }
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

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
@_spi(Tool) import YOLOFaceNCNN

/// What a network's blobs hold when it runs on typical inputs, collected in two passes over them:
/// the largest magnitudes, then histograms.
public struct Calibration: Sendable {
  /// The network; after the first pass, with equalised channels.
  public private(set) var network: Network
  let sets: BlobSets
  let layers: [Int]
  let equalizations: [Equalization]
  /// By set, over all inputs; nil for a set that no such layer reads.
  public private(set) var histograms: [Histogram?]
  /// The largest magnitudes of each channel of a blob.
  private var magnitudes: [String: [Float]] = [:]
  private var engine: Engine
  private let threads: Int
  private let instructionSet: String?
  private let blobs: [String]
  private var isCounting = false

  /// Prepares the first pass.
  ///
  /// Only layers that the outputs depend on, by default all, can be int8. The instruction set is named, or else the
  /// environment's or the fastest.
  public init(
    _ network: Network, outputs: [String]? = nil, threads: Int = 1, instructionSet: String? = nil
  ) throws {
    let small = network.layers.count { $0.computesInInt8 }
    guard small == 0 else {
      throw QuantizationError.alreadyQuantized(model: network.source, layers: small)
    }
    self.network = network
    self.threads = threads
    self.instructionSet = instructionSet
    engine = try Engine(network, threads: threads, instructionSet: instructionSet)
    let sets = BlobSets(network)
    let leading = Set(network.layers(leadingTo: outputs ?? network.outputs))
    layers = leading.sorted().filter { network.layers[$0].canBeQuantized }
    let read = Set(layers.compactMap { sets[network.layers[$0].inputs[0]] })
    blobs = read.sorted().flatMap { sets.sources[$0] }
    guard !layers.isEmpty else { throw QuantizationError.noLayers(model: network.source) }
    equalizations = Equalization.pairs(in: network).filter { leading.contains($0.reader) }
    histograms = Array(repeating: nil, count: sets.sources.count)
    self.sets = sets
  }

  /// Looks at the blobs of a run, whose numbers must be finite.
  public mutating func add(_ inputs: [String: Tensor]) throws {
    let found = try engine.run(inputs, extracting: blobs)
    for blob in blobs {
      guard let tensor = found[blob] else { continue }
      if isCounting {
        if let set = sets[blob] { histograms[set]?.add(tensor.values) }
      } else {
        try note(tensor, of: blob)
      }
    }
  }

  private mutating func note(_ tensor: Tensor, of blob: String) throws(QuantizationError) {
    let channels = tensor.shape.count == 3 ? tensor.shape[0] : 1
    let size = tensor.values.count / channels
    var largest = magnitudes[blob] ?? Array(repeating: 0, count: channels)
    guard largest.count == channels else {
      throw .channels(blob: blob, found: channels, expected: largest.count)
    }
    for channel in 0..<channels {
      for value in tensor.values[channel * size..<(channel + 1) * size] {
        guard value.isFinite else { throw .notFinite(blob: blob) }
        largest[channel] = max(largest[channel], value.magnitude)
      }
    }
    magnitudes[blob] = largest
  }

  /// Ends the first pass: equalises channels where the network allows it, and begins to count.
  public mutating func beginCounting() throws {
    for equalization in equalizations {
      let blob = network.layers[equalization.producer].outputs[0]
      try equalization.apply(to: &network, magnitudes: &magnitudes[blob, default: []])
    }
    for (number, sources) in sets.sources.enumerated() {
      let largest = sources.reduce(0) { max($0, magnitudes[$1]?.max() ?? 0) }
      // A smaller range counts as zero: its scale would overflow.
      if largest > 1e-30 { histograms[number] = Histogram(largest: largest) }
    }
    engine = try Engine(network, threads: threads, instructionSet: instructionSet)
    isCounting = true
  }
}

extension Layer {
  /// Whether the layer has weights that can be int8, and they are not yet.
  fileprivate var canBeQuantized: Bool {
    if let convolution {
      return convolution.int8ScaleTerm == 0 && convolution.borderValue.magnitude < 128
        && convolution.weightCount / convolution.outputChannels <= Int8Scales.maximumProducts
    }
    return innerProduct.map {
      $0.int8ScaleTerm == 0 && $0.inputCount <= Int8Scales.maximumProducts
    } ?? false
  }
}

/// Why a network cannot be quantised.
public enum QuantizationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No layer can be int8.
  case noLayers(model: String)
  /// Layers are int8 already.
  case alreadyQuantized(model: String, layers: Int)
  /// A blob holds a number that no scale can represent.
  case notFinite(blob: String)
  /// A blob has another number of channels than in an earlier run.
  case channels(blob: String, found: Int, expected: Int)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .noLayers(let model):
      "\(model): found no convolution or inner product in floating point, expected some"
    case .alreadyQuantized(let model, let layers):
      "\(model): found int8 in \(layers) \(layers == 1 ? "layer" : "layers"), so there is nothing to do; expected a "
        + "model in floating point"
    case .notFinite(let blob):
      "found NaN or infinity in the blob \(blob), expected finite numbers"
    case .channels(let blob, let found, let expected):
      "found \(found) channels of the blob \(blob), expected \(expected) as in earlier runs"
    }
  }
}

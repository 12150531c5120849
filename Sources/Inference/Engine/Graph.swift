// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
@_spi(Tool) import YOLOFaceNCNN

/// What the passes rewrite: the layers of a network, with what has been fused into them.
struct Graph {
  /// Ordered so that every node comes after those it reads from.
  var nodes: [Node]
  /// The channels of each blob that has a form for blocks, see `LayerForm`.
  private let channels: [String: Int]
  /// Blobs that the caller provides. A picture or a blob of few channels is not read from blocks,
  /// which fusion requires.
  let inputs: Set<String>
  /// Blobs that the network itself has in int8.
  let int8Blobs: Set<String>
  /// Those of them that kernels write and read.
  var int8BlobsInKernels: Set<String>
  /// Blobs that are held in int8, see `holdingBytes`.
  var heldBytes: [String: HeldBytes] = [:]
  /// Blobs that the caller asks for; passes leave them in place.
  var wanted: Set<String>
  /// Second names of blobs, and the blob that each stands for.
  var aliases: [String: String] = [:]
  /// The curves that plans share.
  let curves: ByteCurves

  /// One operation between blobs.
  struct Node {
    /// One of the layers that the node comes from, as the network has it.
    let layer: Layer
    /// What the engine may compute in place of the layer.
    let lowering: Lowering
    /// Whether the shapes around it suit the kernels, see `LayerForm.suitsKernels`.
    let suitsKernels: Bool
    var inputs: [String]
    var outputs: [String]
    /// The layer's weights as fp32, as the network has them.
    let weights: [[Float]]
    /// The layer's convolution, as the passes have rewritten it; nil for other kinds.
    var convolution: WeightedConvolution?
    var prelude = Prelude.none
    /// For each output of a convolution, the number of output channels that go there.
    var outputChannels: [Int] = []
    /// The names of the layers that the node computes, in the order of the network.
    var layers: [String]

    /// The blobs that the node reads.
    var reads: [String] {
      if case .upsampled(let blob, _) = prelude { inputs + [blob] } else { inputs }
    }
  }

  /// A convolution, mostly of the input, in the same step before a node's own.
  enum Prelude {
    case none
    case depthwise(WeightedConvolution)
    /// One of 1 × 1.
    case pointwise(WeightedConvolution)
    /// A 1 × 1 convolution of a blob of half the width and height, as part of the node's sums; each
    /// of its pixels stands for 2 × 2.
    case upsampled(String, WeightedConvolution)
  }

  /// The nodes that the wanted blobs depend on, from the form of each layer of the schedule, and the
  /// weights and the lowering of each layer of the network.
  init(
    _ network: Network, _ schedule: Schedule, forms: [LayerForm], weights: [[[Float]]],
    lowerings: [Lowering], int8Blobs: Set<String> = [], wanted: [String],
    curves: ByteCurves = ByteCurves()
  ) {
    self.curves = curves
    self.int8Blobs = int8Blobs
    int8BlobsInKernels = int8Blobs
    self.wanted = Set(wanted)
    inputs = Set(network.inputs)
    var channels: [String: Int] = [:]
    nodes = zip(schedule.layers, forms).map { index, form in
      let layer = network.layers[index]
      for (name, count) in zip(layer.outputs, form.channels) { channels[name] = count }
      var node = Node(
        layer: layer, lowering: lowerings[index], suitsKernels: form.suitsKernels,
        inputs: layer.inputs,
        outputs: layer.outputs, weights: weights[index], layers: [layer.name])
      if let convolution = node.lowering.convolution {
        node.convolution = WeightedConvolution(convolution, of: layer, weights[index])
        node.outputChannels = [convolution.outputChannels]
      }
      return node
    }
    self.channels = channels
  }

  /// How often each blob is read, by nodes or by the caller.
  var readCounts: [String: Int] {
    var counts: [String: Int] = [:]
    for name in wanted { counts[name, default: 0] += 1 }
    for name in nodes.flatMap({ $0.reads }) { counts[name, default: 0] += 1 }
    return counts
  }

  /// Whether the kernels for fp32 can run a node's convolution.
  func runsInKernels(_ node: Node) -> Bool {
    guard case .convolution = node.lowering, node.convolution?.quantization == nil,
      let convolution = node.convolution?.operation, isBlockable(node.inputs[0]), node.suitsKernels
    else { return false }
    return convolution.hasZeroBorder && convolution.outputChannels <= Self.maximumChannels
  }

  /// Whether the kernels can run a node's convolution of two axes.
  func runsAlongRows(_ node: Node) -> Bool {
    guard case .rowConvolution(let convolution) = node.lowering else { return false }
    return node.suitsKernels && convolution.hasZeroBorder
      && max(convolution.inputChannels, convolution.outputChannels) <= Self.maximumChannels
  }

  /// Whether the kernels can run a node's deconvolution as convolutions.
  func runsInPhases(_ node: Node) -> Bool {
    guard case .deconvolution = node.lowering, node.suitsKernels else { return false }
    return isBlockable(node.inputs[0]) && isBlockable(node.outputs[0])
  }

  /// Whether a blob can be held in blocks.
  func isBlockable(_ name: String) -> Bool {
    channels[name] != nil && (!int8Blobs.contains(name) || int8BlobsInKernels.contains(name))
  }

  /// The channels of a blob that can be held in blocks; 0 for others.
  func channels(of name: String) -> Int { channels[name] ?? 0 }

  /// The most channels of a blob in blocks; more would make their list too long.
  static let maximumChannels = 1 << 14

  /// The blob that a name stands for.
  func resolved(_ name: String) -> String { aliases[name] ?? name }
}

/// What the passes need to know of the shapes around a layer. All sizes of a picture, but for very small ones,
/// have the same forms: what the passes make of a network serves them all.
struct LayerForm: Equatable {
  /// The channels of each output; nil for those that cannot be held in blocks.
  var channels: [Int?]
  /// Whether a convolution's windows read beyond the border on the left, a deconvolution's pixels are
  /// convolutions, none of a pooling's windows lies in the border, and Interp repeats each pixel twice in both
  /// directions; true for other layers.
  var suitsKernels: Bool

  init(_ layer: Layer, _ lowering: Lowering, shapes: [String: [Int]]) {
    channels = layer.outputs.map { name in
      shapes[name].flatMap { $0.count == 3 && $0[0] <= Graph.maximumChannels ? $0[0] : nil }
    }
    suitsKernels = true
    guard let input = layer.inputs.first.flatMap({ shapes[$0] }) else { return }
    if case .rowConvolution(let convolution) = lowering, input.count == 2 {
      suitsKernels = convolution.readsBeyondLeftBorder([input[0], 1, input[1]])
    }
    guard input.count == 3 else { return }
    switch lowering {
    case .convolution(let convolution): suitsKernels = convolution.readsBeyondLeftBorder(input)
    case .deconvolution(let deconvolution):
      let output = shapes[layer.outputs[0]]
      suitsKernels = output.flatMap { deconvolution.phases(of: input, output: $0) } != nil
    case .pooling(let pooling):
      suitsKernels = WindowGeometry(pooling, over: input)?.allReachInput ?? false
    case .resize(let interp):
      suitsKernels = interp.doublesPixels(from: input, to: shapes[layer.outputs[0]] ?? [])
    default: break
    }
  }
}

/// A convolution with its weights, biases and activation, which passes change together.
struct WeightedConvolution: Equatable {
  /// The name of the layer, or of the first of several.
  let layer: String
  var operation: Convolution
  /// Output channels × input channels of a group × kernel rows × kernel columns.
  var weights: [Float]
  /// One for each output channel, or none.
  var biases: [Float]
  var activation: VectorActivation
  /// A factor applied to weights and biases when they are packed.
  var scale: Float = 1
  /// How many of the layer's groups it computes; the weights between them are 0.
  var joinedGroups = 1
  /// The scales of a convolution in int8, whose weights are integers.
  var quantization: Int8Scales?
  /// In int8, the sums of each output channel's weights.
  var weightSums: [WeightSums] = []

  struct WeightSums: Equatable {
    var total = 0
    /// The sum of their magnitudes.
    var magnitude = 0
  }

  init(_ operation: Convolution, of layer: Layer, _ weights: [[Float]]) {
    self.layer = layer.name
    self.operation = operation
    self.weights = weights.first ?? []
    biases = operation.hasBias && weights.count > 1 ? weights[1] : []
    activation = VectorActivation(operation.activation)
    quantization = Int8Scales(of: layer.operation.traits.int8, in: weights)
    guard quantization != nil else { return }
    let count = operation.weightCount / operation.outputChannels
    weightSums = (0..<operation.outputChannels).map { channel in
      self.weights[channel * count..<(channel + 1) * count].reduce(into: WeightSums()) {
        $0.total += Int($1)
        $0.magnitude += Int(abs($1))
      }
    }
  }
}

extension Lowering {
  /// A convolution of two or three axes, or the one whose pixels a deconvolution spreads; nil for others.
  fileprivate var convolution: Convolution? {
    switch self {
    case .convolution(let convolution), .rowConvolution(let convolution): convolution
    case .deconvolution(let deconvolution): deconvolution.convolution
    default: nil
    }
  }
}

extension VectorActivation {
  init(_ activation: Activation) {
    self =
      switch activation {
      case .none: .none
      case .relu: .relu
      case .leakyReLU(let slope): .leakyReLU(slope: slope)
      case .clip(let minimum, let maximum): .clip(minimum: minimum, maximum: maximum)
      case .sigmoid: .sigmoid
      case .swish: .swish
      case .hardSigmoid(let alpha, let beta): .hardSigmoid(alpha: alpha, beta: beta)
      case .hardSwish(let alpha, let beta): .hardSwish(alpha: alpha, beta: beta)
      case .mish: .mish
      }
  }

  init(_ function: Lowering.Function) {
    switch function {
    case .activation(let activation): self.init(activation)
    case .exponential: self = .exponential
    case .tanh: self = .tanh
    case .gelu(let isFast): self = isFast ? .fastGELU : .gelu
    }
  }
}

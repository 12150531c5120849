// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// A network as a `.param` and a `.bin` file describe it: layers, the blobs between them, weights.
///
/// Every blob has exactly one producer, every blob that is read exists, and there are no cycles.
public struct Network: Hashable, Sendable {
  /// The layers, in the order of the file.
  public internal(set) var layers: [Layer]
  /// The layers' indices in execution order: every layer comes after those it reads from. Otherwise
  /// the file's order is kept.
  public internal(set) var executionOrder: [Int]
  /// The `.param` file's name, for messages.
  public let source: String
  /// What is odd about the files but does not keep the network from being run, a sentence each.
  public internal(set) var warnings: [String] = []
  /// The bytes of the `.bin` file that no layer has taken.
  var unreadWeights: [UInt8] = []

  /// Reads the structure of a network from the bytes of a `.param` file; `source` is its name in messages.
  public init(param bytes: [UInt8], source: String, limits: Limits = Limits()) throws(ModelError) {
    guard bytes.count <= limits.parameterFileBytes else {
      throw ModelError(
        file: source, position: .file, reason: .limit, found: "\(bytes.count) bytes",
        expected: "at most \(limits.parameterFileBytes)")
    }
    self.source = source
    (layers, warnings) = try readLayers(bytes, file: source)
    executionOrder = try sortedTopologically(layers, file: source)
  }

  /// The names of the blobs that the caller provides.
  public var inputs: [String] { layers.filter { $0.isInput }.flatMap { $0.outputs } }

  /// The names of the blobs that no layer reads, in the order of the file.
  public var outputs: [String] {
    let read = Set(layers.lazy.flatMap { $0.inputs }.map { UntrustedText($0) })
    return layers.flatMap { $0.outputs }.filter { !read.contains(UntrustedText($0)) }
  }

  /// The indices of the layers that blobs depend on, in execution order.
  public func layers(leadingTo blobs: [String]) -> [Int] {
    var needed = Set(blobs.map { UntrustedText($0) })
    var found: [Int] = []
    for index in executionOrder.reversed()
    where layers[index].outputs.contains(where: { needed.contains(UntrustedText($0)) }) {
      needed.formUnion(layers[index].inputs.map { UntrustedText($0) })
      found.append(index)
    }
    return found.reversed()
  }

  /// The network with only the layers that blobs depend on.
  public func cut(to blobs: [String]) -> Network {
    let order = layers(leadingTo: blobs)
    let kept = order.sorted()
    var result = self
    result.layers = kept.map { layers[$0] }
    let positions = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    result.executionOrder = order.compactMap { positions[$0] }
    return result
  }

  /// Where a layer joins several blobs: the last one before it that resizes rows and columns by 1, as one does whose
  /// scale was lost in a conversion.
  @_spi(Tool) public func idleResize(before layer: Layer) -> Layer? {
    guard layer.inputs.count > 1 else { return nil }
    return self.layers(leadingTo: layer.inputs).last { layers[$0].isIdleResize }.map { layers[$0] }
  }

  /// The layers of a kind that this reader does not know, or with parameters that their kind does not allow.
  public var unknownLayers: [Layer] { layers.filter { !$0.operation.isKnown } }

  /// Refuses a network with layers of unknown kinds, all of them in one error, or with parameters that a kind
  /// does not allow, the first of them.
  ///
  /// - Throws: `ModelError`, of unknown kinds with the reason `unsupported`.
  public func requireKnownLayers() throws(ModelError) {
    let unknown = unknownLayers.filter { $0.operation.refusal == nil }
    if unknown.isEmpty, let refusal = layers.lazy.compactMap({ $0.operation.refusal }).first {
      throw refusal
    }
    guard let first = unknown.first else { return }
    let lines = Dictionary(grouping: unknown, by: { UntrustedText($0.kind) }).mapValues {
      $0.map({ $0.line })
    }
    let list = lines.sorted { $0.value[0] < $1.value[0] }.map { kind, lines in
      "\(kind) (line\(lines.count == 1 ? "" : "s") \(lines.map(String.init).joined(separator: ", ")))"
    }.joined(separator: ", ")
    throw ModelError(
      file: source, position: .line(first.line), reason: .unsupported,
      found: (unknown.count == 1
        ? "a layer of unknown kind: " : "\(unknown.count) layers of unknown kinds: ")
        + list, expected: first.operation.unknownKind?.expected ?? "known kinds")
  }
}

/// One line of a `.param` file: a layer between blobs.
public struct Layer: Hashable, Sendable {
  /// ncnn's name for the kind of layer, such as `Convolution`.
  public let kind: String
  /// The layer's own name, unique in a network: a second layer of the name `a` in the file is `a#2`.
  public internal(set) var name: String
  /// The name in the file.
  let nameInFile: String
  /// The blobs that the layer reads.
  public let inputs: [String]
  /// The blobs that the layer produces.
  public internal(set) var outputs: [String]
  /// The `key=value` pairs as written in the file.
  public let parameters: Parameters
  /// What the layer computes, with the parameters interpreted.
  public let operation: LayerOperation
  /// The layer's weights, once the `.bin` file is read; in ncnn's order.
  public internal(set) var weights: [WeightArray] = []
  /// The line of the `.param` file, counted from 1.
  public var line: Int

  /// A layer without its weights.
  init(
    kind: String, name: String, inputs: [String], outputs: [String], parameters: Parameters,
    file: String, line: Int
  ) {
    (self.kind, self.name, self.nameInFile) = (kind, name, name)
    (self.inputs, self.outputs, self.parameters, self.line) = (inputs, outputs, parameters, line)
    operation = LayerOperation(
      ParameterReader(parameters: parameters, kind: kind, file: file, line: line))
  }

  /// The arrays of weights that the layer takes from the `.bin` file, in their order.
  var weightRequests: [WeightRequest] { operation.traits.weights }

  /// Whether the caller provides the blobs that the layer produces.
  public var isInput: Bool { input != nil }

  /// The shape that an Input declares; nil for other kinds.
  public var input: DeclaredShape? { operation.as(DeclaredShape.self) }

  /// What a convolution along rows and columns computes; nil for other kinds.
  public var convolution: Convolution? { operation.as(Convolution.self) }

  /// What a fully connected layer computes; nil for other kinds.
  @_spi(Tool) public var innerProduct: InnerProduct? { operation.as(InnerProduct.self) }

  /// Whether the layer makes columns of rows, and rows of columns.
  @_spi(Tool) public var isTranspose: Bool { operation.as(Permute.self)?.order == 1 }

  /// Whether the layer resizes rows and columns, by 1.
  var isIdleResize: Bool { operation.as(Interp.self)?.target == .scaled(height: 1, width: 1) }

  /// Whether the layer only gives its input to several others.
  public var isSplit: Bool { operation.as(Split.self) != nil }

  /// The number of weights that the `.bin` file holds for the layer, whether loaded or not.
  public var parameterCount: Int { weightRequests.reduce(0) { $0 + $1.count } }
}

/// Orders layers so that each comes after those it reads from, otherwise in the file's order.
private func sortedTopologically(_ layers: [Layer], file: String) throws(ModelError) -> [Int] {
  var producers: [UntrustedText: Int] = [:]
  for (index, layer) in layers.enumerated() {
    for blob in layer.outputs { producers[UntrustedText(blob)] = index }
  }
  // Depth first, with an explicit stack: a hostile chain can be longer than the call stack is deep.
  enum Mark { case unseen, open, done }
  var marks = [Mark](repeating: .unseen, count: layers.count)
  var order: [Int] = []
  order.reserveCapacity(layers.count)
  for root in layers.indices where marks[root] == .unseen {
    var stack = [(layer: root, nextInput: 0)]
    marks[root] = .open
    while let (index, nextInput) = stack.last {
      guard nextInput < layers[index].inputs.count else {
        marks[index] = .done
        order.append(index)
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].nextInput += 1
      guard let producer = producers[UntrustedText(layers[index].inputs[nextInput])] else {
        continue
      }
      if marks[producer] == .open {
        throw ModelError(
          file: file, position: .line(layers[index].line), reason: .graph,
          found: "a cycle through layers \(layers[index].name) and \(layers[producer].name)",
          expected: "a graph without cycles")
      }
      if marks[producer] == .unseen {
        marks[producer] = .open
        stack.append((producer, 0))
      }
    }
  }
  return order
}

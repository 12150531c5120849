// SPDX-License-Identifier: Apache-2.0

/// The receptive fields of a network's blobs, found without running it.
///
/// Pixels count from the input's top left corner; with several inputs, in each of them alike. What
/// mirrored or repeated borders show is not counted.
public struct ReceptiveFieldInference: Sendable {
  private var fields: [String: ReceptiveField] = [:]
  private let shapes: [String: [Int]]
  /// The number of windows that may still be made, so that a long file cannot exhaust memory.
  private var room = 1 << 22

  /// Follows the layers from the inputs to the outputs, whose shapes are `ShapeInference`'s: what
  /// depends on a missing one is unknown.
  public init(of network: Network, shapes: [String: [Int]]) {
    self.shapes = shapes
    for index in network.executionOrder {
      let layer = network.layers[index]
      let inputs = layer.inputs.map { self[$0] }
      let inputShapes = layer.inputs.compactMap { shapes[$0] }
      let outputShapes = layer.outputs.compactMap { shapes[$0] }
      let isShaped =
        inputShapes.count == layer.inputs.count && outputShapes.count == layer.outputs.count
      // One reason serves all outputs: a layer may have any number of them, and a long name.
      let unknown =
        inputs.first { if case .unknown = $0 { true } else { false } }
        ?? (isShaped ? nil : .unknown("the shapes of \(layer.title) are not known"))
      if let unknown {
        for output in layer.outputs { fields[output] = unknown }
        continue
      }
      let readings = layer.operation.arithmetic().readings(
        inputs: inputShapes, outputs: outputShapes)
      for (index, output) in layer.outputs.enumerated() {
        fields[output] = field(readings[index], of: outputShapes[index], layer, inputs)
      }
    }
  }

  /// The receptive field of a blob; unknown where the network has no blob of that name.
  public subscript(blob: String) -> ReceptiveField {
    fields[blob] ?? .unknown("there is no blob \(blob)")
  }

  private mutating func field(
    _ reading: CellReading, of shape: [Int], _ layer: Layer, _ inputs: [ReceptiveField]
  ) -> ReceptiveField {
    let first = inputs.first ?? .wholeInput
    switch reading {
    case .pixels: return .windows(rows: .pixels, columns: .pixels, isInPlace: true)
    case .nothing: return .nothing
    case .joined: return joined(inputs, layer, shape)
    case .inSequence: return joinedInSequence(inputs, layer)
    case .sameElement: return first
    case .sameElementAndSecondInput: return inputs[1] == .nothing ? first : .wholeInput
    case .sameCell: return first.isMoved ? .wholeInput : first
    case .wholeInput:
      let seesWindows = inputs.contains { if case .windows = $0 { true } else { false } }
      return seesWindows ? .wholeInput : first
    case .moved:
      guard case .windows(let rows, let columns, _) = first else { return first }
      return .windows(rows: rows, columns: columns, isInPlace: false)
    case .part(let row, let column):
      return first.isMoved
        ? first : windows(first, read: (.shifted(by: row), .shifted(by: column)), by: layer)
    case .windows(let rows, let columns): return windows(first, read: (rows, columns), by: layer)
    case .irregular: return windows(first, read: nil, by: layer)
    }
  }

  /// The field of cells that each read a window of cells; nil readings cannot be followed.
  private mutating func windows(
    _ field: ReceptiveField,
    read readings: (rows: PixelWindows.Reading, columns: PixelWindows.Reading)?, by layer: Layer
  ) -> ReceptiveField {
    guard case .windows(let rows, let columns, let isInPlace) = field else { return field }
    guard isInPlace else {
      return .unknown("\(layer.title) reads elements that were moved out of their rows and columns")
    }
    guard let readings, let newRows = rows.reading(readings.rows),
      let newColumns = columns.reading(readings.columns), takeRoom(newRows, newColumns)
    else { return .unknown("\(layer.title) makes more or larger windows than can be followed") }
    return .windows(rows: newRows, columns: newColumns, isInPlace: true)
  }

  /// The field of blobs joined element by element or along the channels.
  private mutating func joined(
    _ inputs: [ReceptiveField], _ layer: Layer, _ shape: [Int]
  ) -> ReceptiveField {
    let inputs = zip(inputs, layer.inputs).filter { $0.0 != .nothing }
    guard let (first, _) = inputs.first else { return .nothing }
    guard !inputs.contains(where: { $0.0 == .wholeInput }) else { return .wholeInput }
    let isAlike = inputs.allSatisfy { $0.0 == first }
    var result = first
    for (field, blob) in inputs {
      guard case .windows(let rows, let columns, let isInPlace) = result,
        case .windows(let otherRows, let otherColumns, isInPlace) = field, isAlike || isInPlace,
        shapes[blob]?.count == shape.count, shapes[blob]?.suffix(2) == shape.suffix(2),
        let newRows = rows.joined(with: otherRows),
        let newColumns = columns.joined(with: otherColumns), takeRoom(newRows, newColumns)
      else { return .unknown("\(layer.title) joins cells at different places") }
      result = .windows(rows: newRows, columns: newColumns, isInPlace: isInPlace)
    }
    return result
  }

  /// The field of blobs joined along rows or columns.
  private func joinedInSequence(_ inputs: [ReceptiveField], _ layer: Layer) -> ReceptiveField {
    let inputs = inputs.filter { $0 != .nothing }
    guard let first = inputs.first else { return .nothing }
    guard !inputs.contains(.wholeInput) else { return .wholeInput }
    guard inputs.allSatisfy({ $0 == first }), case .windows(let rows, let columns, _) = first else {
      return .unknown("\(layer.title) joins cells of different fields along rows or columns")
    }
    return .windows(rows: rows, columns: columns, isInPlace: false)
  }

  private mutating func takeRoom(_ rows: PixelWindows, _ columns: PixelWindows) -> Bool {
    room -= rows.pattern.count + columns.pattern.count
    return room >= 0
  }
}

extension ReceptiveField {
  /// Whether the elements were moved out of their rows and columns.
  fileprivate var isMoved: Bool {
    if case .windows(_, _, isInPlace: false) = self { true } else { false }
  }
}

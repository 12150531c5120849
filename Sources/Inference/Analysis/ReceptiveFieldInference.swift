import NCNN

/// The receptive fields of a network's blobs, found without running it.
///
/// Pixels count from the input's top left corner; with several inputs, in each of them alike. What
/// mirrored or repeated borders show is not counted.
public struct ReceptiveFields: Sendable {
  private var fields: [String: ReceptiveField] = [:]
  private let shapes: [String: [Int]]
  /// How many windows may still be made: a file of many lines must not fill the memory with them.
  private var room = 1 << 22

  /// Follows the layers from the inputs to the outputs.
  ///
  /// - Parameters:
  ///   - network: of which no weights are needed.
  ///   - shapes: those of its blobs, see `ShapeInference`; where one is missing, what depends on it
  ///     is unknown.
  public init(of network: Network, shapes: [String: [Int]]) {
    self.shapes = shapes
    for index in network.executionOrder {
      let layer = network.layers[index]
      let inputs = layer.inputs.map { self[$0] }
      let isShaped = layer.outputs.allSatisfy { shapes[$0] != nil }
      // One reason for all outputs: a layer may have any number of them, and a long name.
      let unknown =
        inputs.first(where: \.isUnknown)
        ?? (isShaped ? nil : .unknown("the shapes of \(layer.title) are not known"))
      var position = 0
      for output in layer.outputs {
        fields[output] = unknown ?? field(of: output, layer, inputs, slicedAt: position)
        position += sliceSize(of: output, layer) ?? 0
      }
    }
  }

  /// The receptive field of a blob; unknown where the network has none of that name.
  public subscript(blob: String) -> ReceptiveField {
    fields[blob] ?? .unknown("there is no blob \(blob)")
  }

  /// - Parameter position: for a Slice, where along its axis the output begins.
  private mutating func field(
    of output: String, _ layer: Layer, _ inputs: [ReceptiveField], slicedAt position: Int
  ) -> ReceptiveField {
    let shape = shapes[output] ?? []
    switch layer.operation {
    case .input:
      return shape.count > 1
        ? .windows(rows: .pixels, columns: .pixels, isInPlace: true) : .wholeInput
    case .memoryData: return .nothing
    case .concat, .eltwise, .binaryOp: return joined(inputs, layer, shape)
    case .scale where inputs.count == 2:
      return inputs[1] == .nothing ? inputs[0] : .wholeInput
    default: break
    }
    guard case .windows(let rows, let columns, let isInPlace) = inputs[0] else { return inputs[0] }
    switch layer.operation {
    case .split, .shuffleChannel, .batchNorm, .scale, .relu, .prelu, .swish, .sigmoid, .hardSwish,
      .hardSigmoid, .dropout, .clip, .elu, .gelu, .mish, .unaryOp, .bias:
      return inputs[0]
    case .permute(let permute) where permute.order == 0: return inputs[0]
    case .reshape where shapes[layer.inputs[0]] == shape: return inputs[0]
    case .reshape, .permute, .flatten:
      return .windows(rows: rows, columns: columns, isInPlace: false)
    case .softmax(let axis) where isInPlace && isChannelAxis(axis, of: shape): return inputs[0]
    case .softmax, .groupNorm, .innerProduct, .reduction: return .wholeInput
    case .pooling(let pooling) where pooling.windows == .global: return .wholeInput
    default: break
    }
    guard isInPlace else {
      switch layer.operation {
      case .slice, .crop: return inputs[0]
      default:
        return .unknown("\(layer.title) reads elements that have left their rows and columns")
      }
    }
    guard let readings = readings(of: output, layer, slicedAt: position),
      let newRows = rows.reading(readings.rows),
      let newColumns = columns.reading(readings.columns), takeRoom(newRows, newColumns)
    else { return .unknown("\(layer.title) makes more or larger windows than are followed") }
    return .windows(rows: newRows, columns: newColumns, isInPlace: true)
  }

  /// What is seen by blobs that are joined, element by element or channel behind channel.
  private mutating func joined(
    _ inputs: [ReceptiveField], _ layer: Layer, _ shape: [Int]
  ) -> ReceptiveField {
    let inputs = zip(inputs, layer.inputs).filter { $0.0 != .nothing }
    guard let (first, _) = inputs.first else { return .nothing }
    guard !inputs.contains(where: { $0.0 == .wholeInput }) else { return .wholeInput }
    let isAlike = inputs.allSatisfy { $0.0 == first }
    if case .concat(let axis) = layer.operation, !isChannelAxis(axis, of: shape) {
      guard isAlike, case .windows(let rows, let columns, _) = first else {
        return .unknown("\(layer.title) joins unlike cells in a row")
      }
      return .windows(rows: rows, columns: columns, isInPlace: false)
    }
    var result = first
    for (field, blob) in inputs {
      guard case .windows(let rows, let columns, let isInPlace) = result,
        case .windows(let otherRows, let otherColumns, isInPlace) = field,
        isAlike || isInPlace, shapes[blob]?.count == shape.count,
        shapes[blob]?.suffix(2) == shape.suffix(2),
        let newRows = rows.joined(with: otherRows),
        let newColumns = columns.joined(with: otherColumns), takeRoom(newRows, newColumns)
      else { return .unknown("\(layer.title) joins cells that do not lie side by side") }
      result = .windows(rows: newRows, columns: newColumns, isInPlace: isInPlace)
    }
    return result
  }

  private func isChannelAxis(_ axis: Int, of shape: [Int]) -> Bool {
    shape.count == 3 && (axis == 0 || axis == -3)
  }

  private mutating func takeRoom(_ rows: PixelWindows, _ columns: PixelWindows) -> Bool {
    room -= rows.pattern.count + columns.pattern.count
    return room >= 0
  }

  /// The size of a Slice's output along its axis; nil for other layers.
  private func sliceSize(of output: String, _ layer: Layer) -> Int? {
    guard case .slice(let slice) = layer.operation, let shape = shapes[output],
      let axis = try? resolvedAxis(slice.axis, of: shape)
    else { return nil }
    return shape[axis]
  }

  /// How the cells of a layer's output read those of its first input, along both axes.
  private func readings(
    of output: String, _ layer: Layer, slicedAt position: Int
  ) -> Readings? {
    let inputShapes = layer.inputs.map { shapes[$0] ?? [] }
    guard let axes = inputShapes.first?.count, axes > 1 else { return nil }
    let (rows, columns) = (inputShapes[0][axes - 2], inputShapes[0][axes - 1])
    switch layer.operation {
    case .convolution(let convolution):
      return convolution.border.readings(
        rows: rows, columns: columns, window: convolution.window, stride: convolution.stride)
    case .pooling(let pooling): return pooling.readings(rows: rows, columns: columns)
    case .interp(let interp):
      guard let shape = shapes[output] else { return nil }
      return interp.readings(
        from: (rows, columns), to: (shape[shape.count - 2], shape[shape.count - 1]),
        resizesRows: axes == 3)
    case .pixelShuffle(let shuffle):
      return (rows: .enlarged(by: shuffle.factor), columns: .enlarged(by: shuffle.factor))
    case .padding(let padding):
      return (rows: .shifted(by: -padding.top), columns: .shifted(by: -padding.left))
    case .crop(let crop):
      guard let kept = try? crop.kept(inputShapes) else { return nil }
      return (
        rows: .shifted(by: kept[axes - 2].lowerBound),
        columns: .shifted(by: kept[axes - 1].lowerBound)
      )
    case .slice(let slice):
      guard let axis = try? resolvedAxis(slice.axis, of: inputShapes[0]) else { return nil }
      return (
        rows: .shifted(by: axis == axes - 2 ? position : 0),
        columns: .shifted(by: axis == axes - 1 ? position : 0)
      )
    default: return nil
    }
  }
}

private typealias Readings = (rows: PixelWindows.Reading, columns: PixelWindows.Reading)

extension ReceptiveField {
  fileprivate var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }
}

extension Border {
  fileprivate func readings(
    rows: Int, columns: Int, window: Extent, stride: Extent
  ) -> Readings {
    let sides = sides(rows: rows, columns: columns, window: window, stride: stride)
    return (
      rows: .window(of: window.height, stride: stride.height, borderBefore: sides.top),
      columns: .window(of: window.width, stride: stride.width, borderBefore: sides.left)
    )
  }
}

extension Pooling {
  fileprivate func readings(rows: Int, columns: Int) -> Readings? {
    switch windows {
    case .global: nil
    case .adaptive(let newColumns, let newRows):
      (
        rows: .even(newRows ?? rows, of: rows), columns: .even(newColumns ?? columns, of: columns)
      )
    case .sliding(let kernel, let stride, let border, _):
      border.readings(rows: rows, columns: columns, window: kernel, stride: stride)
    }
  }
}

extension Interp {
  fileprivate func readings(
    from old: (rows: Int, columns: Int), to new: (rows: Int, columns: Int), resizesRows: Bool
  ) -> Readings? {
    guard let columns = reading(vertically: false, from: old.columns, to: new.columns),
      let rows = resizesRows
        ? reading(vertically: true, from: old.rows, to: new.rows) : .shifted(by: 0)
    else { return nil }
    return (rows: rows, columns: columns)
  }

  private func reading(
    vertically: Bool, from old: Int, to new: Int
  ) -> PixelWindows.Reading? {
    if old == new && method != .bicubic { return .shifted(by: 0) }
    let margin = method == .bicubic ? 1 : 0
    if method != .nearest && alignsCorners {
      return .between(
        cells: max(1, new - 1), step: new == 1 ? 1 : old - 1, offset: 0, margin: margin)
    }
    guard let (cells, step) = ratio(vertically: vertically, from: old, to: new) else { return nil }
    return switch method {
    case .nearest:
      PixelWindows.Reading(cells: cells, step: step) { $0 * step / cells...$0 * step / cells }
    // The centre of cell i lies at (i + 1/2) · step / cells − 1/2.
    case .bilinear, .bicubic:
      .between(cells: 2 * cells, step: 2 * step, offset: step - cells, margin: margin)
    }
  }

  /// How many new pixels so many old ones become, in small numbers; nil where there are none.
  private func ratio(
    vertically: Bool, from old: Int, to new: Int
  ) -> (cells: Int, step: Int)? {
    switch target {
    case .size:
      let divisor = greatestCommonDivisor(old, new)
      return (new / divisor, old / divisor)
    case .scaled(let height, let width):
      for step in 1...64 {
        let cells = Int(exactly: Float(step) * (vertically ? height : width))
        if let cells, cells > 0 { return (cells, step) }
      }
      return nil
    }
  }
}

extension PixelWindows.Reading {
  /// Windows as even as so many can be over a number of cells, as adaptive pooling has them.
  fileprivate static func even(_ count: Int, of size: Int) -> Self {
    let divisor = greatestCommonDivisor(count, size)
    let (cells, step) = (count / divisor, size / divisor)
    return Self(cells: cells, step: step) {
      $0 * step / cells...(($0 + 1) * step + cells - 1) / cells - 1
    }
  }

  /// So many cells read the same one.
  fileprivate static func enlarged(by factor: Int) -> Self {
    Self(cells: factor) { $0 / factor...$0 / factor }
  }

  /// Cell i reads what lies on both sides of (i · step + offset) / cells, or at it; with a margin so
  /// many more.
  fileprivate static func between(cells: Int, step: Int, offset: Int, margin: Int) -> Self {
    let divisor = greatestCommonDivisor(cells, step)
    return Self(cells: cells / divisor, step: step / divisor) {
      let position = $0 * step + offset
      return floorQuotient(position, cells) - margin...margin - floorQuotient(-position, cells)
    }
  }
}

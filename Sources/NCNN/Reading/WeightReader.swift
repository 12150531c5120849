// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

extension Network {
  /// Reads the weights of all layers from the bytes of a `.bin` file; `source` is its name in messages.
  ///
  /// How many weights a layer has that is not known, or whose parameters its kind does not allow, cannot be told.
  /// Where there is one, the layers behind it have their weights only if it and those like it have none.
  ///
  /// - Throws: `ModelError` where bytes are missing, where more than half of them are not read, and where weights are
  ///   not finite or beyond a million: the bytes are then those of another network, or encrypted.
  public mutating func loadWeights(_ bytes: [UInt8], source: String) throws(ModelError) {
    var reader = WeightReader(bytes: bytes, file: source)
    if bytes.starts(with: Array(ParamFormat.magic.utf8)) {
      throw reader.failure(
        .wrongFile, found: "the text of a .param file", expected: "the weights of a .bin file")
    }
    var layers = layers
    let unknown = layers.firstIndex { !$0.operation.isKnown }
    try reader.read(&layers[..<(unknown ?? layers.endIndex)])
    if let unknown {
      var (rest, restReader) = (layers, reader)
      if (try? restReader.read(&rest[unknown...])) != nil, restReader.position == bytes.count {
        (layers, reader) = (rest, restReader)
      } else {
        warnings.append(
          "\(self.source):\(layers[unknown].line): \(layers[unknown].unknownPart): the weights of the layers"
            + " behind it are not read")
      }
    } else if bytes.count - reader.position > reader.position {
      throw reader.failure(
        found: "\(bytes.count - reader.position) of \(bytes.count) bytes after the last weights",
        expected: "the .bin file of \(self.source), whose weights take \(reader.position) bytes")
    } else if reader.position < bytes.count {
      warnings.append(
        "\(source), byte \(reader.position): \(bytes.count - reader.position) bytes after the last weights"
          + " are not read")
    }
    unreadWeights = Array(bytes[reader.position...])
    self.layers = layers
  }
}

extension Layer {
  /// What keeps a layer from being known.
  fileprivate var unknownPart: String {
    operation.refusal.map { "found \($0.found), expected \($0.expected)" }
      ?? "the kind \(kind) is unknown"
  }
}

/// One array of weights that a layer takes from the `.bin` file.
struct WeightRequest {
  /// The array's name in messages.
  var name: String
  /// The sizes from the outermost axis in.
  var shape: [Int]
  /// Whether a four-byte storage tag precedes it; without one it is raw fp32.
  var isTagged = false
  /// Whether the elements are scales of int8 numbers, and so cannot be arbitrary.
  var areScales = false
  /// Whether the elements may be of any size, as those of a mask and the variances of what a layer read.
  var areConstants = false

  /// The number of elements.
  var count: Int { shape.reduce(1, *) }
}

/// Reads consecutive arrays of weights.
private struct WeightReader {
  let bytes: [UInt8]
  let file: String
  private(set) var position = 0

  func failure(
    _ reason: ModelError.Reason = .weights, found: String, expected: String
  ) -> ModelError {
    ModelError(
      file: file, position: .byte(position), reason: reason, found: found, expected: expected)
  }

  mutating func read(_ layers: inout ArraySlice<Layer>) throws(ModelError) {
    for index in layers.indices {
      let layer = layers[index]
      var weights: [WeightArray] = []
      for request in layer.weightRequests {
        let start = position
        let array = try read(request, layer: layer)
        if !request.areScales, !request.areConstants, let number = array.implausible {
          position = start
          throw failure(
            found: "\(number) among the \(request.name) of \(layer.kind) \(layer.name)",
            expected:
              "numbers up to \(Int(WeightArray.largestPlausible)): the .bin file of this .param file, "
              + "not encrypted")
        }
        weights.append(array)
      }
      layers[index].weights = weights
    }
  }

  private mutating func read(
    _ request: WeightRequest, layer: Layer
  ) throws(ModelError) -> WeightArray {
    let name = "\(request.name) of \(layer.kind) \(layer.name)"
    let count = request.count
    guard request.isTagged else {
      let values = try floats(count, name)
      if request.areScales { try requireScales(values, name) }
      return WeightArray(.untagged(values))
    }
    let start = try take(1, of: 4, "storage tag of the \(name)")
    let tag = bytes.word(at: start)
    switch tag {
    case WeightArray.Tag.float32: return WeightArray(.float32(try floats(count, name)))
    case WeightArray.Tag.keptFloat32: return WeightArray(.keptFloat32(try floats(count, name)))
    case WeightArray.Tag.float16:
      let start = try take(count, of: 2, name)
      let bits = (0..<count).map { index in
        UInt16(bytes[start + 2 * index]) | UInt16(bytes[start + 2 * index + 1]) << 8
      }
      return WeightArray(.float16(bits))
    case WeightArray.Tag.int8:
      let start = try take(count, of: 1, name)
      return WeightArray(.int8(bytes[start..<start + count].map(Int8.init(bitPattern:))))
    case WeightArray.Tag.bfloat16:
      position -= 4
      throw failure(
        .unsupported, found: "bfloat16 storage of the \(name)",
        expected: "fp32, fp16, int8 or a table of 256 values")
    default:
      let values = try floats(256, "table of the \(name)")
      let start = try take(count, of: 1, name)
      return WeightArray(
        .table(tag: tag, values: values, indices: Array(bytes[start..<start + count])))
    }
  }

  /// Refuses scales, which have just been read, whose quotients could overflow.
  private func requireScales(_ values: [Float], _ name: String) throws(ModelError) {
    for (index, value) in values.enumerated()
    where !Int8Scales.isReadable(value) {
      throw ModelError(
        file: file, position: .byte(position - 4 * (values.count - index)), reason: .weights,
        found: "\(value) among the \(name)", expected: "0, or numbers from 2⁻⁶⁰ to infinity")
    }
  }

  /// Skips elements, padded to whole words, and returns the offset of the first.
  private mutating func take(_ count: Int, of size: Int, _ name: String) throws(ModelError) -> Int {
    let left = bytes.count - position
    guard let length = checkedProduct(count, size), length <= left, (length + 3) & ~3 <= left else {
      throw failure(
        found: "\(left) bytes left", expected: "\(count) × \(size) bytes for the \(name)")
    }
    defer { position += (length + 3) & ~3 }
    return position
  }

  private mutating func floats(_ count: Int, _ name: String) throws(ModelError) -> [Float] {
    let start = try take(count, of: 4, name)
    return bytes.floats(at: start, count: count)
  }
}

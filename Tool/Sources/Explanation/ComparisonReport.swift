// SPDX-License-Identifier: Apache-2.0
import YOLOFace
@_spi(Tool) import YOLOFaceInference
import YOLOFaceNCNN

/// How a network's results differ on the same picture from another's, such as the one that it was quantised from.
struct ComparisonReport: Encodable, Sendable {
  /// A blob that both networks have, in the same shape.
  struct Blob: Encodable, Sendable {
    var name: String
    /// The kind of the layer that makes it.
    var kind: String
    var shape: [Int]
    /// From the smallest to the largest number in the other network.
    var range: Double
    /// The largest and the mean absolute difference of an element.
    var largest, mean: Double
    /// What an int8 number counts, where the blob is int8 or is read as int8.
    var step: Double?
  }

  /// A face that at least one of the networks finds.
  struct Finding: Encodable, Sendable {
    /// Left, top, width and height in the picture's pixels.
    var box: [Double]
    /// In this network and in the other; nil where it does not find the face.
    var score, otherScore: Double?
    /// The IoU of the networks' boxes.
    var overlap: Double?
  }

  /// The other network.
  var model: String
  var precision, otherPrecision: FaceDetector.Precision
  /// In the order of the layers, without those that a Split only repeats.
  var blobs: [Blob]
  /// Faces of this network first, then those that only the other finds.
  var faces: [Finding]

  /// Compares what both make of the upright picture and of the letterboxed one.
  init(
    of image: RGBImage, input: RGBImage, by detector: FaceDetector, and other: FaceDetector,
    options: DetectionOptions
  ) throws {
    model = other.engine.network.fileName
    precision = detector.precision
    otherPrecision = other.precision
    let network = detector.engine.network
    let kinds = Dictionary(
      uniqueKeysWithValues: network.layers.filter { !$0.isSplit }
        .flatMap { layer in layer.outputs.map { ($0, layer.kind) } })
    var expected: [String: (shape: [Int], values: [Float])] = [:]
    try other.forEachBlob(of: input) { name, shape, values in
      if kinds[name] != nil { expected[name] = (shape, values) }
    }
    let scales = network.readScales()
    var blobs: [Blob] = []
    try detector.forEachBlob(of: input) { name, shape, values in
      guard let kind = kinds[name], let its = expected.removeValue(forKey: name),
        its.shape == shape
      else { return }
      blobs.append(
        Blob(name: name, kind: kind, shape: shape, values, its.values, scale: scales[name]))
    }
    self.blobs = blobs
    var options = options
    options.orientation = .up
    faces = Self.findings(
      try detector.detect(in: image, options: options),
      try other.detect(in: image, options: options))
  }

  /// Pairs each face, the best first, with the face of the other network that overlaps it most, by half or more.
  static func findings(_ faces: [Face], _ others: [Face]) -> [Finding] {
    var rest = others
    let found = faces.map { face in
      let overlaps = rest.map { face.box.intersectionOverUnion(with: $0.box) }
      guard let overlap = overlaps.max(), overlap >= 0.5,
        let index = overlaps.firstIndex(of: overlap)
      else { return Finding(face, score: face.score) }
      let other = rest.remove(at: index)
      return Finding(face, score: face.score, otherScore: other.score, overlap: overlap)
    }
    return found + rest.map { Finding($0, otherScore: $0.score) }
  }
}

extension ComparisonReport.Finding {
  fileprivate init(
    _ face: Face, score: Float? = nil, otherScore: Float? = nil, overlap: Double? = nil
  ) {
    box = [face.box.x, face.box.y, face.box.width, face.box.height]
    self.score = score.map(Double.init)
    self.otherScore = otherScore.map(Double.init)
    self.overlap = overlap
  }
}

extension ComparisonReport.Blob {
  /// Elements that are not finite in both networks do not count.
  fileprivate init(
    name: String, kind: String, shape: [Int], _ values: [Float], _ expected: [Float],
    scale: Float?
  ) {
    self.name = name
    self.kind = kind
    self.shape = shape
    var (low, high) = (Double.infinity, -Double.infinity)
    var (largest, sum, count) = (0.0, 0.0, 0)
    for (value, number) in zip(values, expected) where value.isFinite && number.isFinite {
      low = min(low, Double(number))
      high = max(high, Double(number))
      let difference = abs(Double(value) - Double(number))
      largest = max(largest, difference)
      sum += difference
      count += 1
    }
    range = count > 0 ? high - low : 0
    self.largest = largest
    mean = count > 0 ? sum / Double(count) : 0
    step = scale.flatMap { $0 > 0 ? 1 / Double($0) : nil }
  }
}

extension FaceDetector {
  /// Passes each blob of a run layer by layer to a function: its name, its shape and its elements,
  /// of int8 blobs the numbers that they stand for.
  fileprivate func forEachBlob(
    of input: RGBImage, _ body: (String, [Int], [Float]) throws -> Void
  ) throws {
    let scales = engine.network.heldScales()
    _ = try engine.runLayers([recipe.input: try recipe.tensor(input)], repetitions: 1) {
      name, tensor in
      let values = scales[name].map { scale in tensor.values.map { $0 / scale } }
      try body(name, tensor.shape, values ?? tensor.values)
    }
  }
}

extension Network {
  fileprivate func heldScales() -> [String: Float] {
    var scales: [String: Float] = [:]
    for layer in executionOrder.map({ layers[$0] }) {
      let read = layer.inputs.first.flatMap { scales[$0] }
      let scale = layer.computesInInt8 ? layer.quantization?.outputScale : read
      for output in layer.outputs { scales[output] = scale }
    }
    return scales
  }

  /// The scale of each blob that is int8 or is read as int8, also behind a Split; of several readers', the largest.
  fileprivate func readScales() -> [String: Float] {
    var scales: [String: Float] = [:]
    for layer in executionOrder.reversed().map({ layers[$0] }) {
      guard let input = layer.inputs.first else { continue }
      var scale = layer.quantization?.inputScale
      if layer.isSplit { scale = layer.outputs.compactMap { scales[$0] }.max() }
      if let scale { scales[input] = max(scale, scales[input] ?? 0) }
    }
    return scales.merging(heldScales()) { $1 }
  }
}

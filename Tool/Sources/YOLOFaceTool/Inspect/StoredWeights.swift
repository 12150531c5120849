import NCNN

/// How the `.bin` file stores an array of weights.
struct StoredWeights: Encodable {
  var storage: String
  var count: Int
  /// In the file, with the tag.
  var bytes: Int

  init(_ array: WeightArray) {
    storage =
      switch array.storage {
      case .untagged, .float32, .keptFloat32: "fp32"
      case .float16: "fp16"
      case .int8: "int8"
      case .table: "table"
      }
    (count, bytes) = (array.count, array.byteCount)
  }
}

extension [StoredWeights] {
  var text: String {
    let forms = Dictionary(grouping: self, by: \.storage).map { storage, arrays in
      (storage, arrays.reduce(0) { $0 + $1.count }, arrays.reduce(0) { $0 + $1.bytes })
    }
    let list = forms.sorted { ($1.2, $0.0) < ($0.2, $1.0) }.map { storage, count, bytes in
      "\(count) as \(storage) in \(bytes) bytes"
    }
    return list.joined(separator: ", ") + "; \(reduce(0) { $0 + $1.bytes }) bytes in all"
  }
}

struct ScaleSummary: Encodable {
  struct Range: Encodable {
    var smallest, largest: Float
  }

  var weightScales: Range
  var inputScale: Float
  /// Absent if the layer's output is in floats.
  var outputScale: Float?

  init(_ scales: Int8Scales) {
    let weights = scales.weightScales
    weightScales = Range(smallest: weights.min() ?? 0, largest: weights.max() ?? 0)
    inputScale = scales.inputScale
    outputScale = scales.outputScale
  }

  static let titles = ["weight scales", "input scale", "output scale"]

  var columns: [String] {
    let (smallest, largest) = (weightScales.smallest, weightScales.largest)
    return [
      smallest == largest ? "\(smallest)" : "\(smallest) ... \(largest)", "\(inputScale)",
      outputScale.map { "\($0)" } ?? "",
    ]
  }
}

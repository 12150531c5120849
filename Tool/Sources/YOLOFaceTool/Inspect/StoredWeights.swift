// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

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

  /// Of the channels that are not dead; absent if all are.
  var weightScales: Range?
  /// The channels that are nothing but their biases, since their scale is 0 or infinite; absent if none are.
  var deadChannels: Int?
  /// Absent if it is infinite, as for an input that is always zero.
  var inputScale: Float?
  /// Absent if the layer's output is in floats, or the scale is infinite.
  var outputScale: Float?

  init(_ scales: Int8Scales) {
    let live = scales.weightScales.filter { $0 > 0 && $0.isFinite }
    if let smallest = live.min(), let largest = live.max() {
      weightScales = Range(smallest: smallest, largest: largest)
    }
    let dead = scales.weightScales.count - live.count
    deadChannels = dead > 0 ? dead : nil
    inputScale = scales.inputScale.isFinite ? scales.inputScale : nil
    outputScale = scales.outputScale.flatMap { $0.isFinite ? $0 : nil }
  }

  static let titles = ["weight scales", "input scale", "output scale"]

  var columns: [String] {
    let range = weightScales.map { scales in
      let (smallest, largest) = (scales.smallest, scales.largest)
      return smallest == largest ? "\(smallest)" : "\(smallest) ... \(largest)"
    }
    let weights = [range, deadChannels.map { "\($0) dead" }].compactMap { $0 }
    return [
      weights.joined(separator: ", "), inputScale.map { "\($0)" } ?? "inf",
      outputScale.map { "\($0)" } ?? "",
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceEvaluation
import YOLOFaceFormatting
import YOLOFaceNCNN
import YOLOFaceQuantization

struct QuantizationReport: Encodable {
  struct Layer: Encodable {
    var name, kind: String
    /// "int8" or "float".
    var precision: String
    /// The error if this layer alone is int8.
    var error: Double
    /// The magnitude of the input that becomes 127.
    var threshold: Double
    var inputScale: Double
    /// Absent if the result is in floating point.
    var outputScale: Double?
    var weightScales: Int
    /// How many of them are lower than the largest weight alone would allow.
    var loweredScales: Int
  }

  struct Errors: Encodable {
    /// With all layers in int8.
    var first: Double
    var whole, score, box, landmarks: Double
  }

  var files: [String]
  var bytes, originalBytes: Int
  var pictures: Int
  var leftOut: Int
  var trials: Int
  var tolerance: Double
  var errors: Errors
  var layers: [Layer]

  var text: String {
    var rows = [["layer", "as", "error alone", "clipped at", "lowered"]]
    rows += layers.sorted { $0.error > $1.error }.map { layer in
      [
        printable("\(layer.kind) \(layer.name)"), layer.precision, fixed(layer.error, decimals: 4),
        fixed(layer.threshold, decimals: 3), "\(layer.loweredScales)",
      ]
    }
    let share = 100 * Double(bytes) / Double(originalBytes)
    let int8 = layers.count { $0.precision == "int8" }
    return """
      \(table(rows))
      \(int8) of \(counted(layers.count, "layer")) in int8, by \(counted(pictures, "picture"))\
      \(leftOut > 0 ? ", \(leftOut) more left out" : ""), \(counted(trials, "trial")), \
      tolerance \(tolerance)
      error \(fixed(errors.whole, decimals: 4)): score \(fixed(errors.score, decimals: 4)), \
      box \(fixed(errors.box, decimals: 4)), landmarks \(fixed(errors.landmarks, decimals: 4)); \
      with all layers in int8 \(fixed(errors.first, decimals: 4))
      \(bytes) bytes of weights, \(fixed(share, decimals: 1)) % of \(originalBytes)
      """
  }
}

extension QuantizationReport.Errors {
  init(_ result: QuantizationResult) {
    first = rounded(result.firstError)
    (whole, score) = (rounded(result.difference.whole), rounded(result.difference.score))
    (box, landmarks) = (rounded(result.difference.box), rounded(result.difference.landmarks))
  }
}

extension QuantizationReport.Layer {
  init(_ number: Int, of small: Network, _ result: QuantizationResult) {
    let (layer, quantizer) = (small.layers[number], result.quantizer)
    let scales = layer.quantization
    (name, kind, precision) = (layer.name, layer.kind, scales == nil ? "float" : "int8")
    error = rounded(result.errors[number] ?? 0)
    threshold = rounded(Double(quantizer.thresholds[quantizer.set(readBy: number)]))
    inputScale = rounded(Double(quantizer.scale(number)))
    outputScale = scales?.outputScale.map { rounded(Double($0)) }
    weightScales = scales?.weightScales.count ?? 0
    loweredScales = scales == nil ? 0 : quantizer.loweredScales(of: number)
  }
}

private func rounded(_ number: Double) -> Double { YOLOFaceFormatting.rounded(number, places: 6) }

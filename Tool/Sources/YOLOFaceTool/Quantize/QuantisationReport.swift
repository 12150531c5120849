import FaceEvaluation
import Formatting
import NCNN
import Quantisation

struct QuantisationReport: Encodable {
  struct Layer: Encodable {
    var name: String
    var kind: String
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
    var whole: Double
    var score: Double
    var box: Double
    var landmarks: Double
  }

  var files: [String]
  var bytes: Int
  var originalBytes: Int
  var pictures: Int
  /// The number of pictures that could not be read.
  var leftOut: Int
  var trials: Int
  var tolerance: Double
  var errors: Errors
  var layers: [Layer]

  init(
    _ result: QuantisationResult, _ small: Network, files: [String], tolerance: Double,
    pictures: Int, leftOut: Int, trials: Int, originalBytes: Int, bytes: Int
  ) {
    func rounded(_ number: Double) -> Double { Formatting.rounded(number, places: 6) }
    self.files = files
    self.originalBytes = originalBytes
    self.bytes = bytes
    self.pictures = pictures
    self.leftOut = leftOut
    self.trials = trials
    self.tolerance = tolerance
    let difference = result.difference
    errors = Errors(
      first: rounded(result.firstError), whole: rounded(difference.whole),
      score: rounded(difference.score), box: rounded(difference.box),
      landmarks: rounded(difference.landmarks))
    let quantiser = result.quantiser
    layers = quantiser.layers.map { index in
      let layer = small.layers[index]
      let scales = layer.quantisation
      return Layer(
        name: layer.name, kind: layer.kind, precision: scales == nil ? "float" : "int8",
        error: rounded(result.errors[index] ?? 0),
        threshold: rounded(Double(quantiser.thresholds[quantiser.set(readBy: index)])),
        inputScale: rounded(Double(quantiser.scale(index))),
        outputScale: scales?.outputScale.map { rounded(Double($0)) },
        weightScales: scales?.weightScales.count ?? 0,
        loweredScales: scales == nil ? 0 : quantiser.loweredScales(of: index))
    }
  }

  /// A table of the layers, the costliest first.
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

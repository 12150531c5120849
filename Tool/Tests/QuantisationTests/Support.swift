import NCNN

/// A network from the lines of its layers, with weights that are small whole numbers.
func network(_ lines: String, weights: [[Float]] = []) throws -> Network {
  let layers = lines.split(separator: "\n")
  let outputs = layers.map { line in
    let words = line.split(separator: " ")
    return Int(words[3])!
  }
  let text = "7767517\n\(layers.count) \(outputs.reduce(0, +))\n\(lines)\n"
  var network = try Network(param: Array(text.utf8), source: "test.param")
  var bytes: [UInt8] = []
  for array in weights {
    for value in array {
      let word = value.bitPattern
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
  }
  try network.loadWeights(bytes, source: "test.bin")
  return network
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
import YOLOFaceLibC
import YOLOFaceNCNN

/// Computes blobs of a model and writes their numbers to a file, fp32, one blob after the other.
func run(_ words: [String]) throws(Refusal) {
  let network = try loadedNetwork(try contents(of: words[0]), try contents(of: words[1]))
  let sizes = words[3...5].compactMap { Int($0) }
  let names = words[6].split(separator: ",").map { String($0) }
  let input = try tensor(sizes, floats(try contents(of: words[2])))
  let blobs = try refusing { () throws(InferenceError) in
    try Engine(network).run([network.inputs[0]: input], extracting: names)
  }
  guard let output = fopen(words[7], "wb") else {
    throw Refusal(message: "\(words[7]) cannot be written")
  }
  defer { fclose(output) }
  for name in names {
    guard let blob = blobs[name] else { throw Refusal(message: "no blob \(name)") }
    blob.values.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, output) }
  }
}

func loadedNetwork(_ param: [UInt8], _ bin: [UInt8]) throws(Refusal) -> Network {
  try refusing { () throws(ModelError) in
    var network = try Network(param: param, source: "param")
    try network.loadWeights(bin, source: "bin")
    return network
  }
}

func tensor(_ shape: [Int], _ values: [Float]) throws(Refusal) -> Tensor {
  try refusing { () throws(InferenceError) in try Tensor(shape: shape, values: values) }
}

/// Little-endian fp32.
func floats(_ bytes: [UInt8]) -> [Float] {
  stride(from: 0, to: bytes.count / 4 * 4, by: 4).map { start in
    Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) })
  }
}

import Foundation

/// The text of a network of these layers: a `.param` file, whose second line counts the layers and their blobs.
package func networkText(_ layers: [String]) -> String {
  let blobs = layers.reduce(0) { $0 + (Int($1.split(separator: " ", maxSplits: 4)[3]) ?? 0) }
  return "7767517\n\(layers.count) \(blobs)\n" + layers.joined(separator: "\n") + "\n"
}

/// The bytes of numbers as a `.bin` file has them.
package func floatBytes(_ numbers: [Float]) -> [UInt8] { numbers.withUnsafeBytes { [UInt8]($0) } }

/// Writes a network of these layers, and its weights, to `m.param` and `m.bin` or files of another name.
@discardableResult package func writeModel(
  _ layers: [String], weights: [Float] = [], named name: String = "m", in folder: URL
) throws -> (param: String, bin: String) {
  let (param, bin) = (
    folder.appending(path: "\(name).param"), folder.appending(path: "\(name).bin")
  )
  try writeText(networkText(layers), to: param)
  try Data(floatBytes(weights)).write(to: bin)
  return (param.path, bin.path)
}

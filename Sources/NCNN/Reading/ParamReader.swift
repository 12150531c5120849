// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// Reads the text of a `.param` file.
///
/// ```
/// 7767517
/// layers blobs
/// kind name inputCount outputCount inputBlobs… outputBlobs… key=value…
/// ```
///
/// Lines end in LF or CRLF; blanks around words and empty lines mean nothing.
///
/// As upstream does, it reads no more layers than line 2 counts.
///
/// - Returns: also a warning for each count in line 2 that is not that of what follows.
func readLayers(
  _ bytes: [UInt8], file: String
) throws(ModelError) -> (layers: [Layer], warnings: [String]) {
  try refuseOtherFiles(bytes, file: file)
  var lines = LineReader(bytes: bytes, file: file)
  guard let magic = try lines.next(), magic.words == [UntrustedText(ParamFormat.magic)] else {
    throw lines.line.failure(
      .wrongFile, lines.line.number == 0 ? "an empty file" : "line \"\(lines.line.excerpt)\"",
      "the magic number \(ParamFormat.magic)")
  }
  guard let counts = try lines.next(), counts.words.count == 2 else {
    throw lines.line.failure(
      .syntax, "line \"\(lines.line.excerpt)\"", "two counts, of layers and of blobs")
  }
  /// A file cannot hold more layers or blobs than bytes.
  func count(_ index: Int, _ name: String) throws(ModelError) -> Int {
    let word = counts.words[index]
    guard let count = word.integer(Int.self), (1...bytes.count).contains(count) else {
      throw counts.failure(
        .count, "\(word.excerpt(40)) \(name)",
        "a count of \(name) that \(bytes.count) bytes can hold")
    }
    return count
  }
  let layerCount = try count(0, "layers")
  let blobCount = try count(1, "blobs")

  var layers: [Layer] = []
  while layers.count < layerCount, let line = try lines.next() {
    layers.append(try readLayer(line))
  }
  guard !layers.isEmpty else {
    throw lines.line.failure(.count, "0 layers", "\(layerCount) layers as line 2 says")
  }
  try checkBlobs(layers, file: file)
  tellApart(&layers)
  let blobs = layers.reduce(0) { $0 + $1.outputs.count }
  var warnings = [("layers", layerCount, layers.count), ("blobs", blobCount, blobs)]
    .filter { $0.1 != $0.2 }
    .map { "\(file):2: \($0.1) \($0.0) are declared, and \($0.2) follow" }
  if lines.hasMore {
    warnings.append(
      "\(file):2: \(layerCount) layers are declared, and more follow, which are not read: those behind line"
        + " \(lines.line.number)")
  }
  return (layers, warnings)
}

/// Gives layers that share a name names of their own: the second one of the name `a` becomes `a#2`, or
/// takes the next number that is free.
private func tellApart(_ layers: inout [Layer]) {
  let names = layers.map { UntrustedText($0.nameInFile) }
  var taken = Set(names)
  var numbers: [UntrustedText: Int] = [:]
  for (index, name) in names.enumerated() {
    guard var number = numbers[name] else {
      numbers[name] = 1
      continue
    }
    repeat { number += 1 } while !taken.insert(UntrustedText("\(name)#\(number)")).inserted
    numbers[name] = number
    layers[index].name = "\(name)#\(number)"
  }
}

/// Constants of the `.param` format.
public enum ParamFormat {
  static let magicNumber: UInt32 = 7_767_517
  /// The first line of every file.
  public static let magic = "\(magicNumber)"
  /// An array with its length has this key minus the parameter's number.
  static let arrayKeyOffset = -23300
  /// ncnn's marker for an absent value: no size, no position, or a SAME border.
  static let placeholder = -233
}

private func refuseOtherFiles(_ bytes: [UInt8], file: String) throws(ModelError) {
  let others = [
    (Array(ParamFormat.magicNumber.littleEndianBytes), "a binary .param.bin file"),
    (Array(WeightArray.Tag.float16.littleEndianBytes), "fp16 weights: a .bin file"),
    ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
  ]
  for (start, found) in others where bytes.starts(with: start) {
    throw ModelError(
      file: file, position: .file, reason: .wrongFile, found: found, expected: "a text .param file")
  }
}

private func readLayer(_ line: Line) throws(ModelError) -> Layer {
  let words = line.words
  guard words.count >= 4 else {
    throw line.failure(
      .syntax, "\"\(line.excerpt)\"", "kind, name, input count, output count, blobs, parameters")
  }
  func count(_ word: UntrustedText, _ name: String) throws(ModelError) -> Int {
    guard let count = word.integer(Int.self), (0...words.count - 4).contains(count) else {
      throw line.failure(
        .count, "\(name) count \(word.excerpt(40))",
        "a count of blobs named on the line, at most \(words.count - 4)")
    }
    return count
  }
  let inputCount = try count(words[2], "input")
  let outputCount = try count(words[3], "output")
  let inputEnd = 4 + inputCount
  let outputEnd = inputEnd + outputCount
  guard outputEnd <= words.count else {
    throw line.failure(
      .count, "\(inputCount) inputs and \(outputCount) outputs",
      "that many blobs; the line names at most \(words.count - 4)")
  }
  for word in words[..<outputEnd] { try line.requireName(word, "a name") }
  for blob in words[4..<outputEnd] where blob.contains(UInt8(ascii: "=")) {
    throw line.failure(
      .count, "\"\(blob)\" where a blob is expected", "\(inputCount + outputCount) blobs as counted"
    )
  }
  var parameters = Parameters()
  for word in words[outputEnd...] {
    let pair = try readPair(word, line)
    guard parameters[pair.key] == nil else {
      throw line.failure(.syntax, "key \(pair.key) twice", "each key once")
    }
    parameters[pair.key] = pair.value
  }
  let layer = Layer(
    kind: words[0].description, name: words[1].description,
    inputs: words[4..<inputEnd].map { $0.description },
    outputs: words[inputEnd..<outputEnd].map { $0.description }, parameters: parameters,
    file: line.file, line: line.number)
  let traits = layer.operation.traits
  for (count, allowed, name) in [
    (inputCount, traits.inputs, "input"), (outputCount, traits.outputs, "output"),
  ] where !allowed.contains(count) {
    throw line.failure(
      .graph, "\(layer.kind) with \(count) \(name)\(count == 1 ? "" : "s")",
      "\(allowed.lowerBound == allowed.upperBound ? "" : "at least ")\(allowed.lowerBound)")
  }
  return layer
}

/// Checks that every blob has one producer and that every reader finds it.
private func checkBlobs(_ layers: [Layer], file: String) throws(ModelError) {
  var producerLines: [UntrustedText: Int] = [:]
  func failure(_ number: Int, _ found: String, _ expected: String) -> ModelError {
    Line(words: [], number: number, file: file).failure(.graph, found, expected)
  }
  for layer in layers {
    for blob in layer.outputs {
      if let line = producerLines.updateValue(layer.line, forKey: UntrustedText(blob)) {
        throw failure(
          layer.line, "a second producer of blob \(blob), the first on line \(line)", "one producer"
        )
      }
    }
  }
  for layer in layers {
    for blob in layer.inputs where producerLines[UntrustedText(blob)] == nil {
      throw failure(layer.line, "input \(blob), which no layer produces", "a blob of another layer")
    }
  }
}

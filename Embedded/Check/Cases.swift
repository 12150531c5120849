// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
import YOLOFaceNCNN

/// Runs networks whose blobs upstream ncnn computed, by the engine and the interpreter, and compares.
///
/// - Parameter bytes: as `Scripts/check-arm64` packs the fixtures of the tests.
func checkCases(of bytes: [UInt8]) throws(Refusal) {
  var reader = Reader(file: bytes)
  let count = try reader.integer()
  var failures = 0
  for _ in 0..<count {
    let name = try reader.text()
    do throws(Refusal) {
      try checkCase(&reader)
    } catch {
      print("\(name): \(error.message)")
      failures += 1
    }
  }
  print("\(count - failures) of \(count) networks agree with upstream ncnn")
  if failures > 0 { throw Refusal(message: "\(failures) do not") }
}

private func checkCase(_ reader: inout Reader) throws(Refusal) {
  let (param, bin) = (try reader.part(), try reader.part())
  let tolerance = try reader.number()
  let (inputs, expected) = (try reader.blobs(), try reader.blobs())
  let network = try loadedNetwork(param, bin)
  var tensors: [String: Tensor] = [:]
  for input in inputs { tensors[input.name] = try tensor(input.shape, input.values) }
  let names = expected.map { $0.name }
  let (fast, plain) = try refusing { () throws(InferenceError) in
    (
      try Engine(network).run(tensors, extracting: names),
      try Interpreter(network).run(tensors, extracting: names)
    )
  }
  try compare(fast, expected, tolerance, "engine")
  try compare(plain, expected, tolerance, "interpreter")
}

private func compare(
  _ found: [String: Tensor], _ expected: [Blob], _ tolerance: Float, _ runner: String
) throws(Refusal) {
  for blob in expected {
    guard let other = found[blob.name], other.shape == blob.shape else {
      throw Refusal(message: "\(runner): \(blob.name) has another shape")
    }
    for (place, value) in blob.values.enumerated() {
      let difference = abs(other.values[place] - value)
      // Written so that NaN counts as a difference.
      guard difference <= tolerance * max(1, abs(value)) || other.values[place] == value else {
        throw Refusal(
          message: "\(runner): \(blob.name)[\(place)] differs from \(value) by \(difference)")
      }
    }
  }
}

private struct Blob {
  var name: String
  var shape: [Int]
  var values: [Float]
}

/// Reads what the script packs: little-endian integers of 32 bits, and bytes after their number.
private struct Reader {
  let file: [UInt8]
  var position = 0

  mutating func bytes(_ count: Int) throws(Refusal) -> [UInt8] {
    guard count >= 0, count <= file.count - position else {
      throw Refusal(message: "the file ends at byte \(file.count)")
    }
    defer { position += count }
    return Array(file[position..<position + count])
  }

  mutating func integer() throws(Refusal) -> Int {
    Int(try bytes(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }

  mutating func number() throws(Refusal) -> Float { floats(try bytes(4))[0] }

  mutating func part() throws(Refusal) -> [UInt8] { try bytes(try integer()) }

  mutating func text() throws(Refusal) -> String {
    String(decoding: try part(), as: UTF8.self)
  }

  mutating func blobs() throws(Refusal) -> [Blob] {
    var blobs: [Blob] = []
    for _ in 0..<(try integer()) {
      let name = try text()
      var shape: [Int] = []
      for _ in 0..<(try integer()) { shape.append(try integer()) }
      blobs.append(Blob(name: name, shape: shape, values: floats(try part())))
    }
    return blobs
  }
}

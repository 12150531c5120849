// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

extension Network {
  /// The bytes of a `.bin` file with the weights of all layers, each stored as it was read, and behind them
  /// what was not read.
  public func weightBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    for layer in layers {
      for array in layer.weights { append(array, to: &bytes) }
    }
    return bytes + unreadWeights
  }
}

extension WeightArray {
  /// The bytes that the array takes in a `.bin` file.
  public var byteCount: Int {
    switch storage {
    case .untagged: 4 * count
    case .float32, .keptFloat32: 4 + 4 * count
    case .float16: 4 + (2 * count + 3) / 4 * 4
    case .int8: 4 + (count + 3) / 4 * 4
    case .table: 4 + 4 * 256 + (count + 3) / 4 * 4
    }
  }
}

private func append(_ array: WeightArray, to bytes: inout [UInt8]) {
  func append(_ word: UInt32) { bytes.append(littleEndian: word) }
  func append(_ values: [Float]) { bytes.append(littleEndian: values) }
  switch array.storage {
  case .untagged(let values): append(values)
  case .float32(let values):
    append(WeightArray.Tag.float32)
    append(values)
  case .keptFloat32(let values):
    append(WeightArray.Tag.keptFloat32)
    append(values)
  case .float16(let bits):
    append(WeightArray.Tag.float16)
    for half in bits { bytes.append(littleEndian: half) }
  case .int8(let values):
    append(WeightArray.Tag.int8)
    bytes.append(contentsOf: values.map(UInt8.init(bitPattern:)))
  case .table(let tag, let values, let indices):
    append(tag)
    append(values)
    bytes.append(contentsOf: indices)
  }
  while bytes.count % 4 != 0 { bytes.append(0) }
}

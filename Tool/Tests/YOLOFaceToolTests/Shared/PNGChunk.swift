/// A chunk of a PNG file, with its length and its checksum.
func pngChunk(_ name: String, _ content: [UInt8] = []) -> [UInt8] {
  let bytes = Array(name.utf8) + content
  // CRC-32 as in PNG's annex D.
  var checksum = UInt32.max
  for byte in bytes {
    checksum ^= UInt32(byte)
    for _ in 0..<8 {
      let isOdd = checksum & 1 == 1
      checksum >>= 1
      if isOdd { checksum ^= 0xEDB8_8320 }
    }
  }
  return bigEndian(UInt32(content.count)) + bytes + bigEndian(~checksum)
}

private func bigEndian(_ number: UInt32) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

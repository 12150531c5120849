// SPDX-License-Identifier: Apache-2.0

// A file's name is bytes, and some, such as those in Latin-1, are not UTF-8. In a path's text, each byte that is not
// part of a character is one of Unicode's last plane for private use, so that the text leads to the file, too.

private let standIns = UInt32(0x10FE80)...0x10FEFF
/// What is added to a byte to make its stand-in.
private let offset: UInt32 = 0x10FE00

/// A path's text. A byte b that is not UTF-8 becomes the character U+10FE00 + b, and so do the bytes of such a
/// character itself: different bytes are different texts.
@_spi(Tool) public func pathText(_ bytes: some Collection<UInt8>) -> String {
  if let text = String(validating: bytes, as: UTF8.self), !mayHoldStandIn(text) { return text }
  var text = String.UnicodeScalarView()
  var parser = Unicode.UTF8.ForwardParser()
  var (iterator, rest) = (bytes.makeIterator(), bytes[...])
  while !rest.isEmpty {
    let count: Int
    switch parser.parseScalar(from: &iterator) {
    case .valid(let encoded) where !standIns.contains(UTF8.decode(encoded).value):
      text.append(UTF8.decode(encoded))
      rest = rest.dropFirst(encoded.count)
      continue
    case .valid(let encoded): count = encoded.count
    case .error(let length): count = length
    case .emptyInput: count = rest.count
    }
    text.append(contentsOf: rest.prefix(count).compactMap { Unicode.Scalar(offset + UInt32($0)) })
    rest = rest.dropFirst(count)
  }
  return String(text)
}

/// A path's text of a text of C's.
@_spi(Tool) public func pathText(cString text: UnsafePointer<CChar>) -> String {
  text.withMemoryRebound(to: UInt8.self, capacity: 1) { start in
    var count = 0
    while start[count] != 0 { count += 1 }
    return pathText(UnsafeBufferPointer(start: start, count: count))
  }
}

/// The bytes of a path, for a call of the system: those of which `pathText` has made the text, with a zero at the end.
@_spi(Tool) public func systemPath(_ path: String) -> [CChar] {
  guard mayHoldStandIn(path) else { return Array(path.utf8CString) }
  let bytes = path.unicodeScalars.flatMap { scalar -> [UInt8] in
    standIns.contains(scalar.value)
      ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
  }
  return (bytes + [0]).map { CChar(bitPattern: $0) }
}

private func mayHoldStandIn(_ text: String) -> Bool { text.utf8.contains(0xF4) }

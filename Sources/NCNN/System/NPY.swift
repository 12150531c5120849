// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceUntrusted

/// NumPy's `.npy` files of float32, as `numpy.save` writes them: see NumPy's page "numpy.lib.format".
public enum NPY {
  /// The largest file that is read: 4 GiB.
  public static let maximumFileBytes = Int(clamping: Int64(1) << 32)

  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  /// NumPy itself writes 118 bytes and refuses to read more than 10,000.
  private static let longestHeader = 1 << 16

  /// Reads a tensor; of four or five axes, a leading one of one element, the batch, is dropped. `source`
  /// is the file's name in messages.
  ///
  /// - Throws: `InferenceError` unless the bytes hold little-endian float32 in C order with one to
  ///   four axes and nothing else.
  public static func decode(_ bytes: [UInt8], source: String) throws(InferenceError) -> Tensor {
    func failure(_ found: String, _ expected: String) -> InferenceError {
      InferenceError(.input, found: "\(source): \(found)", expected: expected)
    }
    guard bytes.starts(with: magic), bytes.count >= 12, (1...3).contains(bytes[6]) else {
      throw failure("no NumPy header of version 1 to 3 at byte 0", "a .npy file")
    }
    let lengthBytes = bytes[6] == 1 ? 2 : 4
    let start = 8 + lengthBytes
    let length = (0..<lengthBytes).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    let most = min(bytes.count - start, longestHeader)
    guard length <= most else {
      throw failure("a header of \(length) bytes at byte 8", "at most \(most)")
    }
    let header = UntrustedText(bytes[start..<start + length])
    let type = value(header.behind("'descr':"))
    guard type == "<f4" || type == "=f4" else {
      throw failure("elements of type \(type.excerpt(40))", "'<f4', float32")
    }
    guard value(header.behind("'fortran_order':")) == "False" else {
      throw failure("Fortran order", "C order; save numpy.ascontiguousarray of it")
    }
    guard var shape = sizes(header) else {
      throw failure("no list of sizes under 'shape'", "a tuple of integers")
    }
    if shape.count > 3 && shape[0] == 1 { shape.removeFirst() }
    let dataBytes = bytes.count - start - length
    guard let count = elementCount(shape) else {
      throw failure("shape \(shape)", "one to four positive sizes")
    }
    guard dataBytes % 4 == 0, count == dataBytes / 4 else {
      throw failure("\(dataBytes) bytes of elements", "\(count) elements of four bytes")
    }
    return Tensor(shape, bytes.floats(at: start + length, count: count))
  }

  /// Reads a tensor from a file.
  ///
  /// - Throws: `FileError`, or `InferenceError` as `decode`.
  public static func read(path: String) throws -> Tensor {
    try decode(try readFile(path, limit: maximumFileBytes), source: path)
  }

  /// Writes a tensor to a file.
  public static func write(_ tensor: Tensor, path: String) throws(FileError) {
    try writeFile(encode(tensor), to: path)
  }

  /// The bytes of a `.npy` file, version 1.
  public static func encode(_ tensor: Tensor) -> [UInt8] {
    // Python writes a comma after the only element of a tuple.
    let comma = tensor.shape.count == 1 ? "," : ""
    let sizes = tensor.shape.map(String.init).joined(separator: ", ") + comma
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(sizes)), }"
    // NumPy aligns the elements to 64 bytes; a line feed ends the header.
    let used = magic.count + 4 + header.utf8.count + 1
    header += String(repeating: " ", count: (64 - used % 64) % 64) + "\n"
    var bytes = magic + [1, 0]
    bytes.append(littleEndian: UInt16(header.utf8.count))
    bytes += header.utf8
    bytes.reserveCapacity(bytes.count + 4 * tensor.values.count)
    bytes.append(littleEndian: tensor.values)
    return bytes
  }

  /// The value at the beginning of a text, without quotes, up to the next comma or brace.
  private static func value(_ text: UntrustedText?) -> UntrustedText {
    (text ?? UntrustedText("")).drop { " '".utf8.contains($0) }.prefix { !",'}".utf8.contains($0) }
  }

  private static func sizes(_ header: UntrustedText) -> [Int]? {
    guard let tail = header.behind("'shape':")?.cut(at: UInt8(ascii: "("))?.after,
      let tuple = tail.cut(at: UInt8(ascii: ")"))?.before
    else { return nil }
    let parts = tuple.split(separator: UInt8(ascii: ","))
      .map { $0.trimming { $0 == UInt8(ascii: " ") } }.filter { !$0.isEmpty }
    let sizes = parts.compactMap { $0.integer(Int.self) }
    return sizes.count == parts.count ? sizes : nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@testable import YOLOFaceNCNN

struct NPYTests {
  /// A file as numpy.save writes it, from the text of its header and its elements.
  private func file(
    _ header: String, version: UInt8 = 1, values: [Float] = [], extra: [UInt8] = []
  ) -> [UInt8] {
    let length = withUnsafeBytes(of: UInt32(header.utf8.count).littleEndian, Array.init)
    let magic = [0x93] + Array("NUMPY".utf8) + [version, 0]
    return magic + length[..<(version == 1 ? 2 : 4)] + Array(header.utf8) + floatBytes(values)
      + extra
  }

  private func header(
    _ shape: String, type: String = "<f4", order: String = "False"
  ) -> String {
    "{'descr': '\(type)', 'fortran_order': \(order), 'shape': (\(shape)), }\n"
  }

  /// Every version, and a batch of one, which goes.
  @Test(
    arguments: [
      (1, "2,", [2]), (2, "2,", [2]), (3, "2,", [2]), (1, "1, 2, 1, 1", [2, 1, 1]),
      (1, "1, 1, 1, 2, 1", [1, 1, 2, 1]), (1, "2, 1, 1, 1", [2, 1, 1, 1]),
    ] as [(UInt8, String, [Int])])
  func reads(version: UInt8, text: String, shape: [Int]) throws {
    for header in [header(text), "{'shape': (\(text)), 'fortran_order': False, 'descr': '<f4'}"] {
      let bytes = file(header, version: version, values: [1.5, -2])
      #expect(try NPY.decode(bytes, source: "x.npy") == Tensor(shape: shape, values: [1.5, -2]))
    }
  }

  @Test func writesWhatNumPyWrites() throws {
    let tensor = try Tensor(shape: [3, 96, 64], values: [Float](repeating: 1, count: 18432))
    let bytes = NPY.encode(tensor)
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 96, 64), }"
    // numpy.save: magic, version, length 118, the header padded with blanks to 128 bytes in all.
    #expect(bytes.count == 128 + 4 * 18432)
    #expect(Array(bytes[6..<10]) == [1, 0, 118, 0])
    #expect(String(decoding: bytes[10..<10 + header.utf8.count], as: UTF8.self) == header)
    #expect(bytes[127] == UInt8(ascii: "\n"))
    #expect(try NPY.decode(bytes, source: "x.npy") == tensor)
  }

  @Test func keepsEveryBit() throws {
    let values: [Float] = [0, -0, .infinity, -.infinity, .leastNonzeroMagnitude, 0.1]
    let tensor = try Tensor(shape: [2, 3], values: values)
    let again = try NPY.decode(NPY.encode(tensor), source: "x.npy")
    #expect(again.values.map(\.bitPattern) == values.map(\.bitPattern))
  }

  @Test func refusesHostileFiles() throws {
    let pair = header("2,")
    let files: [(String, [UInt8])] = [
      ("empty", []),
      ("no magic", Array("NUMPY".utf8) + [UInt8](repeating: 0, count: 20)),
      ("magic only", [0x93] + Array("NUMPY".utf8)),
      ("version 9", file(pair, version: 9, values: [1, 2])),
      (
        "long header",
        file(pair + String(repeating: " ", count: 1 << 16), version: 2, values: [1, 2])
      ),
      ("header longer than the file", Array(file(pair).prefix(40))),
      ("double", file(header("1", type: "<f8"), values: [1, 2])),
      ("big endian", file(header("2", type: ">f4"), values: [1, 2])),
      ("Fortran", file(header("2", order: "True"), values: [1, 2])),
      ("negative size", file(header("-2"), values: [1, 2])),
      ("zero size", file(header("0"))),
      ("no size", file(header(""), values: [1])),
      ("overflow", file(header("4294967296, 4294967296, 4294967296"))),
      ("not a number", file(header("two"), values: [1, 2])),
      ("no shape", file("{'descr': '<f4', 'fortran_order': False}", values: [1, 2])),
      ("five axes", file(header("2, 1, 1, 1, 1"), values: [1, 2])),
      ("truncated", file(pair, values: [1])),
      ("overlong", file(pair, values: [1, 2], extra: [0])),
    ]
    for (name, bytes) in files {
      let error = #expect(throws: InferenceError.self, "\(name)") {
        try NPY.decode(bytes, source: "bad.npy")
      }
      #expect(error?.found.hasPrefix("bad.npy: ") == true, "\(name)")
    }
  }
}

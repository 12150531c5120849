import Foundation
@testable import NCNN
import Testing

struct NPYTests {
  /// A file as numpy.save writes it, from the text of its header and its elements.
  private func file(
    _ header: String, version: UInt8 = 1, values: [Float] = [], extra: [UInt8] = []
  ) -> [UInt8] {
    let length = UInt32(header.utf8.count)
    let lengthBytes = (0..<(version == 1 ? 2 : 4)).map { UInt8(length >> (8 * UInt32($0)) & 0xFF) }
    let data = values.flatMap { value in
      (0..<4).map { UInt8(value.bitPattern >> (8 * UInt32($0)) & 0xFF) }
    }
    let magic = [0x93] + Array("NUMPY".utf8) + [version, 0]
    return magic + lengthBytes + Array(header.utf8) + data + extra
  }

  private let pair = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n"

  @Test(arguments: [1, 2, 3] as [UInt8])
  func readsEveryVersion(version: UInt8) throws {
    let tensor = try NPY.decode(file(pair, version: version, values: [1.5, -2]), source: "x.npy")
    #expect(tensor.shape == [2])
    #expect(tensor.values == [1.5, -2])
  }

  @Test func dropsABatchOfOne() throws {
    let header = "{'shape': (1, 2, 1, 1), 'fortran_order': False, 'descr': '<f4'}"
    #expect(try NPY.decode(file(header, values: [1, 2]), source: "x.npy").shape == [2, 1, 1])
    let deep = "{'shape': (1, 1, 1, 2, 1), 'fortran_order': False, 'descr': '<f4'}"
    #expect(try NPY.decode(file(deep, values: [1, 2]), source: "x.npy").shape == [1, 1, 2, 1])
    let two = "{'shape': (2, 1, 1, 1), 'fortran_order': False, 'descr': '<f4'}"
    #expect(try NPY.decode(file(two, values: [1, 2]), source: "x.npy").shape == [2, 1, 1, 1])
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
    func header(_ type: String, _ order: String, _ shape: String) -> String {
      "{'descr': '\(type)', 'fortran_order': \(order), 'shape': (\(shape)), }"
    }
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
      ("double", file(header("<f8", "False", "1"), values: [1, 2])),
      ("big endian", file(header(">f4", "False", "2"), values: [1, 2])),
      ("Fortran", file(header("<f4", "True", "2"), values: [1, 2])),
      ("negative size", file(header("<f4", "False", "-2"), values: [1, 2])),
      ("zero size", file(header("<f4", "False", "0"))),
      ("no size", file(header("<f4", "False", ""), values: [1])),
      ("overflow", file(header("<f4", "False", "4294967296, 4294967296, 4294967296"))),
      ("not a number", file(header("<f4", "False", "two"), values: [1, 2])),
      ("no shape", file("{'descr': '<f4', 'fortran_order': False}", values: [1, 2])),
      ("five axes", file(header("<f4", "False", "2, 1, 1, 1, 1"), values: [1, 2])),
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

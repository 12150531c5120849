// SPDX-License-Identifier: Apache-2.0

/// Reads numbers from a fuzzer's bytes, and zeros after their end.
struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }

  /// Any number, NaN and infinity among them.
  mutating func float() -> Float { Float(bitPattern: word()) }

  /// Any number, NaN and infinity among them.
  mutating func double() -> Double { Double(bitPattern: UInt64(word()) << 32 | UInt64(word())) }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[Int(byte()) % elements.count]
  }
}

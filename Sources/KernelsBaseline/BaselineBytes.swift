import Kernels

/// Arithmetic of bytes without vectors, for processors that have no kernels of their own.
enum BaselineBytes: ByteInstructionSet {
  typealias Sums = SIMD16<Int32>
  typealias Bytes = SIMD64<UInt8>
  typealias WidePair = QuartetPair<BaselineBytes>
  typealias WideSingle = Quartet<BaselineBytes>

  static var lanes: Int { 4 }

  static func sums(_ source: UnsafePointer<Int32>) -> Sums {
    UnsafeRawPointer(source).loadUnaligned(as: Sums.self)
  }

  static func bytes(_ source: UnsafeRawPointer) -> Bytes { source.loadUnaligned(as: Bytes.self) }

  static func store(_ bytes: Bytes, _ target: UnsafeMutableRawPointer, pixels: Int) {
    for index in 0..<16 &* pixels { target.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self) }
  }

  static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums {
    var sums = sums
    for index in 0..<64 {
      sums[index / 4] &+= Int32(values[index]) &* Int32(Int8(bitPattern: weights[index]))
    }
    return sums
  }

  static func addProducts(_ sums: Sums, quads: (UInt32, UInt32), weights: (Bytes, Bytes)) -> Sums {
    let first: Bytes = cast(SIMD16(repeating: quads.0))
    let second: Bytes = cast(SIMD16(repeating: quads.1))
    return addProducts(addProducts(sums, first, weights.0), second, weights.1)
  }

  static func store(
    _ sums: Sums, scales: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer,
    offsets: UnsafePointer<Int>
  ) {
    for channel in 0..<16 {
      (target + offsets[channel / lanes]).storeBytes(
        of: Float(sums[channel]) * scales[channel], toByteOffset: channel % lanes &* 4,
        as: Float.self)
    }
  }

  static func rounded(_ sums: Quartet<BaselineBytes>, scales: UnsafePointer<Float>) -> Bytes {
    var bytes = Bytes()
    for (pixel, sums) in [sums.a, sums.b, sums.c, sums.d].enumerated() {
      for channel in 0..<16 {
        let number = (Float(sums[channel]) * scales[channel]).rounded(.toNearestOrEven)
        bytes[16 &* pixel &+ channel] = UInt8(bitPattern: Int8(max(-128, min(number, 127))))
      }
    }
    return bytes
  }

  static func raised(_ bytes: Bytes, to minimum: Int8, zero: UInt8) -> Bytes {
    var bytes = bytes
    for index in 0..<64 {
      bytes[index] = UInt8(bitPattern: max(Int8(bitPattern: bytes[index]), minimum)) &+ zero
    }
    return bytes
  }

  static func lookUp(_ places: Bytes, in table: UnsafePointer<UInt8>) -> Bytes {
    var entries = places
    for index in 0..<64 { entries[index] = table[Int(places[index])] }
    return entries
  }

  static func transposed(_ pixels: Bytes) -> Bytes {
    var result = pixels
    for index in 0..<64 { result[index] = pixels[index % 4 &* 16 &+ index / 4] }
    return result
  }

  static func maximum(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    a.replacing(with: b, where: b .> a)
  }
}

extension ByteKernelTable {
  #if arch(x86_64)
    /// The int8 kernels for any processor of the architecture.
    public static let baseline = ByteKernelTable(SSE2Bytes.self)
  #else
    /// The int8 kernels for any processor of the architecture.
    public static let baseline = ByteKernelTable(BaselineBytes.self)
  #endif
}

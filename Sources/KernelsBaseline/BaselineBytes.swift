import Kernels

/// Arithmetic of bytes without vectors, for processors that have no kernels of their own.
enum BaselineBytes: ByteInstructionSet {
  typealias Sums = SIMD16<Int32>
  typealias Numbers = SIMD16<Float>
  typealias Bytes = SIMD64<UInt8>
  typealias WidePair = QuartetPair<BaselineBytes>
  typealias WideSingle = Quartet<BaselineBytes>

  static var lanes: Int { 4 }

  static func store(_ bytes: Bytes, _ target: UnsafeMutableRawPointer, pixels: Int) {
    for index in 0..<16 &* pixels {
      target.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
    }
  }

  static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums {
    var sums = sums
    for index in 0..<64 {
      sums[index / 4] &+= Int32(values[index]) &* Int32(Int8(bitPattern: weights[index]))
    }
    return sums
  }

  static func addProducts(_ sums: Sums, quad: UInt32, weights: Bytes) -> Sums {
    addProducts(sums, cast(SIMD16(repeating: quad)), weights)
  }

  static func numbers(_ sums: Sums, factors: UnsafePointer<Float>) -> Numbers {
    var numbers = Numbers()
    for channel in 0..<16 {
      numbers[channel] = Float(sums[channel]) * factors[channel] + factors[16 &+ channel]
    }
    return numbers
  }

  static func numbers(_ source: UnsafeRawPointer, offsets: UnsafePointer<Int>) -> Numbers {
    var numbers = Numbers()
    for channel in 0..<16 {
      numbers[channel] = source.loadUnaligned(
        fromByteOffset: offsets[channel / lanes] &+ channel % lanes &* 4, as: Float.self)
    }
    return numbers
  }

  static func store(
    _ numbers: Numbers, _ target: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>
  ) {
    for channel in 0..<16 {
      target.storeBytes(
        of: numbers[channel],
        toByteOffset: offsets[channel / lanes] &+ channel % lanes &* 4, as: Float.self)
    }
  }

  static func clamped(_ numbers: Numbers, times factor: Float) -> Numbers {
    var clamped = Numbers()
    for channel in 0..<16 {
      let number = numbers[channel] * factor
      clamped[channel] = number > -127 ? min(number, 127) : -127
    }
    return clamped
  }

  static func rounded(_ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers) -> Bytes {
    var bytes = Bytes()
    for channel in 0..<16 {
      bytes[channel] = integer(a[channel])
      bytes[16 &+ channel] = integer(b[channel])
      bytes[32 &+ channel] = integer(c[channel])
      bytes[48 &+ channel] = integer(d[channel])
    }
    return bytes
  }

  private static func integer(_ number: Float) -> UInt8 {
    UInt8(bitPattern: Int8(max(-128, min(number.rounded(.toNearestOrEven), 127))))
  }

  static func raised(_ bytes: Bytes, to minimum: Int8, zero: UInt8) -> Bytes {
    var bytes = bytes
    for index in 0..<64 {
      bytes[index] = UInt8(bitPattern: max(Int8(bitPattern: bytes[index]), minimum)) &+ zero
    }
    return bytes
  }

  static func results(
    _ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers, of curve: UnsafePointer<UInt8>
  ) -> Bytes {
    var bytes = Bytes()
    for (pixel, numbers) in [a, b, c, d].enumerated() {
      for channel in 0..<16 {
        let place = max(-32768, min(numbers[channel].rounded(.toNearestOrEven), 32767))
        bytes[16 &* pixel &+ channel] = ByteCurve.result(at: Int16(place), of: curve)
      }
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

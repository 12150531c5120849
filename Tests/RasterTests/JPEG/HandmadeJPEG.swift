// SPDX-License-Identifier: Apache-2.0
#if JPEG
  /// A JPEG put together segment by segment, so that reading is tested without an encoder. Its
  /// blocks are all zeros, for which each Huffman table has one code, the bit 0.
  ///
  /// All samples are then 128: ISO/IEC 10918-1, A.3.1.
  struct HandmadeJPEG {
    /// ISO/IEC 10918-1, table B.1.
    enum Frame: UInt8 {
      case baseline = 0xC0
      case progressive = 0xC2
      case lossless = 0xC3
      case arithmetic = 0xC9
    }

    var width = 8
    var height = 8
    var frame = Frame.baseline
    var bitsPerSample: UInt8 = 8
    var components = 1

    /// In a progressive picture, which then has one component: the scan of the DC coefficient, then
    /// scans that repeat that all others are zero.
    var scans = 1

    var segmentsBeforeFrame: [(marker: UInt8, content: [UInt8])] = []

    /// Ss, Se, and Ah and Al of every scan, unless replaced: B.2.3.
    var band: [UInt8]?

    /// Zeros for all blocks of a scan unless replaced.
    var scanData: [UInt8]?

    var bytes: [UInt8] {
      let (start, tables, end): ([UInt8], [UInt8], [UInt8]) = (
        [0xFF, 0xD8],
        Self.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
          + Self.segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 16))
          + Self.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 16)),
        [0xFF, 0xD9]
      )
      let numbers = (1...max(components, 1)).prefix(components).map { UInt8($0) }
      var jpeg = start
      for segment in segmentsBeforeFrame { jpeg += Self.segment(segment.marker, segment.content) }
      jpeg += tables
      jpeg += Self.segment(
        frame.rawValue,
        [bitsPerSample] + Self.bigEndian(height) + Self.bigEndian(width) + [UInt8(components)]
          + numbers.flatMap { [$0, 0x11, 0] })
      let blocks = (width + 7) / 8 * ((height + 7) / 8)
      for scan in 0..<scans {
        let (band, codes): ([UInt8], Int) =
          switch frame {
          case .progressive: (scan == 0 ? [0, 0, 0] : [1, 63, 0], blocks)
          default: ([0, 63, 0], 2 * blocks * components)
          }
        jpeg += Self.segment(
          0xDA, [UInt8(components)] + numbers.flatMap { [$0, 0] } + (self.band ?? band))
        jpeg += scanData ?? Self.zeroBits(codes)
      }
      return jpeg + end
    }

    /// Zeros, then ones up to a whole byte: F.1.2.3.
    static func zeroBits(_ count: Int) -> [UInt8] {
      let rest = count % 8
      return [UInt8](repeating: 0, count: count / 8) + (rest == 0 ? [] : [0xFF >> UInt8(rest)])
    }

    /// A marker, the length that counts itself, and what follows.
    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker] + bigEndian(content.count + 2) + content
    }

    /// Adobe's segment, APP14: what the components are is its last byte.
    static func adobe(transform: UInt8) -> (marker: UInt8, content: [UInt8]) {
      (0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
      [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
  }
#endif

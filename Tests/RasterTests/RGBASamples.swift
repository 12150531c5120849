@testable import Raster

extension PNG {
  /// A picture's samples as stored, expanded to RGBA but neither composited nor turned.
  struct RGBASamples {
    var width: Int
    var height: Int
    var bitsPerSample: Int
    /// height × width × 4, each 0…255 or, if `bitsPerSample` is 16, 0…65535.
    var samples: [UInt16]
  }

  /// Decodes without giving up anything of the samples.
  static func decodeRGBA(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(PNGError) -> RGBASamples {
    try bytes.withUnsafeBufferPointer { (buffer) throws(PNGError) in
      let reader = try PNGReader(bytes: buffer, source: "<bytes>", limits: limits)
      let format = try reader.beginRows(keeping16Bit: true)
      let sampleBytes = Int(format.bytes_per_sample)
      let channels = Int(format.channels)
      let opaque = UInt16(sampleBytes == 2 ? 65535 : 255)
      var samples = [UInt16](repeating: opaque, count: 4 * reader.width * reader.height)
      try reader.readRows(format) { row, pass, y in
        for column in 0..<(row.count / (channels * sampleBytes)) {
          let x = pass.firstColumn + column * pass.columnStep
          for channel in 0..<channels {
            let source = (column * channels + channel) * sampleBytes
            samples[4 * (y * reader.width + x) + channel] =
              sampleBytes == 2
              ? UInt16(row[source]) << 8 | UInt16(row[source + 1]) : UInt16(row[source])
          }
        }
      }
      _ = try reader.finish()
      return RGBASamples(
        width: reader.width, height: reader.height, bitsPerSample: 8 * sampleBytes,
        samples: samples)
    }
  }
}

@testable import Raster

extension PNG {
  /// A picture's samples as stored, expanded to RGBA but neither composited nor turned.
  struct RGBASamples {
    var bitsPerSample: Int
    /// Rows × columns × 4, each 0…255 or, if `bitsPerSample` is 16, 0…65535.
    var samples: [UInt16]
  }

  /// Decodes without losing any precision of the samples.
  static func decodeRGBA(_ bytes: [UInt8]) throws(PictureError) -> RGBASamples {
    try bytes.withUnsafeBufferPointer { (buffer) throws(PictureError) in
      let reader = try PNGReader(bytes: buffer, source: "<bytes>", limits: Picture.Limits())
      var (samples, bitsPerSample): ([UInt16], Int) = ([], 8)
      try reader.readRows(keeping16Bit: true) { row in
        let sampleBytes = Int(row.format.bytes_per_sample)
        let channels = Int(row.format.channels)
        if samples.isEmpty {
          bitsPerSample = 8 * sampleBytes
          let opaque = UInt16(sampleBytes == 2 ? 65535 : 255)
          samples = [UInt16](repeating: opaque, count: 4 * reader.width * reader.height)
        }
        for column in 0..<(row.pixels.count / (channels * sampleBytes)) {
          let x = row.pass.firstColumn + column * row.pass.columnStep
          for channel in 0..<channels {
            let source = (column * channels + channel) * sampleBytes
            samples[4 * (row.y * reader.width + x) + channel] =
              sampleBytes == 2
              ? UInt16(row.pixels[source]) << 8 | UInt16(row.pixels[source + 1])
              : UInt16(row.pixels[source])
          }
        }
      }
      return RGBASamples(bitsPerSample: bitsPerSample, samples: samples)
    }
  }
}

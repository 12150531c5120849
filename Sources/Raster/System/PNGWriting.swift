// SPDX-License-Identifier: Apache-2.0
#if PNG
  import CYOLOFacePNG
  import YOLOFaceFiles

  extension PNG {
    /// Encodes a picture as an 8-bit PNG, not interlaced: RGB, or grey where its colours are described by a profile
    /// of grey.
    ///
    /// - Parameters:
    ///   - image: the picture.
    ///   - color: what the file says of its colours. A profile of grey is left out if there are others.
    /// - Throws: `PictureError` only when out of memory.
    public static func encode(
      _ image: RGBImage, color: ColorDescription = ColorDescription()
    ) throws(PictureError) -> [UInt8] {
      let isGray = color.isGray && color.hasProfile
      let gray = isGray ? image.gray : nil
      // Photos hardly shrink at zlib's higher levels, which take several times as long.
      var bytes = try encode(
        gray ?? image.pixels, width: image.width, height: image.height,
        channels: gray == nil ? 3 : 1, compressionLevel: 2)
      let afterIHDR = 33
      let kept = isGray && gray == nil ? color.withoutProfile : color
      bytes.insert(contentsOf: kept.bytes, at: afterIHDR)
      return bytes
    }

    /// Encodes samples as an 8-bit grey PNG, not interlaced.
    ///
    /// - Parameters:
    ///   - samples: height × width, row-major without padding.
    ///   - width: at least 1.
    ///   - height: at least 1.
    /// - Throws: `PictureError` only when out of memory.
    public static func encode(
      gray samples: [UInt8], width: Int, height: Int
    ) throws(PictureError) -> [UInt8] {
      try encode(samples, width: width, height: height, channels: 1, compressionLevel: 6)
    }

    private static func encode(
      _ samples: [UInt8], width: Int, height: Int, channels: Int, compressionLevel: Int32
    ) throws(PictureError) -> [UInt8] {
      precondition(width > 0 && height > 0 && samples.count == width * height * channels)
      var encoded = cpng_encoded()
      cpng_encode(
        samples, UInt32(width), UInt32(height), UInt32(channels), compressionLevel, &encoded)
      defer { cpng_encoded_destroy(&encoded) }
      guard encoded.bytes != nil else {
        let message = withUnsafeBytes(of: encoded.message) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        throw PictureError(source: "<bytes>", reason: .library("libpng", message: message))
      }
      return [UInt8](UnsafeBufferPointer(start: encoded.bytes, count: encoded.count))
    }

    /// Encodes a picture and writes it to a regular file, completely or not at all, with the permissions
    /// of an older one. A symbolic link is followed; nothing in `/dev` and `/proc` is written.
    ///
    /// - Throws: `FileError` with the path, or `PictureError` when out of memory.
    public static func write(_ image: RGBImage, to path: String) throws {
      try writeFile(try encode(image), to: path)
    }
  }

  extension RGBImage {
    /// One sample for each pixel; nil if there are colours.
    fileprivate var gray: [UInt8]? {
      var samples: [UInt8] = []
      samples.reserveCapacity(width * height)
      for offset in stride(from: 0, to: pixels.count, by: 3) {
        let sample = pixels[offset]
        guard pixels[offset + 1] == sample, pixels[offset + 2] == sample else { return nil }
        samples.append(sample)
      }
      return samples
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

struct RawFrameOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take raw frames of this size from standard input, WIDTHxHEIGHT, top row first.",
      valueName: "size"))
  var raw: ImageSize?

  @Option(help: "The order of a raw frame's bytes; bgra by default.")
  var pixelFormat: PixelFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The bytes from the start of one row of a raw frame to that of the next; by default rows have "
        + "no padding.",
      valueName: "bytes"))
  var rowStride: Int?

  func validate() throws {
    guard raw != nil || pixelFormat == nil && rowStride == nil else {
      throw ValidationError("--pixel-format and --row-stride describe raw frames: give --raw too.")
    }
  }

  func require(atMost limit: Int) throws {
    guard let raw else { return }
    guard raw.width * raw.height <= limit else {
      throw ValidationError(
        "--raw \(raw): give a size of at most \(limit) pixels, which --max-pixels sets.")
    }
    guard let rowStride else { return }
    let least = raw.width * (pixelFormat ?? .bgra).channels
    guard (least...least + 1 << 20).contains(rowStride) else {
      throw ValidationError(
        "--row-stride \(rowStride): give at least the \(least) bytes of a row of \(raw), and at most"
          + " 1 MiB more.")
    }
    let most = 5 * limit
    guard rowStride * raw.height <= most else {
      throw ValidationError("--row-stride \(rowStride): give frames of at most \(most) bytes.")
    }
  }

  var frames: RawFrames? {
    guard let raw else { return nil }
    let format = pixelFormat ?? .bgra
    return RawFrames(
      size: raw, format: format, bytesPerRow: rowStride ?? raw.width * format.channels)
  }
}

/// Consecutive frames on standard input, as `ffmpeg -f rawvideo -` writes them.
final class RawFrames {
  let size: ImageSize
  let format: PixelFormat
  let bytesPerRow: Int
  private var count = 0
  private(set) var bytes: [UInt8]

  init(size: ImageSize, format: PixelFormat, bytesPerRow: Int) {
    (self.size, self.format, self.bytesPerRow) = (size, format, bytesPerRow)
    bytes = [UInt8](repeating: 0, count: bytesPerRow * size.height)
  }

  /// The next frame; nil at the end, or after a signal.
  func next() throws -> RGBImage? {
    var filled = 0
    while filled < bytes.count {
      guard waitToRead(STDIN_FILENO) else { return nil }
      let got = bytes.withUnsafeMutableBytes { bytes in
        read(STDIN_FILENO, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
      }
      if got < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard got >= 0 else {
        throw Failure("standard input: found \(systemMessage(errno)), expected frame \(count)")
      }
      if got == 0 { break }
      filled += got
    }
    // A signal may have ended the program that writes the frames, too.
    guard Interruption.isGoingOn else { return nil }
    // A film without a frame is an error: for example, a converter failed.
    if filled == 0 && count > 0 { return nil }
    guard filled == bytes.count else {
      throw Failure(
        "standard input: found \(filled) bytes of frame \(count), expected \(bytes.count);"
          + " do --raw, --pixel-format and --row-stride describe the frames?")
    }
    count += 1
    return try image(of: bytes)
  }

  func image(of bytes: [UInt8]) throws(ValueError) -> RGBImage {
    try RGBImage(
      copying: bytes, width: size.width, height: size.height, format: format,
      bytesPerRow: bytesPerRow)
  }
}

extension PixelFormat: @retroactive ExpressibleByArgument, NamedArgument {
  /// What ffmpeg's `-pix_fmt` calls the format.
  public var argument: String {
    switch self {
    case .rgb: "rgb24"
    case .bgr: "bgr24"
    case .rgba: "rgba"
    case .bgra: "bgra"
    case .gray: "gray"
    }
  }
}

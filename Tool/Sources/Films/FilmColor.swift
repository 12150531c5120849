// SPDX-License-Identifier: Apache-2.0

/// What the numbers of a film's pictures mean, in ffmpeg's names for the tables of ITU-T H.273.
public struct FilmColor: Hashable, Sendable {
  /// The matrix between RGB and luma and chroma, a key of `matrices`.
  let matrix: String
  /// The colours of red, green and blue; nil where the film does not say.
  let primaries: String?
  /// How light grows with the numbers; nil where the film does not say.
  let transfer: String?

  /// As in high definition television; of pictures from elsewhere, too.
  public static let bt709 = FilmColor(matrix: "bt709", primaries: "bt709", transfer: "bt709")

  /// As in standard definition, of 625 lines and of 525.
  static let (bt470bg, smpte170m) = (
    FilmColor(matrix: "bt470bg", primaries: "bt470bg", transfer: "smpte170m"),
    FilmColor(matrix: "smpte170m", primaries: "smpte170m", transfer: "smpte170m")
  )

  /// The matrices that the filter `scale` knows, and what it calls them.
  static let matrices = [
    "bt709": "bt709", "fcc": "fcc", "bt470bg": "bt470", "smpte170m": "smpte170m",
    "smpte240m": "smpte240m", "bt2020nc": "bt2020",
  ]

  /// How the filter `scale` works, in a way that rounds to the nearest: its usual one makes pictures darker by a step.
  static func exactly(by method: String) -> String {
    "flags=\(method)+accurate_rnd+full_chroma_int"
  }

  private static let knownPrimaries: Set = [
    "bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "film", "bt2020", "smpte428",
    "smpte431", "smpte432", "ebu3213",
  ]

  /// The transfer functions of standard dynamic range.
  private static let knownTransfers: Set = [
    "bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "linear", "log100", "log316",
    "iec61966-2-1", "iec61966-2-4", "bt1361e", "bt2020-10", "bt2020-12", "smpte428",
  ]

  init(matrix: String, primaries: String?, transfer: String?) {
    self.matrix = matrix
    self.primaries = primaries.flatMap { Self.knownPrimaries.contains($0) ? $0 : nil }
    self.transfer = transfer.flatMap { Self.knownTransfers.contains($0) ? $0 : nil }
  }

  /// The filter that makes limited luma and chroma of RGB pictures, and says what they mean.
  var encodingFilter: String {
    "scale=out_color_matrix=\(Self.matrices[matrix] ?? "auto"):out_range=tv:"
      + "\(Self.exactly(by: "area")),format=yuv420p,setparams=range=tv:colorspace=\(matrix):color_primaries=\(primaries ?? "unknown")"
      + ":color_trc=\(transfer ?? "unknown")"
  }

  /// In words, what a film of this form does not say of the colours.
  func losses(of format: FilmFormat) -> [String] {
    primaries == "ebu3213" && format.muxer != "webm"
      ? ["the primaries of EBU Tech. 3213 are not named: H.264 has no number for them"] : []
  }
}

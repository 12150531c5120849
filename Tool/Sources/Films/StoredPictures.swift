import FaceAnalysis

/// How a film stores its pictures, and how ffmpeg makes evenly spaced RGB pictures of them.
struct StoredPictures {
  private let codec, pixelFormat, matrix, primaries, transfer, fieldOrder: String
  private let hasAlphaBeside: Bool
  private let isOnItsSide: Bool
  /// What players assume of a film of this size that states no colours.
  private let assumed: FilmColour

  /// - Parameter values: what ffprobe says, by its names.
  init(_ values: [Substring: Substring]) {
    func text(_ name: Substring) -> String { values[name].map(String.init) ?? "unknown" }
    func number(_ name: Substring) -> Double { values[name].flatMap { Double($0) } ?? 0 }
    (codec, pixelFormat, fieldOrder) = (text("codec_name"), text("pix_fmt"), text("field_order"))
    (matrix, primaries) = (text("color_space"), text("color_primaries"))
    transfer = text("color_transfer")
    hasAlphaBeside = values["TAG:alpha_mode"] == "1"
    isOnItsSide = abs(number("rotation").remainder(dividingBy: 180)) > 45
    let (width, height) = (number("width"), number("height"))
    assumed = width >= 1280 || height > 576 ? .bt709 : height == 576 ? .bt470bg : .smpte170m
  }

  private var isRGB: Bool {
    ["rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "x2rgb", "x2bgr", "pal8"].contains {
      pixelFormat.hasPrefix($0)
    }
  }

  private var hasAlpha: Bool {
    let formats = ["yuva", "rgba", "bgra", "argb", "abgr", "gbrap", "ya", "pal8", "vuya", "ayuv"]
    return hasAlphaBeside || formats.contains { pixelFormat.hasPrefix($0) }
  }

  private var hasHighRange: Bool { ["smpte2084", "arib-std-b67"].contains(transfer) }

  /// Whether only the filter zscale knows the colours.
  private var needsZscale: Bool {
    hasHighRange || ["bt2020c", "ycgco", "ictcp", "chroma-derived-nc"].contains(matrix)
  }

  /// The matrix of luma and chroma, as stated or else assumed.
  private var usedMatrix: String {
    FilmColour.matrices[matrix] != nil ? matrix : assumed.matrix
  }

  /// The fields of a picture that lies on its side would be columns.
  private var mayHaveFields: Bool {
    pixelFormat.hasPrefix("yuv") && !hasAlpha && !isOnItsSide && fieldOrder != "progressive"
  }

  /// The colour of the RGB pictures, for a film that is made of them.
  var colour: FilmColour {
    if hasHighRange || isRGB && primaries == "unknown" { return .bt709 }
    if [matrix, primaries, transfer] == ["unknown", "unknown", "unknown"] { return assumed }
    let matrix = isRGB || needsZscale ? "bt709" : usedMatrix
    return FilmColour(matrix: matrix, primaries: primaries, transfer: transfer)
  }

  /// What the pictures lose of the film's; empty for nothing that is seen.
  var losses: [String] {
    var losses: [String] = []
    if hasHighRange { losses.append("high dynamic range became BT.709") }
    if mayHaveFields && fieldOrder != "unknown" {
      losses.append("interlaced pictures became whole ones")
    }
    if hasAlpha { losses.append("transparency became white") }
    return losses
  }

  /// The arguments that name a decoder: ffmpeg's own leaves out alpha that is stored beside the pictures.
  var decoder: [String] {
    guard hasAlphaBeside, ["vp8", "vp9"].contains(codec) else { return [] }
    return ["-c:v", codec == "vp8" ? "libvpx" : "libvpx-vp9"]
  }

  /// What ffmpeg must have to read the film; nil where any will do.
  var need: String? {
    if !decoder.isEmpty { return "an ffmpeg with libvpx, which reads the film's transparency" }
    return needsZscale ? "an ffmpeg with zscale (libzimg), which reads the film's colours" : nil
  }

  /// The filters, in the order in which they run.
  func filters(interval: RationalTime) -> String {
    [
      mayHaveFields ? "bwdif=mode=send_frame:deint=interlaced" : nil, timing(interval),
      needsZscale ? rgbByZscale : nil, square, hasAlpha ? onWhite : nil, "format=rgb24",
    ].compactMap { $0 }.joined(separator: ",")
  }

  /// A longer gap between two pictures is shortened to this many.
  private static let longestGap = 10_000

  /// Fills the gaps between pictures with repeated ones, and a gap before the first of less than one picture, as
  /// some encoders of sound cause, with none.
  private func timing(_ interval: RationalTime) -> String {
    let rate = "\(interval.timescale)/\(interval.value)"
    let tick = "1/(\(rate))/TB"
    let first = "PTS-mod(PTS+\(tick)/100,\(tick))+\(tick)/100"
    // ffmpeg fills a whole gap before it writes any of it, and a file may claim one of years.
    let next = "PREV_OUTPTS+min(PTS-PREV_INPTS,\(Self.longestGap)*\(tick))"
    return "setpts='if(isnan(PREV_INPTS),\(first),\(next))',fps=\(rate)"
  }

  /// Of high range, 203 nits become white (ITU-R BT.2408), and what is brighter than 0.7 of that is compressed.
  private var rgbByZscale: String {
    guard hasHighRange else { return "zscale=matrix=gbr:range=full,format=gbrp" }
    let stated = [
      "transferin=\(transfer)", matrix == "unknown" ? "matrixin=bt2020nc" : nil,
      primaries == "unknown" ? "primariesin=bt2020" : nil,
    ]
    return "zscale=\(stated.compactMap { $0 }.joined(separator: ":")):transfer=linear:npl=203,"
      + "format=gbrpf32le,zscale=primaries=bt709,tonemap=mobius:param=0.7,"
      + "zscale=transfer=bt709:range=full,format=gbrp"
  }

  /// Makes pixels square, and RGB of luma and chroma.
  private var square: String {
    let matrix = isRGB || needsZscale ? nil : FilmColour.matrices[usedMatrix]
    return "scale=iw*sar:ih:in_color_matrix=\(matrix ?? "auto"),setsar=1"
  }

  private var onWhite: String {
    "format=rgba,split[picture][base];[base]lutrgb=r=255:g=255:b=255:a=255[white];"
      + "[white][picture]overlay=format=rgb"
  }
}

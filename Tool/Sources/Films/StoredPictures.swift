// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceRaster

/// How a film stores its pictures, and how ffmpeg makes RGB pictures of them.
struct StoredPictures {
  struct Dimensions: Equatable {
    var width, height: Int

    var turned: Dimensions { Dimensions(width: height, height: width) }

    /// What is left without the edges; nil for nothing.
    func cropped(by crop: PictureCrop) -> Dimensions? {
      let left = Dimensions(
        width: width - crop.left - crop.right, height: height - crop.top - crop.bottom)
      return left.width > 0 && left.height > 0 ? left : nil
    }
  }

  private let codec, pixelFormat, matrix, primaries, transfer, fieldOrder: String
  private let hasAlphaBeside: Bool
  private let turn: Turn
  private let crop: PictureCrop
  /// The size of the pictures that ffmpeg decodes.
  private let stored: Dimensions?
  /// That of what is shown of them.
  private let shown: Dimensions?
  /// The size of upright pictures with square pixels; nil where the film does not say.
  let size: Dimensions?
  /// The aspect ratio of the pixels of pictures of that size, which no whole number of pixels makes square.
  let pixelAspect: (width: Int, height: Int)
  /// What players assume of a film of this size that states no colours.
  private let assumed: FilmColor

  /// How pictures are turned to be upright.
  struct Turn {
    var orientation = Orientation.up
    /// Whether the stream says so with its pictures, not the container once.
    var isOfStream = false
  }

  init(_ values: FilmEntries, crop: PictureCrop, turned turn: Turn) {
    func text(_ name: String) -> String { values[name] ?? "unknown" }
    func number(_ name: String) -> Double { values[name].flatMap { Double($0) } ?? 0 }
    (codec, pixelFormat, fieldOrder) = (text("codec_name"), text("pix_fmt"), text("field_order"))
    (matrix, primaries) = (text("color_space"), text("color_primaries"))
    transfer = text("color_transfer")
    // What ffmpeg calls WebM's element, and its own tag in Matroska.
    hasAlphaBeside = [values["tag:alpha_mode"], values["tag:ALPHA_MODE"]].contains("1")
    self.turn = turn
    let (width, height) = (number("width"), number("height"))
    assumed = width >= 1280 || height > 576 ? .bt709 : height == 576 ? .bt470bg : .smpte170m
    let isKnown = [width, height].allSatisfy { (1...1e6).contains($0) }
    let whole = isKnown ? Dimensions(width: Int(width), height: Int(height)) : nil
    // ffmpeg 7.1 and newer do so by themselves, and say that the container asks for it.
    let isCropped = values.has("crop_left")
    shown = whole?.cropped(by: crop) ?? whole
    stored = isCropped ? shown : whole
    self.crop = crop
    var aspect = values["sample_aspect_ratio"].flatMap(ratio) ?? (1, 1)
    if crop.hasDisplaySize, !isCropped, let whole, let shown {
      aspect =
        Self.product(
          aspect, (whole.width * shown.height, shown.width * whole.height)) ?? aspect
    }
    (size, pixelAspect) = Self.square(shown, aspect, turn.orientation)
  }

  /// The product of two ratios; nil where its numbers are too large to multiply a side by.
  private static func product(
    _ a: (numerator: Int, denominator: Int), _ b: (numerator: Int, denominator: Int)
  ) -> (numerator: Int, denominator: Int)? {
    let above = a.numerator.multipliedReportingOverflow(by: b.numerator)
    let below = a.denominator.multipliedReportingOverflow(by: b.denominator)
    guard !above.overflow, !below.overflow else { return nil }
    var (divisor, rest) = (above.partialValue, below.partialValue)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    let ratio = (above.partialValue / divisor, below.partialValue / divisor)
    return max(ratio.0, ratio.1) < 1 << 40 ? ratio : nil
  }

  /// The size of upright pictures with nearly square pixels, an even side where no length makes them square, and
  /// the aspect ratio that is left of them. No side becomes shorter.
  private static func square(
    _ stored: Dimensions?, _ aspect: (numerator: Int, denominator: Int), _ orientation: Orientation
  ) -> (Dimensions?, (Int, Int)) {
    guard var size = stored else { return (nil, (1, 1)) }
    let isWide = aspect.numerator >= aspect.denominator
    let (more, less) = isWide ? aspect : (aspect.denominator, aspect.numerator)
    let side = isWide ? size.width : size.height
    let (whole, rest) = (side * more).quotientAndRemainder(dividingBy: less)
    let length = rest == 0 ? whole : 2 * max(1, (side * more + less) / (2 * less))
    if isWide { size.width = length } else { size.height = length }
    var left =
      rest == 0 ? (1, 1) : isWide ? (side * more, length * less) : (length * less, side * more)
    if orientation.swapsWidthAndHeight {
      (size, left) = (size.turned, (left.1, left.0))
    }
    return (size, left)
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

  /// Samples of more than a byte have an order of bytes, as have those of 4 to 6 bits that share one.
  private var isDeep: Bool {
    ["le", "be"].contains { pixelFormat.hasSuffix($0) }
      && !["rgb444", "rgb555", "rgb565", "bgr444", "bgr555", "bgr565"].contains {
        pixelFormat.hasPrefix($0)
      }
  }

  private var needsZscale: Bool {
    hasHighRange || ["bt2020c", "ycgco", "ictcp", "chroma-derived-nc"].contains(matrix)
  }

  private var usedMatrix: String {
    FilmColor.matrices[matrix] != nil ? matrix : assumed.matrix
  }

  private var isInterlaced: Bool { ["tt", "bb", "tb", "bt"].contains(fieldOrder) }

  /// A film that begins with whole pictures, as ffprobe says, may go on with fields. Where the stream says how pictures
  /// are turned, some versions of ffmpeg begin anew behind the first, and lose what a filter holds.
  private var mayHaveFields: Bool {
    if turn.isOfStream { return false }
    let formats = ["yuv", "uyvy", "nv", "p0", "p2"]
    let isLarge = stored.map { min($0.width, $0.height) >= 8 } ?? false
    return isLarge && (isInterlaced || formats.contains { pixelFormat.hasPrefix($0) })
  }

  /// The colour of the RGB pictures, for a film that is made of them.
  var color: FilmColor {
    if hasHighRange { return .bt709 }
    if primaries == "unknown", transfer == "unknown", isRGB || matrix == "unknown" {
      return isRGB ? .bt709 : assumed
    }
    let matrix = isRGB || needsZscale ? "bt709" : usedMatrix
    return FilmColor(matrix: matrix, primaries: primaries, transfer: transfer)
  }

  /// What the pictures lose of the film's; empty for nothing that is seen.
  var losses: [String] {
    let all = [
      (hasHighRange, "high dynamic range became BT.709"), (isDeep, "more than 8 bits became 8"),
      (isInterlaced, "interlaced pictures became whole ones"),
      (hasAlpha, "transparency, if any, became white"),
    ]
    return all.filter(\.0).map(\.1)
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

  /// The arguments for pictures whose size changes: filters that were made anew for it would lose those that they
  /// hold.
  var constancy: [String] {
    ["-noautorotate"] + (unchangingSize == nil ? [] : ["-reinit_filter", "0"])
  }

  private var unchangingSize: String? {
    stored.map { "scale=\($0.width):\($0.height):interl=-1" }
  }

  /// The filters, in the order in which they run. Without an interval between pictures, the film's own times stay.
  func filters(interval: RationalTime?) -> String {
    [
      needsZscale ? nil : Self.untagged, unchangingSize,
      mayHaveFields ? "bwdif=mode=send_frame:deint=interlaced" : nil, interval.map(timing),
      shown == stored ? nil : cropping,
      needsZscale ? rgbByZscale : nil, square, hasAlpha ? onWhite : nil, "format=rgb24", turning,
    ].compactMap { $0 }.joined(separator: ",")
  }

  /// Some versions of the filter `scale` refuse rare colours that they need not know.
  private static let untagged = "setparams=color_primaries=unknown:color_trc=unknown"

  private var cropping: String? {
    shown.map { "crop=\($0.width):\($0.height):\(crop.left):\(crop.top):exact=1" }
  }

  private var turning: String? {
    switch turn.orientation {
    case .up: nil
    case .upMirrored: "hflip"
    case .down: "hflip,vflip"
    case .downMirrored: "vflip"
    case .leftMirrored: "transpose=cclock_flip"
    case .right: "transpose=clock"
    case .rightMirrored: "transpose=clock_flip"
    case .left: "transpose=cclock"
    }
  }

  /// A longer gap between two pictures is shortened to this many.
  static let longestGap = 10_000

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

  private var square: String {
    let matrix = isRGB || needsZscale ? nil : FilmColor.matrices[usedMatrix]
    let lying = turn.orientation.swapsWidthAndHeight ? size?.turned : size
    let area = lying.map { "\($0.width):\($0.height)" } ?? "iw*sar:ih"
    // Chroma that is repeated, not interpolated, is the same again in a copy.
    let isWhole = lying != nil && lying == shown
    let exactly = FilmColor.exactly(by: isWhole ? "neighbor" : "bicubic")
    return "scale=\(area):in_color_matrix=\(matrix ?? "auto"):\(exactly),setsar=1"
  }

  /// What is far from white is weighed by alpha.
  private var onWhite: String { "format=gbrap,negate,premultiply=inplace=1,negate" }
}

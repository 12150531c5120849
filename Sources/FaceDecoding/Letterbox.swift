// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// How a picture is fitted into a network's input: scaled by one factor in both directions, to
/// whole pixels, then padded evenly with grey. Maps image pixels to network input pixels.
///
///     image 1280 × 720, long side 640:
///     scale 0.5, content 640 × 360, input 640 × 384, 12 rows of padding above and below
///
/// YOLOv5 calls this a letterbox (https://github.com/ultralytics/yolov5, `letterbox`). A network
/// that halves its input five times needs sides that are multiples of 32: its `Style` says so.
public struct Letterbox: CoordinateMapping, Hashable {
  /// What determines the input's size. Every side is a positive multiple of the style's
  /// granularity, at most `Letterbox.maximumInputSide`.
  public enum Mode: Codable, Hashable, Sendable {
    /// The picture's long side is scaled to this length; the short side is padded only to the next
    /// multiple of the granularity. The least work for the network.
    case longSide(Int)
    /// The picture's long side is scaled to this length; the input is a square.
    case square(Int)
    /// The input is exactly this large; the picture is scaled to fit inside it.
    case exact(width: Int, height: Int)
    /// The picture is scaled to about this many pixels in its own shape, then padded as for a long side.
    case area(Int)
  }

  /// What a network requires of its letterboxes.
  public struct Style: Sendable, Hashable {
    /// The red, green and blue of the padding, 0 to 255: the grey that the network was trained
    /// with.
    public let fill: UInt8
    /// Every side of the input is a multiple of this, the network's largest stride; 1 where the
    /// input has a fixed size.
    public let granularity: Int
    /// The only size that the input may have; nil where there are many.
    public let fixedSize: InputSize?
    /// Whether a picture is scaled to an exact size by two factors, and not padded.
    public let stretches: Bool
    /// The mode that a detector uses where none is chosen.
    public let standardMode: Mode

    /// The style of a network that takes many sizes.
    ///
    /// - Parameters:
    ///   - fill: the grey of the border, 0 to 255.
    ///   - granularity: what the sides are multiples of.
    ///   - standardMode: nil for a long side of 640, or the next multiple of the granularity.
    ///   - stretches: whether a picture is scaled to an exact size by two factors, and not padded.
    /// - Precondition: `granularity` is positive.
    public init(
      fill: UInt8, granularity: Int, standardMode: Mode? = nil, stretches: Bool = false
    ) {
      precondition(granularity > 0, "a granularity is positive, not \(granularity)")
      (self.fill, self.granularity, self.stretches) = (fill, granularity, stretches)
      fixedSize = nil
      self.standardMode = standardMode ?? .longSide(Self.roundedUp(640, to: granularity))
    }

    /// The style of a network that takes one size.
    public init(fill: UInt8, size: InputSize, stretches: Bool = false) {
      (self.fill, granularity) = (fill, 1)
      (fixedSize, self.stretches) = (size, stretches)
      standardMode = .exact(width: size.width, height: size.height)
    }

    /// YOLOv5's: a grey of 114 and multiples of 32.
    public static let yolov5 = Style(fill: 114, granularity: 32)
  }

  /// The size of a network's input in pixels.
  public struct InputSize: Sendable, Hashable, Codable {
    /// Columns.
    public let width: Int
    /// Rows.
    public let height: Int

    /// A size from its sides.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  }

  /// The longest side an input may have.
  public static let maximumInputSide = 16_384
  /// The longest side an image may have.
  package static let maximumImageSide = 1 << 20

  /// What the network requires.
  public let style: Style
  /// The image's width in pixels.
  public let imageWidth: Int
  /// The image's height in pixels.
  public let imageHeight: Int
  /// Input pixels per image pixel: the smaller one of what width and height allow.
  public let scale: Double
  /// The scaled image's width in whole pixels.
  public let scaledWidth: Int
  /// The scaled image's height in whole pixels.
  public let scaledHeight: Int
  /// The input's width, padding included.
  public let inputWidth: Int
  /// The input's height, padding included.
  public let inputHeight: Int
  /// Columns of padding left of the content. On its right there are as many, or one more.
  public let padLeft: Int
  /// Rows of padding above the content. Below it there are as many, or one more.
  public let padTop: Int

  /// Input pixels per image pixel in a row, after rounding to whole pixels.
  public var horizontalScale: Double { Double(scaledWidth) / Double(imageWidth) }
  /// Input pixels per image pixel in a column, after rounding to whole pixels.
  public var verticalScale: Double { Double(scaledHeight) / Double(imageHeight) }

  /// The image's extent in pixels.
  public var imageSize: Size2D { Size2D(width: Double(imageWidth), height: Double(imageHeight)) }

  /// Always false: a letterbox does not mirror.
  public var swapsSides: Bool { false }

  /// Fits an image of `imageWidth` × `imageHeight` pixels into an input by `mode`.
  ///
  /// The side that limits the scale fills the input; the other is scaled and rounded down to whole pixels, at least
  /// 1. Where the style stretches, both sides fill an input of an exact size or a square.
  ///
  /// - Throws: `ValueError` where a side of the image is not in 1 … `maximumImageSide`, or the
  ///   style does not admit the mode.
  public init(
    imageWidth: Int, imageHeight: Int, mode: Mode, style: Style = .yolov5
  ) throws(ValueError) {
    let sides = 1...Letterbox.maximumImageSide
    guard sides.contains(imageWidth), sides.contains(imageHeight) else {
      throw ValueError(
        "image size \(imageWidth) × \(imageHeight): each side must be from 1 to \(Letterbox.maximumImageSide)"
      )
    }
    try style.requireAdmitted(mode)
    let mode = style.sized(mode, forWidth: imageWidth, height: imageHeight)
    let (width, height) = mode.largestSides
    let horizontalScale = Double(width) / Double(imageWidth)
    let verticalScale = Double(height) / Double(imageHeight)
    (self.style, self.imageWidth, self.imageHeight) = (style, imageWidth, imageHeight)
    scale = min(horizontalScale, verticalScale)
    let isLongSide = if case .longSide = mode { true } else { false }
    let stretches = style.stretches && !isLongSide
    scaledWidth =
      stretches || horizontalScale <= verticalScale
      ? width : max(1, Int(Double(imageWidth) * scale))
    scaledHeight =
      stretches || verticalScale <= horizontalScale
      ? height : max(1, Int(Double(imageHeight) * scale))

    if isLongSide {
      (inputWidth, inputHeight) = (style.roundedUp(scaledWidth), style.roundedUp(scaledHeight))
    } else {
      (inputWidth, inputHeight) = (width, height)
    }
    padLeft = (inputWidth - scaledWidth) / 2
    padTop = (inputHeight - scaledHeight) / 2
  }

  /// From image pixels to network input pixels: the image's edges map to the scaled image's edges.
  public func map(_ point: Point2D) -> Point2D {
    Point2D(
      x: point.x * horizontalScale + Double(padLeft), y: point.y * verticalScale + Double(padTop))
  }

  /// From network input pixels to image pixels.
  public func unmap(_ point: Point2D) -> Point2D {
    Point2D(
      x: (point.x - Double(padLeft)) / horizontalScale,
      y: (point.y - Double(padTop)) / verticalScale)
  }
}

extension Letterbox.Style {
  /// The next multiple of the granularity; where that does not fit an `Int`, the last one that does.
  public func roundedUp(_ side: Int) -> Int { Self.roundedUp(side, to: granularity) }

  fileprivate static func roundedUp(_ side: Int, to granularity: Int) -> Int {
    let (whole, rest) = side.quotientAndRemainder(dividingBy: granularity)
    let below = whole * granularity
    let (next, overflows) = below.addingReportingOverflow(granularity)
    return rest > 0 && !overflows ? next : below
  }

  /// A mode for an image of this size: of an area, the long side that has it.
  fileprivate func sized(
    _ mode: Letterbox.Mode, forWidth width: Int, height: Int
  ) -> Letterbox.Mode {
    guard case .area(let area) = mode else { return mode }
    let aspect = Double(max(width, height)) / Double(min(width, height))
    let side = max(1, Int((Double(area) * aspect).squareRoot()))
    return .longSide(
      min(roundedUp(side), Letterbox.maximumInputSide / granularity * granularity))
  }

  /// Refuses a mode that the network cannot take.
  ///
  /// - Throws: `ValueError` where a number of the mode is not a positive multiple of the
  ///   granularity up to `Letterbox.maximumInputSide`, or the mode is not the fixed size. An area is that of a square
  ///   of any such side.
  public func requireAdmitted(_ mode: Letterbox.Mode) throws(ValueError) {
    var (width, height) = mode.largestSides
    if case .area = mode { (width, height) = (roundedUp(width), roundedUp(height)) }
    guard [width, height].allSatisfy({ (1...Letterbox.maximumInputSide).contains($0) }),
      width.isMultiple(of: granularity), height.isMultiple(of: granularity)
    else {
      throw ValueError(
        "network input size \(width) × \(height): each side must be a multiple of \(granularity) from "
          + "\(granularity) to \(Letterbox.maximumInputSide)")
    }
    if let fixedSize, mode != standardMode {
      throw ValueError(
        "\(mode): the network takes inputs of \(fixedSize.width) × \(fixedSize.height) only")
    }
  }
}

extension Letterbox.Mode: CustomStringConvertible {
  /// What determines the input's size, in words.
  public var description: String {
    switch self {
    case .longSide(let size): "a long side of \(size)"
    case .square(let size): "an input of \(size) × \(size)"
    case .exact(let width, let height): "an input of \(width) × \(height)"
    case .area: "an input of about \(longSide) × \(longSide) pixels, in the picture's shape"
    }
  }

  /// The longer side of the largest input; of an area, that of a square picture's.
  public var longSide: Int { max(largestSides.width, largestSides.height) }

  /// The sides that no picture's input exceeds; of an area, those of a square picture's.
  fileprivate var largestSides: (width: Int, height: Int) {
    switch self {
    case .longSide(let size), .square(let size): (size, size)
    case .exact(let width, let height): (width, height)
    case .area(let area): (Self.side(ofArea: area), Self.side(ofArea: area))
    }
  }

  /// The side of a square of so many pixels.
  private static func side(ofArea area: Int) -> Int { Int(Double(max(0, area)).squareRoot()) }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceRaster

/// Looks that cover a picture at one scale: one at the whole, or one at each of several overlapping tiles.
struct SearchPass {
  /// Pixels of the network's input for each pixel of the picture.
  let scale: Double
  /// The faces that the pass may report, as roots of their boxes' areas in pixels of the input.
  let reported: Range<Double>
  /// Those that it is expected to find.
  let expected: Range<Double>
  /// By how much tiles overlap, in pixels of the picture: a face that is not larger is whole in one of them.
  let overlap: Double
  let looks: [Look]

  /// Whether the pass may report a face of this size.
  func reports(_ box: Box) -> Bool { reported.contains(side(of: box)) }

  /// Whether the pass is expected to find a face of this size, if there is one.
  func isExpectedToFind(_ box: Box) -> Bool { expected.contains(side(of: box)) }

  /// The root of a box's area in pixels of the input.
  private func side(of box: Box) -> Double { scale * box.area.squareRoot() }
}

/// The shape of long pictures' looks.
private enum LongPicture {
  /// A picture whose sides differ by more than this factor is long.
  static let longestWhole = 3.0
  /// The length of a window along the long side, in short sides, unless that would enlarge the picture.
  static let length = 2.0
  /// A long picture is seen whole where its short side has as many pixels of the input as that of a picture
  /// which is just not long.
  static let enough = 640.0 / longestWhole
}

extension SearchPass {
  /// A look at the whole picture, or at windows along a long one, each as large in the input as a picture of
  /// usual shape.
  ///
  /// - Parameters:
  ///   - image: the upright picture's size.
  ///   - mode: how the picture, or each window, is fitted into the input.
  ///   - isSmall: whether the picture is shrunk for the sake of faces that fill it. A crowd looks like single
  ///     small faces then, which are not reported.
  init(
    whole image: Size2D, direction: Orientation = .up, mode: Letterbox.Mode, style: Letterbox.Style,
    isSmall: Bool = false
  ) throws(ValueError) {
    let reported = (isSmall ? FaceSize.smallestFound : 0)..<Double.infinity
    let expected = FaceSize.smallestFound..<(isSmall ? .infinity : FaceSize.largestFound)
    let (short, long) = (min(image.width, image.height), max(image.width, image.height))
    let whole = try Look(
      PictureTile(x: 0, y: 0, width: Int(image.width), height: Int(image.height)),
      direction: direction, mode: mode, style: style)
    let scale = whole.letterbox.scale
    guard long > LongPicture.longestWhole * short, scale < 1, scale * short < LongPicture.enough
    else {
      self.init(scale: scale, reported: reported, expected: expected, overlap: 0, looks: [whole])
      return
    }
    let length = max(LongPicture.length * short, Double(mode.longSide))
    var looks: [Look] = []
    for span in Self.spans(of: long, length: length, overlap: short) {
      let tile =
        image.width < image.height
        ? PictureTile(x: 0, y: span.start, width: Int(short), height: span.length)
        : PictureTile(x: span.start, y: 0, width: span.length, height: Int(short))
      looks.append(try Look(tile, direction: direction, mode: mode, style: style))
    }
    self.init(
      scale: looks[0].letterbox.scale, reported: reported, expected: expected, overlap: short,
      looks: looks)
  }

  /// The longest side of an input that is not cut into tiles, which keeps the memory flat.
  static let largestInput = 1280
  /// By how much tiles overlap, in pixels of the input, unless half an input is less.
  private static let largestOverlap = 192.0
  /// The largest faces that a look at an enlarged picture is asked for, as a share of the overlap, which has
  /// room for their surroundings.
  private static let shareOfFace = 2.0 / 3

  /// Looks at an enlarged picture, tile by tile.
  ///
  /// - Parameters:
  ///   - image: the upright picture's size.
  ///   - scale: pixels of the input for each of the picture.
  ///   - limit: the longest side of an input, where the network takes several sizes.
  init(
    enlarged image: Size2D, scale: Double, direction: Orientation = .up, upTo limit: Int,
    style: Letterbox.Style
  ) throws(ValueError) {
    let input =
      style.fixedSize.map {
        direction.uprightSize(of: Size2D(width: Double($0.width), height: Double($0.height)))
      } ?? Size2D(width: Double(limit), height: Double(limit))
    let overlap = min(Self.largestOverlap, min(input.width, input.height) / 2)
    let columns = Self.spans(of: image.width, length: input.width / scale, overlap: overlap / scale)
    let rows = Self.spans(of: image.height, length: input.height / scale, overlap: overlap / scale)
    var looks: [Look] = []
    for row in rows {
      for column in columns {
        let side = Int((scale * Double(max(column.length, row.length))).rounded(.up))
        let mode =
          style.fixedSize == nil ? .longSide(style.roundedUp(min(side, limit))) : style.standardMode
        let tile = PictureTile(
          x: column.start, y: row.start, width: column.length, height: row.length)
        looks.append(try Look(tile, direction: direction, mode: mode, style: style))
      }
    }
    let largest = Self.shareOfFace * overlap
    self.init(
      scale: scale, reported: 0..<largest,
      expected: min(FaceSize.smallestFound, largest)..<largest, overlap: overlap / scale,
      looks: looks)
  }

  /// Overlapping parts of equal length that cover an axis, evenly spaced.
  private static func spans(
    of side: Double, length: Double, overlap: Double
  ) -> [(start: Int, length: Int)] {
    let length = min(length.rounded(.up), side)
    let step = max(length - overlap.rounded(.up), 1)
    let count = Int(((side - length) / step).rounded(.up)) + 1
    return (0..<count).map { number in
      let start = count == 1 ? 0 : (side - length) * Double(number) / Double(count - 1)
      return (Int(start), Int(length))
    }
  }
}

extension PictureTile {
  /// How near to an edge a box ends where a face may be cut off, as a share of the box: what is cut off is
  /// seldom found to the last pixel.
  private static let nearness = 0.15

  /// Whether a tile cuts a face off.
  enum Cut {
    /// It ends at no edge inside the picture.
    case none
    /// It may be cut off, and no tile may have it whole.
    case perhaps
    /// It may be cut off; a neighbouring tile has it whole, and not as near to an edge.
    case wholeElsewhere
  }

  /// Whether a box ends near an edge of the tile inside the picture.
  ///
  /// - Parameter overlap: that of the tiles, in the picture's pixels, as is the box.
  func cut(_ box: Box, in image: Size2D, overlap: Double) -> Cut {
    let near = Self.nearness * box.longerSide
    let isCutAcross =
      x > 0 && box.minX < Double(x) + near
      || Double(x + width) < image.width && box.maxX > Double(x + width) - near
    let isCutDown =
      y > 0 && box.minY < Double(y) + near
      || Double(y + height) < image.height && box.maxY > Double(y + height) - near
    guard isCutAcross || isCutDown else { return .none }
    let isElsewhere =
      isCutAcross && box.width + 2 * near < overlap || isCutDown && box.height + 2 * near < overlap
    return isElsewhere ? .wholeElsewhere : .perhaps
  }
}

extension FaceDetector {
  /// The faces that a pass finds, in the picture's pixels: those of the sizes that it reports. In tiles,
  /// of several finds that overlap the best one stays.
  ///
  /// - Parameters:
  ///   - image: the upright picture.
  ///   - noting: called at each stage of each look.
  ///   - done: called after each look.
  func faces(
    in image: RGBImage, by pass: SearchPass, options: DetectionOptions,
    noting: ((LookStage) -> Void)? = nil, done: () -> Void = {}
  ) throws(DetectionError) -> [Face] {
    var (whole, cut): ([Face], [Face]) = ([], [])
    for look in pass.looks {
      for face in try faces(in: image, by: look, options: options, noting: noting)
      where pass.reports(face.box) {
        switch look.tile.cut(face.box, in: image.size, overlap: pass.overlap) {
        case .none: whole.append(face)
        case .perhaps: cut.append(face)
        case .wholeElsewhere: break
        }
      }
      done()
    }
    guard pass.looks.count > 1 else { return whole }
    cut.removeAll { part in
      whole.contains { $0.box.intersectionArea(with: part.box) > part.box.area / 2 }
    }
    return separate(whole + cut, overlap: options.overlapThreshold)
  }

  /// The pass of one look at an upright picture, or at its windows.
  func firstPass(
    over image: Size2D, direction: Orientation = .up, options: DetectionOptions
  ) throws(DetectionError) -> SearchPass {
    try namingValue(
      SearchPass(
        whole: image, direction: direction, mode: mode(options), style: recipe.letterbox))
  }

  /// The faces of an upright picture by one look, or by its windows, in the picture's pixels, best score
  /// first.
  @_spi(Tool) public func facesAtOnce(
    in image: RGBImage, options: DetectionOptions, noting: ((LookStage) -> Void)? = nil
  ) throws(DetectionError) -> [Face] {
    let pass = try firstPass(over: image.size, options: options)
    let faces = try faces(in: image, by: pass, options: options, noting: noting)
    return Array(faces.prefix(max(0, options.maximumFaces)))
  }
}

import FaceDecoding
import Geometry

/// One look at a whole picture at one scale, in overlapping tiles where the network's input would be too
/// large otherwise.
struct SearchPass {
  /// A part of the picture, in whole pixels.
  struct Tile: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// The longest side of an input that is not cut into tiles, which keeps the memory flat.
  static let largestInput = 1280
  /// The smallest faces that any look is expected to find, as the root of the box's area in pixels of the
  /// network's input.
  static let smallestFace = 12.0
  /// By how much tiles overlap, in pixels of the input, unless half an input is less.
  static let largestOverlap = 192.0
  /// The largest faces that a look at an enlarged picture is asked for, as a share of the overlap, which has
  /// room for their surroundings.
  static let shareOfFace = 2.0 / 3

  /// Pixels of the network's input for each pixel of the picture.
  let scale: Double
  /// The largest faces that the look is asked for, as the root of the box's area in pixels of the input.
  let largestFace: Double
  /// Whether the tiles are mirrored before they are searched, and the faces found mirrored back.
  let isMirrored: Bool
  let tiles: [Tile]

  /// The first look: the whole picture, whatever its input.
  init(whole image: Size, scale: Double) {
    self.scale = scale
    largestFace = .infinity
    isMirrored = false
    tiles = [Tile(x: 0, y: 0, width: Int(image.width), height: Int(image.height))]
  }

  /// A look at an enlarged picture.
  ///
  /// - Parameters:
  ///   - image: the picture's size.
  ///   - scale: pixels of the input for each of the picture.
  ///   - input: the largest input.
  ///   - isMirrored: whether it is a look at its mirror image.
  init(image: Size, scale: Double, input: Size, isMirrored: Bool = false) {
    self.scale = scale
    self.isMirrored = isMirrored
    let overlap = min(Self.largestOverlap, min(input.width, input.height) / 2)
    largestFace = Self.shareOfFace * overlap
    let columns = Self.spans(
      of: image.width, length: input.width / scale, overlap: overlap / scale)
    let rows = Self.spans(
      of: image.height, length: input.height / scale, overlap: overlap / scale)
    tiles = rows.flatMap { row in
      columns.map { Tile(x: $0.start, y: row.start, width: $0.length, height: row.length) }
    }
  }

  /// Whether a face of this size is one that the look is asked for.
  func looksFor(_ box: Rectangle) -> Bool { side(of: box) < largestFace }

  /// Whether the look is expected to find a face of this size, if there is one.
  func isExpectedToFind(_ box: Rectangle) -> Bool {
    looksFor(box) && side(of: box) >= Self.smallestFace
  }

  /// The root of a box's area in pixels of the input.
  private func side(of box: Rectangle) -> Double { scale * box.area.squareRoot() }

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

extension SearchPass.Tile {
  /// Whether a box, in the picture's pixels, ends at an edge of the tile inside the picture, where a face
  /// may be cut off; a neighbouring tile has it whole.
  ///
  /// - Parameter margin: in pixels of the picture.
  func cuts(_ box: Rectangle, in image: Size, margin: Double) -> Bool {
    x > 0 && box.minX < Double(x) + margin
      || y > 0 && box.minY < Double(y) + margin
      || Double(x + width) < image.width && box.maxX > Double(x + width) - margin
      || Double(y + height) < image.height && box.maxY > Double(y + height) - margin
  }
}

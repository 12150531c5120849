// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceRaster

/// One run of the network: which part of an upright picture it sees, which way up, and how large.
///
/// All searches are made of looks; `FaceDetector.faces(in:by:options:noting:)` takes one.
public struct Look: Hashable, Sendable {
  /// The part of the picture.
  public let tile: PictureTile
  /// How the part is turned, or mirrored, before the network sees it.
  public let direction: Orientation
  /// How the turned part is fitted into the network's input.
  public let letterbox: Letterbox
  /// From the part's pixels to the turned part's.
  private let space: ViewSpace

  /// A look at a part of a picture.
  ///
  /// - Throws: `ValueError` where the size of the part or of the input is out of bounds.
  public init(
    _ tile: PictureTile, direction: Orientation = .up, mode: Letterbox.Mode,
    style: Letterbox.Style
  ) throws(ValueError) {
    let swaps = direction.swapsWidthAndHeight
    letterbox = try Letterbox(
      imageWidth: swaps ? tile.height : tile.width, imageHeight: swaps ? tile.width : tile.height,
      mode: mode, style: style)
    space = ViewSpace(
      turning: Size2D(width: Double(tile.width), height: Double(tile.height)), from: direction)
    (self.tile, self.direction) = (tile, direction)
  }

  /// What the network sees of a picture.
  ///
  /// - Throws: `ValueError` where the result would be too large.
  public func input(
    of image: RGBImage, filter: ResizeFilter = .automatic
  ) throws(ValueError) -> RGBImage {
    try image.cropped(x: tile.x, y: tile.y, width: tile.width, height: tile.height)
      .upright(from: direction).letterboxed(letterbox, filter: filter)
  }

  /// A face in pixels of the network's input, in the picture's pixels.
  public func unmap(_ face: Face) -> Face {
    let face = letterbox.unmap(face)
    return (direction == .up ? face : space.unmap(face))
      .moved(x: Double(tile.x), y: Double(tile.y))
  }
}

/// What a look has done, in order.
@_spi(Tool) public enum LookStage {
  /// The picture has been fitted into the network's input.
  case letterboxed(RGBImage)
  /// A step of the network has run.
  case ran(StepTime)
  /// The outputs have become candidates, in pixels of the input.
  case decoded([Face])
  /// Suppression has left these faces, in the picture's pixels.
  case suppressed([Face])
}

extension FaceDetector {
  /// The faces that a look finds, in the picture's pixels, best score first.
  ///
  /// - Parameters:
  ///   - image: the upright picture.
  ///   - look: a look at this picture.
  ///   - options: the filter and the thresholds.
  ///   - noting: called at the end of each stage, and of each step of the network, which is slower than
  ///     without.
  @_spi(Tool) public func faces(
    in image: RGBImage, by look: Look, options: DetectionOptions,
    noting: ((LookStage) -> Void)? = nil
  ) throws(DetectionError) -> [Face] {
    let letterbox = look.letterbox
    // A size that cannot be run is refused before the picture is resized to it.
    try namingNetwork(engine.prepare(rows: letterbox.inputHeight, columns: letterbox.inputWidth))
    let input = try namingValue(look.input(of: image, filter: options.resizeFilter))
    noting?(.letterboxed(input))
    let timer = noting.map { noting in { (step: StepTime) in noting(.ran(step)) } }
    let candidates = try candidates(in: input, options: options, timer: timer)
    noting?(.decoded(candidates))
    let suppression = nonMaximumSuppression(
      of: candidates, overlapThreshold: options.overlapThreshold,
      maximumCount: options.maximumFaces, maximumCandidates: options.maximumCandidates)
    let faces = suppression.kept.map { look.unmap(candidates[$0]) }
    noting?(.suppressed(faces))
    return faces
  }

  /// A look at the whole of an upright picture.
  ///
  /// - Throws: `DetectionError.value` where the size of the picture or of the input is out of bounds.
  @_spi(Tool) public func wholeLook(
    at image: RGBImage, options: DetectionOptions
  ) throws(DetectionError) -> Look {
    try namingValue(
      Look(
        PictureTile(x: 0, y: 0, width: image.width, height: image.height),
        mode: mode(options), style: recipe.letterbox))
  }

  /// How whole pictures are fitted into the input.
  func mode(_ options: DetectionOptions) -> Letterbox.Mode {
    options.letterbox ?? recipe.letterbox.standardMode
  }
}

extension ViewSpace {
  /// From the pixels of a picture, or a part of one, to those of the upright one.
  init(turning size: Size2D, from orientation: Orientation) {
    guard let space = try? ViewSpace(imageSize: size, orientation: orientation) else {
      preconditionFailure("a picture has sides of 1 to 2²⁸ pixels, not \(size)")
    }
    self = space
  }
}

extension Face {
  /// The face at another place.
  func moved(x: Double, y: Double) -> Face {
    var face = self
    face.box.x += x
    face.box.y += y
    face.landmarks = landmarks?.map { Point2D(x: $0.x + x, y: $0.y + y) }
    return face
  }
}

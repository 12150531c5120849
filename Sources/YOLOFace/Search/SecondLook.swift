import FaceDecoding
import Geometry
import Raster

/// When and how a second look is taken; sizes are in pixels of the picture unless stated.
private enum SecondLook {
  /// The side of the network's input for a face that is cut out.
  static let side = 224
  /// The side of the square cut out, as a multiple of the longer side of the face's box.
  static let margin = 2.2
  /// Smaller faces are left alone: they have no pose either.
  static let smallestFace = 20.0
  /// More faces than this are searched together, in the whole picture turned by 180°.
  static let mostTurnedAlone = 4
  /// How much higher a face must score upside down to be marked. Few upright faces reach this, and nearly all
  /// that are upside down do.
  static let scoreMargin: Float = 0.02
  /// The landmarks of faces larger than this in the network's input scatter.
  static let largestSteadyFace = 200.0
  /// The most large faces refined, the largest first.
  static let mostRefined = 16
  /// The least intersection over union of the face and a detection of it.
  static let overlap = 0.3
}

extension FaceDetector {
  /// The same faces after a second look at each, in the same order: those that are upside down are
  /// marked, and large ones have better landmarks. Boxes and scores stay.
  ///
  /// - The network also finds faces turned by more than 100°, with landmarks as if they were
  ///   upright; neither the landmarks nor the score give them away. So each face is searched for
  ///   again in the picture turned by 180°: one that scores higher there is `isUpsideDown`. Faces
  ///   under 20 pixels are skipped.
  /// - The landmarks of a face that covers more than 200 pixels of the network's input scatter. The
  ///   16 largest of these are cut out and searched again at about 100 pixels; the landmarks found
  ///   there replace the first ones.
  ///
  /// With `refinesAll`, small faces, too, are among those 16, so that all landmarks are found at
  /// the same size; comparing faces of different pictures needs this.
  ///
  /// All this was measured with YOLO5Face's models; faces of other known families stay as they are.
  /// So do those that were refined or searched for in four directions, for both settle which way up
  /// a face is.
  ///
  /// Up to four faces, or any number that was searched for in tiles, take one or two runs of the network on
  /// 224 × 224 pixels each; more take one run on the whole picture.
  ///
  /// - Parameters:
  ///   - faces: found in the picture, in pixels of the picture as stored; not clipped to it.
  ///   - image: the stored picture.
  ///   - options: those that found the faces.
  ///   - refinesAll: whether faces of every size may be among the 16 whose landmarks are refined.
  /// - Throws: as `detect(in:options:progress:)`.
  public func lookingAgain(
    at faces: [Face], in image: RGBImage, options: DetectionOptions = DetectionOptions(),
    refinesAll: Bool = false
  ) throws -> [Face] {
    let isSettled = options.refinesFaces || options.effort.rotations == 4
    guard !faces.isEmpty, !isSettled, recipe.isMeasuredOnCutOuts else { return faces }
    let space = try ViewSpace(imageSize: image.size, orientation: options.orientation)
    let upright = image.upright(from: options.orientation)
    var seen = faces.map { space.map($0) }
    try markUpsideDown(&seen, in: upright, options: options)
    let limit =
      refinesAll ? 0 : SecondLook.largestSteadyFace / (try scale(ofStored: image, options: options))
    let refined = try refineLandmarks(&seen, largerThan: limit, in: upright)
    var result = faces
    for index in faces.indices { result[index].isUpsideDown = seen[index].isUpsideDown }
    for index in refined {
      result[index].landmarks = seen[index].landmarks.map { space.unmap($0) }
    }
    return result
  }

  private func markUpsideDown(
    _ faces: inout [Face], in image: RGBImage, options: DetectionOptions
  ) throws {
    let visible = faces.indices.filter {
      faces[$0].box.longerSide >= SecondLook.smallestFace && faces[$0].cutOut(of: image) != nil
    }
    // One look at the whole picture misses faces that only tiles show.
    guard visible.count > SecondLook.mostTurnedAlone, options.effort.tiles == 1 else {
      for index in visible { faces[index].isUpsideDown = try isUpsideDown(faces[index], in: image) }
      return
    }
    var options = options
    options.scoreThreshold = DetectionOptions().scoreThreshold
    options.smallFaceScoreThreshold = nil
    // The best faces of the turned picture may not be the ones in question.
    options.maximumFaces = .max
    let found = try detectOnce(inUpright: image, options, direction: .down)
    for index in visible {
      let score = faces[index].best(of: found)?.score ?? 0
      faces[index].isUpsideDown = score > faces[index].score + SecondLook.scoreMargin
    }
  }

  private func isUpsideDown(_ face: Face, in image: RGBImage) throws -> Bool {
    let turned = try look(at: face, in: image, direction: .down)?.score ?? 0
    guard turned >= DetectionOptions().scoreThreshold else { return false }
    let upright = try look(at: face, in: image, direction: .up)?.score ?? 0
    return turned > upright + SecondLook.scoreMargin
  }

  /// The indices of the faces whose landmarks were replaced.
  private func refineLandmarks(
    _ faces: inout [Face], largerThan limit: Double, in image: RGBImage
  ) throws -> [Int] {
    let large = faces.indices.filter {
      !faces[$0].isUpsideDown && faces[$0].landmarks != nil && faces[$0].box.longerSide > limit
    }.sorted { faces[$0].box.longerSide > faces[$1].box.longerSide }
    return try large.prefix(SecondLook.mostRefined).filter { index in
      guard let found = try look(at: faces[index], in: image, direction: .up) else { return false }
      faces[index].landmarks = found.landmarks
      return true
    }
  }

  /// The face found in a cut-out around a face, in the picture's pixels.
  ///
  /// - Parameter direction: how the cut-out is turned before.
  func look(at face: Face, in image: RGBImage, direction: Orientation) throws -> Face? {
    guard let part = face.cutOut(of: image) else { return nil }
    let cutOut = try image.cropped(
      x: part.x, y: part.y, width: part.width, height: part.height)
    let found = try faces(inCutOut: cutOut, side: SecondLook.side, direction)
    return face.best(of: found.map { $0.moved(x: Double(part.x), y: Double(part.y)) })
  }

  /// The faces found in a part of a picture that was cut out around a face, in the part's pixels.
  ///
  /// - Parameters:
  ///   - part: what was cut out.
  ///   - side: the side of the network's input, if it takes several.
  ///   - direction: how the part is turned before.
  func faces(
    inCutOut part: RGBImage, side: Int, _ direction: Orientation
  ) throws -> [Face] {
    var options = DetectionOptions()
    if recipe.letterbox.fixedSize == nil {
      options.letterbox = .square(recipe.letterbox.roundedUp(side))
    }
    options.scoreThreshold = 0.1
    return try detectOnce(inUpright: part, options, direction: direction)
  }
}

extension ModelRecipe {
  /// Whether looks at cut-out faces were measured with models of this family.
  var isMeasuredOnCutOuts: Bool { family.map { $0.family == .yolo5Face } ?? true }
}

extension Face {
  /// The best of the faces at this one's place.
  func best(of faces: [Face]) -> Face? {
    faces.filter { $0.box.intersectionOverUnion(with: box) >= SecondLook.overlap }
      .max { $0.score < $1.score }
  }

  func moved(x: Double, y: Double) -> Face {
    var face = self
    face.box.x += x
    face.box.y += y
    face.landmarks = landmarks?.map { Point(x: $0.x + x, y: $0.y + y) }
    return face
  }

  /// The square around the face, clipped to the picture, in whole pixels; nil where it is outside.
  fileprivate func cutOut(of image: RGBImage) -> (x: Int, y: Int, width: Int, height: Int)? {
    let side = SecondLook.margin * box.longerSide
    let around = Rectangle(center: box.center, size: Size(width: side, height: side))
      .clipped(to: image.size)
    guard side.isFinite, !around.isDegenerate else { return nil }
    let (x, y) = (Int(around.minX), Int(around.minY))
    let width = min(Int(around.maxX.rounded(.up)), image.width) - x
    let height = min(Int(around.maxY.rounded(.up)), image.height) - y
    return width > 0 && height > 0 ? (x, y, width, height) : nil
  }
}

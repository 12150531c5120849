// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceRaster

/// How a face is looked at again; sizes are in pixels of the network's input.
private enum CloseLook {
  /// The side of the square cut out. An odd multiple of 32 has its middle in the middle of a cell of the
  /// largest stride, where landmarks are far better than at a cell's edge. With less around them, some
  /// faces seem to be upside down.
  static let side = 288
  /// The longer side of the face's box in the first square and in the second.
  static let faceSide = 176.0
  static let largerFaceSide = 224.0
  /// The most faces refined, the first ones: a bound on what a low threshold costs.
  static let mostRefined = 512
  /// The share of the look at the cut-out in a refined score.
  static let share: Float = 1.0 / 3
  /// The face and its mirror image, one way up and the other.
  static let upright: [Orientation] = [.up, .upMirrored]
  static let upsideDown: [Orientation] = [.down, .downMirrored]
  /// How much higher a face and its mirror image must score upside down, in the mean, to be turned.
  static let turnMargin: Float = 0.03
  /// How much higher a face must score in the turned picture to be marked. Few upright faces reach this, and
  /// nearly all that are upside down do.
  static let markMargin: Float = 0.02
  /// More faces than this are searched for together, in the whole picture turned by 180°.
  static let mostTurnedAlone = 4
  /// The most large faces whose landmarks are checked, the largest first.
  static let mostChecked = 16
  /// The side of the input for a face that is cut out with its surroundings, and the side of what is cut out, as
  /// a multiple of the longer side of the face's box.
  static let (surroundingsSide, surroundings) = (224, 2.2)
  static let leastScore: Float = 0.1
  /// The least intersection over union of the face and a detection of it.
  static let overlap = 0.3
}

extension FaceDetector {
  /// The same faces with better landmarks and scores, in the same order: each face is cut out, turned upright
  /// by its landmarks, scaled to 176 and to 224 pixels, and put through the network again, as is and
  /// mirrored. The landmarks become the mean of the four; the score becomes two thirds of what it was and a
  /// third of that in the first look that finds the face again, since a false detection is seldom found
  /// twice. Boxes stay.
  ///
  /// A face that scores higher, together with its mirror image, with the first cut-out turned by 180° is
  /// upside down, and gets its landmarks from there. One that is not found again keeps its landmarks, and
  /// two thirds of its score.
  ///
  /// Each face takes six runs of the network on 288 × 288 pixels; faces after the first 512 stay as they
  /// are. This was measured with YOLO5Face's
  /// models; faces of other known families, and those without landmarks, stay as they are.
  ///
  /// - Parameters:
  ///   - faces: found in the picture, in pixels of the picture as stored; not clipped to it.
  ///   - image: the stored picture.
  ///   - options: those that found the faces; only the orientation counts.
  public func refining(
    _ faces: [Face], in image: RGBImage, options: DetectionOptions = DetectionOptions()
  ) throws(DetectionError) -> [Face] {
    guard !faces.isEmpty else { return faces }
    return try self.faces(in: image, storedAs: options.orientation) {
      upright, space throws(DetectionError) in
      try refined(faces.map { space.map($0) }, in: upright)
    }
  }

  /// `refining` for an upright picture.
  func refined(_ faces: [Face], in image: RGBImage) throws(DetectionError) -> [Face] {
    guard recipe.isMeasuredOnCutOuts else { return faces }
    var faces = faces
    for (index, face) in faces.enumerated().prefix(CloseLook.mostRefined) {
      guard let turn = face.uprightTurn(in: image) else { continue }
      let again = try refine(face, turn, in: image)
      if let landmarks = again.landmarks { faces[index].landmarks = landmarks }
      faces[index].score += CloseLook.share * (again.score - face.score)
    }
    return faces
  }

  /// The landmarks found in two cut-outs, in the picture's pixels, and the score in the first look that finds
  /// the face; nil and 0 where none does. Which way up the face is, the first cut-out decides.
  private func refine(
    _ face: Face, _ turn: (cosine: Double, sine: Double), in image: RGBImage
  ) throws(DetectionError) -> (landmarks: Landmarks?, score: Float) {
    let first = CutOut(of: face, turn, faceSide: CloseLook.faceSide)
    let upright = try look(through: first, at: image, CloseLook.upright)
    let turned = try look(through: first, at: image, CloseLook.upsideDown)
    let isUpsideDown = meanScore(of: turned) > meanScore(of: upright) + CloseLook.turnMargin
    let second = CutOut(of: face, turn, faceSide: CloseLook.largerFaceSide)
    let larger = try look(
      through: second, at: image, isUpsideDown ? CloseLook.upsideDown : CloseLook.upright)
    let faces = ((isUpsideDown ? turned : upright) + larger).compactMap(\.self)
    guard let score = faces.first?.score else { return (nil, 0) }
    let landmarks = faces.compactMap(\.landmarks)
    guard !landmarks.isEmpty else { return (nil, score) }
    let weights = [Double](repeating: 1 / Double(landmarks.count), count: landmarks.count)
    return (Landmarks.mean(of: landmarks, weights: weights), score)
  }

  /// A face that is not found counts as 0.
  private func meanScore(of faces: [Face?]) -> Float {
    faces.reduce(0) { $0 + ($1?.score ?? 0) } / Float(faces.count)
  }

  /// The face in the middle of a cut-out, in each direction, with its landmarks in the picture's pixels.
  private func look(
    through view: CutOut, at image: RGBImage, _ directions: [Orientation]
  ) throws(DetectionError) -> [Face?] {
    let picture = try namingValue(view.picture(of: image))
    let tile = PictureTile(x: 0, y: 0, width: picture.width, height: picture.height)
    let inverse = view.transform.inverse
    return try directions.map { direction throws(DetectionError) -> Face? in
      let found = try best(at: view.expected, in: picture, tile, direction, side: CloseLook.side)
      guard var face = found else { return nil }
      face.landmarks = face.landmarks?.map { inverse($0) }
      return face
    }
  }
}

extension FaceDetector {
  /// Marks the faces that are upside down, and gives large ones better landmarks; boxes and scores stay.
  ///
  /// - The network also finds faces turned by more than 100°, with landmarks as if they were
  ///   upright; neither the landmarks nor the score give them away. So up to four faces, or any number that
  ///   was searched for in tiles, are cut out and searched for again, turned by 180°; more, in the whole
  ///   picture, turned. A face that scores higher there is `isMarkedUpsideDown`. Faces under 20 pixels are skipped.
  /// - The landmarks of a face that covers more than 200 pixels of the network's input scatter. The
  ///   16 largest of these are cut out, turned upright and searched again at 176 pixels.
  ///
  /// Faces that were searched for in four directions stay as they are: that has settled which way up they are.
  ///
  /// - Parameters:
  ///   - faces: found in the upright picture, in its pixels.
  ///   - image: the upright picture.
  ///   - options: those that found the faces.
  ///   - scale: that of their first pass.
  func check(
    _ faces: inout [Face], in image: RGBImage, _ options: DetectionOptions, scale: Double
  ) throws(DetectionError) {
    guard !faces.isEmpty, options.effort.rotations == 1, recipe.isMeasuredOnCutOuts else { return }
    try markUpsideDown(&faces, in: image, options)
    let limit = FaceSize.largestSteady / scale
    let large = faces.indices.filter {
      !faces[$0].isMarkedUpsideDown && faces[$0].box.longerSide > limit
    }.sorted { faces[$0].box.longerSide > faces[$1].box.longerSide }
    for index in large.prefix(CloseLook.mostChecked) {
      guard let turn = faces[index].uprightTurn(in: image) else { continue }
      let view = CutOut(of: faces[index], turn, faceSide: CloseLook.faceSide)
      if let found = try look(through: view, at: image, [.up]).first.flatMap(\.self) {
        faces[index].landmarks = found.landmarks
      }
    }
  }

  private func markUpsideDown(
    _ faces: inout [Face], in image: RGBImage, _ options: DetectionOptions
  ) throws(DetectionError) {
    let visible = faces.indices.filter {
      faces[$0].box.longerSide >= FaceSize.smallestLookedAt && faces[$0].cutOut(of: image) != nil
    }
    let least = DetectionOptions().scoreThreshold
    // One look at the whole picture misses faces that only tiles show.
    guard visible.count > CloseLook.mostTurnedAlone, options.effort.tiles == 1 else {
      for index in visible {
        let turned = try look(closeTo: faces[index], in: image, direction: .down)?.score ?? 0
        guard turned >= least else { continue }
        let upright = try look(closeTo: faces[index], in: image, direction: .up)?.score ?? 0
        faces[index].isMarkedUpsideDown = turned > upright + CloseLook.markMargin
      }
      return
    }
    var turned = DetectionOptions()
    turned.letterbox = options.letterbox
    turned.resizeFilter = options.resizeFilter
    let pass = try firstPass(over: image.size, direction: .down, options: turned)
    let found = try self.faces(in: image, by: pass, options: turned)
    for index in visible {
      let score = faces[index].best(of: found)?.score ?? 0
      faces[index].isMarkedUpsideDown = score > faces[index].score + CloseLook.markMargin
    }
  }

  /// The face found in a square around a face, with its surroundings, in the picture's pixels.
  ///
  /// - Parameter direction: how the square is turned before.
  func look(
    closeTo face: Face, in image: RGBImage, direction: Orientation
  ) throws(DetectionError) -> Face? {
    guard let tile = face.cutOut(of: image) else { return nil }
    return try best(at: face, in: image, tile, direction, side: CloseLook.surroundingsSide)
  }

  /// The best detection at the place of a face, by a look at a part of the picture.
  ///
  /// - Parameter side: the side of the network's input, if it takes several.
  private func best(
    at face: Face, in image: RGBImage, _ tile: PictureTile, _ direction: Orientation, side: Int
  ) throws(DetectionError) -> Face? {
    let style = recipe.letterbox
    let mode = style.fixedSize == nil ? .square(style.roundedUp(side)) : style.standardMode
    let look = try namingValue(Look(tile, direction: direction, mode: mode, style: style))
    var options = DetectionOptions()
    options.scoreThreshold = CloseLook.leastScore
    return face.best(of: try faces(in: image, by: look, options: options))
  }
}

extension ModelRecipe {
  /// Whether looks at cut-out faces were measured with models of this family.
  fileprivate var isMeasuredOnCutOuts: Bool { family.map { $0.family == .yolo5Face } ?? true }
}

extension Face {
  /// The best of the faces at this one's place.
  fileprivate func best(of faces: [Face]) -> Face? {
    faces.filter { $0.box.intersectionOverUnion(with: box) >= CloseLook.overlap }
      .max { $0.score < $1.score }
  }

  /// The square around the face, clipped to the picture; nil where it is outside.
  fileprivate func cutOut(of image: RGBImage) -> PictureTile? {
    let side = CloseLook.surroundings * box.longerSide
    let around = Box(center: box.center, size: Size2D(width: side, height: side))
      .clipped(to: image.size)
    guard side.isFinite, !around.isDegenerate else { return nil }
    let (x, y) = (Int(around.minX), Int(around.minY))
    let width = min(Int(around.maxX.rounded(.up)), image.width) - x
    let height = min(Int(around.maxY.rounded(.up)), image.height) - y
    return width > 0 && height > 0 ? PictureTile(x: x, y: y, width: width, height: height) : nil
  }

  /// The cosine and sine of the turn that makes the face upright; nil where it or its landmarks have no
  /// position, it is outside the picture, or so large that the picture shows hardly any of it.
  fileprivate func uprightTurn(in image: RGBImage) -> (cosine: Double, sine: Double)? {
    guard !box.isDegenerate, !box.clipped(to: image.size).isDegenerate,
      box.longerSide <= 8 * max(image.size.width, image.size.height)
    else { return nil }
    return landmarks?.uprightTurn
  }
}

extension Landmarks {
  /// The cosine and sine of the turn that makes them upright; nil where they have no direction.
  var uprightTurn: (cosine: Double, sine: Double)? {
    guard let fit = try? SimilarityFit(from: self, to: FaceAlignment.template), fit.scale > 0
    else { return nil }
    return (fit.transform.xx / fit.scale, fit.transform.yx / fit.scale)
  }
}

/// A square around a face, turned upright and scaled.
private struct CutOut {
  /// Where the face is expected, in pixels of the square.
  let expected: Face
  /// From the picture's pixels to the square's.
  let transform: AffineMap

  init(of face: Face, _ turn: (cosine: Double, sine: Double), faceSide: Double) {
    let middle = Point2D(x: Double(CloseLook.side) / 2, y: Double(CloseLook.side) / 2)
    expected = Face(
      score: 0, box: Box(center: middle, size: Size2D(width: faceSide, height: faceSide)))
    let scale = faceSide / face.box.longerSide
    transform = AffineMap(
      xx: scale * turn.cosine, yx: scale * turn.sine, taking: face.box.center, to: middle)
  }

  func picture(of image: RGBImage) throws(ValueError) -> RGBImage {
    try image.square(
      transform, side: CloseLook.side, background: RGBColor(red: 114, green: 114, blue: 114))
  }
}

import FaceAnalysis
import FaceDecoding
import Geometry
import LibC
import Raster

/// How a face is seen a second time; sizes are in pixels of the network's input.
private enum Refinement {
  /// The side of the square cut out. An odd multiple of 32 has its middle in the middle of a cell of the
  /// largest stride, where landmarks are far better than at a cell's edge. With less around them, some
  /// faces seem to be upside down.
  static let side = 288
  /// The longer side of the face's box in the first square and in the second.
  static let faceSide = 176.0
  static let largerFaceSide = 224.0
  /// The share of the look at the cut-out in the score.
  static let share: Float = 1.0 / 3
  /// The face and its mirror image, one way up and the other.
  static let upright: [Orientation] = [.up, .upMirrored]
  static let upsideDown: [Orientation] = [.down, .downMirrored]
  /// How much higher a face and its mirror image must score upside down, in the mean, to be turned.
  static let turnMargin: Float = 0.03
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
  /// Each face takes six runs of the network on 288 × 288 pixels. This was measured with YOLO5Face's
  /// models; faces of other known families, and those without landmarks, stay as they are.
  ///
  /// - Parameters:
  ///   - faces: found in the picture, in pixels of the picture as stored; not clipped to it.
  ///   - image: the stored picture.
  ///   - options: those that found the faces; only the orientation counts.
  /// - Throws: as `detect(in:options:progress:)`.
  public func refining(
    _ faces: [Face], in image: RGBImage, options: DetectionOptions = DetectionOptions()
  ) throws -> [Face] {
    guard !faces.isEmpty else { return faces }
    let space = try ViewSpace(imageSize: image.size, orientation: options.orientation)
    let upright = image.upright(from: options.orientation)
    return try refined(faces.map { space.map($0) }, inUpright: upright).map { space.unmap($0) }
  }

  /// `refining` for an upright picture.
  func refined(_ faces: [Face], inUpright image: RGBImage) throws -> [Face] {
    guard recipe.isMeasuredOnCutOuts else { return faces }
    return try faces.map { face in
      guard let turn = face.uprightTurn(in: image) else { return face }
      var face = face
      let again = try look(
        through: CutOut(of: face, turn, faceSide: Refinement.faceSide),
        then: CutOut(of: face, turn, faceSide: Refinement.largerFaceSide), at: image)
      if let landmarks = again.landmarks { face.landmarks = landmarks }
      face.score += Refinement.share * (again.score - face.score)
      return face
    }
  }

  /// The landmarks found in two cut-outs, in the picture's pixels, and the score in the first look that finds
  /// the face; nil and 0 where none does. Which way up the face is, the first cut-out decides.
  private func look(
    through first: CutOut, then second: CutOut, at image: RGBImage
  ) throws -> (landmarks: Landmarks?, score: Float) {
    let picture = try first.picture(of: image)
    let upright = try Refinement.upright.map { try look(through: first, at: picture, $0) }
    let turned = try Refinement.upsideDown.map { try look(through: first, at: picture, $0) }
    let isUpsideDown = meanScore(of: turned) > meanScore(of: upright) + Refinement.turnMargin
    let larger = try second.picture(of: image)
    let seen = try (isUpsideDown ? Refinement.upsideDown : Refinement.upright)
      .map { try look(through: second, at: larger, $0) }
    let faces = ((isUpsideDown ? turned : upright) + seen).compactMap(\.self)
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

  /// The face in the middle of a cut-out, with its landmarks in the picture's pixels.
  private func look(
    through view: CutOut, at picture: RGBImage, _ direction: Orientation
  ) throws -> Face? {
    let found = try faces(inCutOut: picture, side: Refinement.side, direction)
    guard var face = view.expected.best(of: found) else { return nil }
    let inverse = view.transform.inverse
    face.landmarks = face.landmarks?.map { inverse($0) }
    return face
  }
}

extension Face {
  /// The cosine and sine of the turn that makes the face upright; nil where it or its landmarks have no
  /// position, or it is outside the picture.
  fileprivate func uprightTurn(in image: RGBImage) -> (cosine: Double, sine: Double)? {
    guard !box.isDegenerate, !box.clipped(to: image.size).isDegenerate else { return nil }
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
  let transform: AffineTransform

  init(of face: Face, _ turn: (cosine: Double, sine: Double), faceSide: Double) {
    let middle = Double(Refinement.side) / 2
    expected = Face(
      score: 0,
      box: Rectangle(
        center: Point(x: middle, y: middle), size: Size(width: faceSide, height: faceSide)))
    let scale = faceSide / face.box.longerSide
    let linear = AffineTransform(
      xx: scale * turn.cosine, xy: -scale * turn.sine, x0: 0, yx: scale * turn.sine,
      yy: scale * turn.cosine, y0: 0)
    let shift = linear(face.box.center)
    transform = AffineTransform(
      xx: linear.xx, xy: linear.xy, x0: middle - shift.x, yx: linear.yx, yy: linear.yy,
      y0: middle - shift.y)
  }

  /// The square's pixels.
  func picture(of image: RGBImage) throws -> RGBImage {
    try image.square(
      transform, side: Refinement.side, background: Color(red: 114, green: 114, blue: 114))
  }
}

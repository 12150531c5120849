// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceRaster

/// How the directions of a search are settled.
private enum Directions {
  static let quarterTurns: [Orientation] = [.up, .right, .down, .left]
  /// How much more the faces of another direction must weigh together for the picture to be turned.
  static let advantage = 1.05
  /// Finds less sure than this have no say in it.
  static let leastVote: Float = 0.5
  /// The lowest score of a face in another direction than the picture's, both in the picture and cut out.
  static let leastScore: Float = 0.7
  /// How much more it must score in its direction than in the picture's.
  static let margin: Float = 0.1
  /// The least IoU of two finds of one face, in that direction and in the picture's.
  static let overlap = 0.3
}

private let smallLongSide = 224

/// The lowest score that counts in one of several looks, and the most faces of a look: more than a tile of a crowd
/// shows, so that a hostile model cannot make up any number of them.
private let (lowestScoreOfALook, mostFacesOfALook): (Float, Int) = (0.1, 4096)

extension FaceDetector {
  /// The faces in a picture, in its pixels, best score first.
  ///
  /// - Parameters:
  ///   - image: as stored, see `DetectionOptions.orientation`.
  ///   - options: how faces are searched for.
  ///   - progress: called during a search in tiles, with the share of their looks that have been taken, which
  ///     rises to 1.
  public func detect(
    in image: RGBImage, options: DetectionOptions = DetectionOptions(),
    progress: (Double) -> Void = { _ in }
  ) throws(DetectionError) -> [Face] {
    try faces(in: image, storedAs: options.orientation) { upright, _ throws(DetectionError) in
      let passes = try firstPasses(over: upright.size, options)
      let first = passes[0][0]
      func search(_ image: RGBImage) throws(DetectionError) -> [Face] {
        options.effort.isOnePass
          ? try self.faces(in: image, by: first, options: options)
          : try facesOfSeveralPasses(in: image, passes, options, progress)
      }
      var (seen, found) = (upright, try search(upright))
      if options.effort.smooths, upright.isScreened {
        seen = upright.smoothed()
        found = separate(found + (try search(seen)), overlap: options.overlapThreshold)
      }
      var faces = Array(found.prefix(max(0, options.maximumFaces)))
      switch options.effort.closeLooks {
      case .none: break
      case .checked: try check(&faces, in: seen, options, scale: first.scale)
      case .refined:
        faces = try refined(faces, in: seen)
          .filter { options.admits($0.scaled(by: first.scale)) }.sorted { $0.score > $1.score }
      }
      if options.clipsToImage {
        for index in faces.indices { faces[index].box = faces[index].box.clipped(to: upright.size) }
      }
      return faces
    }
  }

  /// The faces that a search in the upright picture gives, in pixels of the stored one.
  func faces(
    in image: RGBImage, storedAs orientation: Orientation,
    _ search: (_ upright: RGBImage, ViewSpace) throws(DetectionError) -> [Face]
  ) throws(DetectionError) -> [Face] {
    let space = ViewSpace(turning: image.size, from: orientation)
    let faces = try search(image.upright(from: orientation), space)
    return orientation == .up ? faces : faces.map { space.unmap($0) }
  }

  /// The looks of a search, in their order, if most faces are upright: otherwise its tiles are turned. Close
  /// looks at faces, which depend on what is found, are not among them.
  ///
  /// - Parameters:
  ///   - image: as stored.
  ///   - options: how faces are searched for.
  /// - Returns: looks at the upright picture.
  public func looks(
    at image: RGBImage, options: DetectionOptions = DetectionOptions()
  ) throws(DetectionError) -> [Look] {
    let size = options.orientation.uprightSize(of: image.size)
    let first = try firstPasses(over: size, options)
    let enlarged = try enlargedPasses(over: size, direction: .up, after: first[0][0], options)
    return (first.joined() + enlarged).flatMap(\.looks)
  }

  /// Pixels of the network's input per pixel of a stored picture in the first look.
  public func scale(
    ofStored image: RGBImage, options: DetectionOptions
  ) throws(DetectionError) -> Double {
    try firstPass(over: options.orientation.uprightSize(of: image.size), options: options).scale
  }

  /// The faces of an upright picture by several passes over it, in its pixels.
  ///
  /// First passes find the direction in which most faces are upright. A face that is fairly sure weighs its squared
  /// score times the cosine of the angle by which its landmarks are turned, since the network also finds faces that
  /// lie. In that direction further passes enlarge the picture, and the finds of all passes are fused. A face in
  /// another direction is added, in place of one that it overlaps, if a close look scores it high there, and lower in
  /// the picture's direction.
  private func facesOfSeveralPasses(
    in image: RGBImage, _ first: [[SearchPass]], _ options: DetectionOptions,
    _ progress: (Double) -> Void
  ) throws(DetectionError) -> [Face] {
    var looks = options
    looks.scoreThreshold = min(options.lowestScore, lowestScoreOfALook)
    looks.smallFaceScoreThreshold = nil
    looks.maximumFaces = mostFacesOfALook
    var finds: [Findings] = []
    for (direction, passes) in zip(options.effort.directions, first) {
      var found = Findings(direction: direction)
      for pass in passes { found.add(try faces(in: image, by: pass, options: looks), of: pass) }
      finds.append(found)
    }
    var main = finds.remove(at: mainDirection(of: finds, in: image))
    let enlarged = try enlargedPasses(
      over: image.size, direction: main.direction, after: main.passes[0], options)
    let all = Double(enlarged.reduce(0) { $0 + $1.looks.count })
    var done = 0.0
    for pass in enlarged {
      let found = try faces(
        in: image, by: pass, options: looks,
        done: {
          done += 1
          progress(done / all)
        })
      main.add(found, of: pass)
    }
    var faces = main.passes.count == 1 ? main.faces : fused(main.sightings, of: main.passes)
    for other in finds {
      let lying = try lying(other, besides: faces, in: image, main.direction)
      faces.removeAll { known in lying.contains { isSame($0, known) } }
      faces += lying
    }
    let scale = main.passes[0].scale
    let scaled = faces.map { $0.scaled(by: scale) }
    let admitted = zip(faces, scaled).filter { _, face in
      options.admits(face) || options.admits(face, among: scaled)
    }
    return separate(admitted.map { $0.0 }, overlap: options.overlapThreshold)
  }

  /// The passes over the picture in each direction: as it is, and shrunk.
  private func firstPasses(
    over image: Size2D, _ options: DetectionOptions
  ) throws(DetectionError) -> [[SearchPass]] {
    let style = recipe.letterbox
    let looksSmall =
      options.effort.looksSmall && style.fixedSize == nil && mode(options).longSide > smallLongSide
    return try options.effort.directions.map { direction throws(DetectionError) in
      let first = try firstPass(over: image, direction: direction, options: options)
      guard looksSmall else { return [first] }
      let small = try namingValue(
        SearchPass(
          whole: image, direction: direction, mode: .longSide(style.roundedUp(smallLongSide)),
          style: style, isSmall: true))
      return [first, small]
    }
  }

  /// The passes over the enlarged picture, each time as it is and mirrored.
  private func enlargedPasses(
    over image: Size2D, direction: Orientation, after first: SearchPass, _ options: DetectionOptions
  ) throws(DetectionError) -> [SearchPass] {
    var passes: [SearchPass] = []
    let side = max(image.width, image.height)
    let limit = first.looks.reduce(SearchPass.largestInput) {
      max($0, max($1.letterbox.inputWidth, $1.letterbox.inputHeight))
    }
    let magnifications = options.effort.magnifications(side: side, input: first.scale * side)
    for magnification in magnifications.dropFirst() {
      for direction in [direction, direction.mirroredAfterwards] {
        passes.append(
          try namingValue(
            SearchPass(
              enlarged: image, scale: first.scale * magnification, direction: direction,
              upTo: limit, style: recipe.letterbox)))
      }
    }
    return passes
  }

  /// The index of the direction in which most faces are upright; 0 where that is not clear.
  private func mainDirection(of finds: [Findings], in image: RGBImage) -> Int {
    let sums = finds.map { found in
      let space = ViewSpace(turning: image.size, from: found.direction)
      return found.faces.reduce(0) { $0 + space.map($1).weightOfUprightness }
    }
    let best = sums.indices.max { sums[$0] < sums[$1] } ?? 0
    return sums[best] > Directions.advantage * sums[0] ? best : 0
  }

  /// The faces of another direction than the picture's that a close look confirms.
  private func lying(
    _ found: Findings, besides known: [Face], in image: RGBImage, _ main: Orientation
  ) throws(DetectionError) -> [Face] {
    var lying: [Face] = []
    for var face in found.faces {
      guard face.score >= Directions.leastScore,
        face.box.longerSide >= FaceSize.smallestLookedAt,
        known.allSatisfy({ $0.score < face.score || !isSame($0, face) })
      else { continue }
      let again = try look(closeTo: face, in: image, direction: found.direction)?.score ?? 0
      let otherwise = try look(closeTo: face, in: image, direction: main)?.score ?? 0
      guard again >= Directions.leastScore, again >= otherwise + Directions.margin else {
        continue
      }
      face.score = min(face.score, again)
      lying.append(face)
    }
    return lying
  }
}

/// What passes over a picture in one direction found.
private struct Findings {
  let direction: Orientation
  private(set) var passes: [SearchPass] = []
  private(set) var sightings: [Sighting] = []

  init(direction: Orientation) { self.direction = direction }

  var faces: [Face] { sightings.map { $0.face } }

  mutating func add(_ faces: [Face], of pass: SearchPass) {
    sightings += faces.map { Sighting(face: $0, pass: passes.count) }
    passes.append(pass)
  }
}

private func isSame(_ face: Face, _ other: Face) -> Bool {
  face.box.intersectionOverUnion(with: other.box) >= Directions.overlap
}

extension SearchEffort {
  fileprivate var directions: [Orientation] {
    rotations == 4 ? Directions.quarterTurns : [.up]
  }
}

extension Orientation {
  /// Turned as before, then mirrored left to right.
  fileprivate var mirroredAfterwards: Orientation {
    switch self {
    case .up: .upMirrored
    case .upMirrored: .up
    case .down: .downMirrored
    case .downMirrored: .down
    case .right: .leftMirrored
    case .leftMirrored: .right
    case .left: .rightMirrored
    case .rightMirrored: .left
    }
  }
}

extension Face {
  /// The face in a picture of another scale, its box alone.
  fileprivate func scaled(by scale: Double) -> Face {
    Face(
      score: score,
      box: Box(
        x: scale * box.x, y: scale * box.y, width: scale * box.width, height: scale * box.height))
  }

  /// The squared score times the cosine of the face's roll by its landmarks; without landmarks, the face
  /// counts as upright. 0 where it is nearer to upside down.
  fileprivate var weightOfUprightness: Double {
    guard score >= Directions.leastVote else { return 0 }
    let weight = Double(score * score)
    guard let landmarks else { return weight }
    return weight * max(0, landmarks.uprightTurn?.cosine ?? 0)
  }
}

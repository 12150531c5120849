import FaceAnalysis
import FaceDecoding
import Geometry
import Raster

/// How the directions of a thorough search are settled.
private enum Directions {
  /// How much more the faces of another direction must weigh together for the picture to be turned.
  static let advantage = 1.05
  /// Finds less sure than this have no say in it.
  static let leastVote: Float = 0.5
  /// The lowest score of a face in another direction than the picture's, both in the picture and cut out.
  static let leastScore: Float = 0.7
  /// Smaller faces, in pixels of the picture, are sought in the picture's direction alone.
  static let smallestFace = 20.0
  /// How much more it must score in its direction than in the picture's.
  static let margin: Float = 0.1
  /// The least IoU of two finds of one face, in that direction and in the picture's.
  static let overlap = 0.3
}

/// The most faces of one look: more than a tile of a crowd shows, but a bound on what a hostile model
/// makes up, tile by tile.
private let mostFacesOfALook = 4096

extension FaceDetector {
  /// The faces of an upright picture by several looks, in its pixels.
  ///
  /// Looks at the whole picture find the direction in which most faces are upright: by the squared
  /// scores of those that are fairly sure, times the cosine of the angle by which their landmarks are
  /// turned, since the network also finds faces that lie. In that direction the enlarged picture is
  /// searched, in tiles, and the looks are fused. A face in another direction is added, in place of one that
  /// it overlaps, if it scores high there a second time, cut out, and less in the picture's direction.
  ///
  /// - Parameter progress: called with the share of the tiles that have been looked at.
  func detectThoroughly(
    inUpright image: RGBImage, _ options: DetectionOptions, _ progress: (Double) -> Void
  ) throws -> [Face] {
    var looks = options
    looks.scoreThreshold = min(options.lowestScore, 0.1)
    looks.smallFaceScoreThreshold = nil
    looks.maximumFaces = mostFacesOfALook
    let directions: [Orientation] =
      options.effort.rotations == 4 ? [.up, .right, .down, .left] : [.up]
    let whole = try directions.map { direction in
      try detectOnce(inUpright: image.upright(from: direction), looks)
    }
    let main = mainDirection(among: whole)
    let space = try ViewSpace(imageSize: image.size, orientation: directions[main])
    let turned = image.upright(from: directions[main])
    var faces = try closeLooks(at: turned, whole[main], looks, progress).map {
      space.unmap($0)
    }
    for (direction, found) in zip(directions, whole) where direction != directions[main] {
      let space = try ViewSpace(imageSize: image.size, orientation: direction)
      let lying = try lying(
        found.map { space.unmap($0) }, besides: faces, in: image, direction, directions[main])
      faces.removeAll { known in lying.contains { isSame($0, known) } }
      faces += lying
    }
    let letterbox = try letterbox(for: image, options: options)
    faces = separate(
      faces.filter { options.admits(letterbox.map($0)) }, overlap: options.overlapThreshold)
    return Array(faces.prefix(max(0, options.maximumFaces)))
  }

  /// The index of the direction in which most faces are upright; 0 where that is not clear.
  private func mainDirection(among found: [[Face]]) -> Int {
    let sums = found.map { $0.reduce(0) { $0 + $1.weightOfUprightness } }
    let best = sums.indices.max { sums[$0] < sums[$1] } ?? 0
    return sums[best] > Directions.advantage * sums[0] ? best : 0
  }

  /// The faces of all looks at a picture.
  ///
  /// - Parameter whole: what the first look found.
  private func closeLooks(
    at image: RGBImage, _ whole: [Face], _ options: DetectionOptions, _ progress: (Double) -> Void
  ) throws -> [Face] {
    let letterbox = try letterbox(for: image, options: options)
    let side = Double(max(image.width, image.height))
    let fixed = letterbox.style.fixedSize
    let limit = max(SearchPass.largestInput, max(letterbox.inputWidth, letterbox.inputHeight))
    let input =
      fixed.map { Size(width: Double($0.width), height: Double($0.height)) }
      ?? Size(width: Double(limit), height: Double(limit))
    let magnifications = options.effort.magnifications(side: side, input: letterbox.scale * side)
    let passes =
      [SearchPass(whole: image.size, scale: letterbox.scale)]
      + magnifications.dropFirst().flatMap { magnification in
        [false, true].map {
          SearchPass(
            image: image.size, scale: letterbox.scale * magnification, input: input,
            isMirrored: $0)
        }
      }
    guard passes.count > 1 else { return whole }
    var sightings = whole.map { Sighting(face: $0, pass: 0) }
    let tiles = passes.dropFirst().reduce(0) { $0 + $1.tiles.count }
    var done = 0
    for (number, pass) in passes.enumerated().dropFirst() {
      for tile in pass.tiles {
        sightings += try look(at: tile, of: image, pass, upTo: limit, options).map {
          Sighting(face: $0, pass: number)
        }
        done += 1
        progress(Double(done) / Double(tiles))
      }
    }
    return fused(sightings, of: passes)
  }

  /// The whole faces in a tile, in the picture's pixels.
  private func look(
    at tile: SearchPass.Tile, of image: RGBImage, _ pass: SearchPass, upTo limit: Int,
    _ options: DetectionOptions
  ) throws -> [Face] {
    let part = try image.cropped(x: tile.x, y: tile.y, width: tile.width, height: tile.height)
    var options = options
    if recipe.letterbox.fixedSize == nil {
      let side = Int((pass.scale * Double(max(tile.width, tile.height))).rounded(.up))
      options.letterbox = .longSide(recipe.letterbox.roundedUp(min(side, limit)))
    }
    let direction: Orientation = pass.isMirrored ? .upMirrored : .up
    return try detectOnce(inUpright: part, options, direction: direction).compactMap { face in
      let face = face.moved(x: Double(tile.x), y: Double(tile.y))
      let isWhole = !tile.cuts(face.box, in: image.size, margin: 2 / pass.scale)
      return isWhole && pass.looksFor(face.box) ? face : nil
    }
  }

  /// The faces of another direction that a second look confirms.
  private func lying(
    _ found: [Face], besides known: [Face], in image: RGBImage, _ direction: Orientation,
    _ main: Orientation
  ) throws -> [Face] {
    try found.compactMap { face in
      let isBest = known.allSatisfy { $0.score < face.score || !isSame($0, face) }
      guard face.score >= Directions.leastScore,
        face.box.longerSide >= Directions.smallestFace, isBest
      else { return nil }
      let again = try look(at: face, in: image, direction: direction)?.score ?? 0
      let otherwise = try look(at: face, in: image, direction: main)?.score ?? 0
      guard again >= Directions.leastScore, again >= otherwise + Directions.margin else {
        return nil
      }
      var face = face
      face.score = min(face.score, again)
      return face
    }
  }
}

private func isSame(_ face: Face, _ other: Face) -> Bool {
  face.box.intersectionOverUnion(with: other.box) >= Directions.overlap
}

extension Face {
  /// The squared score times the cosine of the face's roll by its landmarks; without landmarks, the face
  /// counts as upright. 0 where it is nearer to upside down.
  fileprivate var weightOfUprightness: Double {
    guard score >= Directions.leastVote else { return 0 }
    let weight = Double(score * score)
    guard let landmarks else { return weight }
    return weight * max(0, landmarks.uprightTurn?.cosine ?? 0)
  }
}

import FaceAnalysis
import FaceDecoding
import Raster

extension FaceDetector {
  /// The width and height of the picture that a second look is taken at, in which a face has half of
  /// either.
  private static let secondLookSide = 160
  /// Faces whose longer side has fewer pixels are not looked at again: they have no pose either.
  private static let smallestSide = 20.0
  /// By how much higher a face must score upside down. Of faces within 45° of upright one in 200 is
  /// then marked, of those turned by 120° and more nine in ten.
  private static let margin: Float = 0.05

  /// The same faces, each marked where a second look finds it upside down.
  ///
  /// The network also finds faces that are turned by more than 100°, with points as if they were
  /// upright; neither the points nor the score tell. So each face is cut out and turned by 180°: one
  /// that scores higher then is `isUpsideDown`. Faces of less than 20 pixels are not looked at. It
  /// takes a run of the network on 160 × 160 pixels for a face, and two where the first one leaves a
  /// doubt.
  ///
  /// - Parameters:
  ///   - faces: in pixels of the picture.
  ///   - image: the stored picture.
  ///   - orientation: how that must be turned to be upright.
  /// - Throws: as `detect(in:options:)`.
  public func markingUpsideDown(
    _ faces: [Face], in image: RGBImage, orientation: Orientation = .up
  ) throws -> [Face] {
    let space = try ViewSpace(imageSize: image.size, orientation: orientation)
    let isLarge = faces.map { max($0.box.width, $0.box.height) >= Self.smallestSide }
    guard isLarge.contains(true) else { return faces }
    let upright = image.upright(exifOrientation: orientation.rawValue)
    return try zip(faces, isLarge).map { face, isLarge in
      var face = face
      face.isUpsideDown = try isLarge && isUpsideDown(space.map(face).box, in: upright)
      return face
    }
  }

  private func isUpsideDown(_ box: Rectangle, in image: RGBImage) throws -> Bool {
    guard !box.isDegenerate else { return false }
    let turned = try score(of: box, in: image, turned: true)
    guard turned >= DetectionOptions().scoreThreshold else { return false }
    return turned > (try score(of: box, in: image, turned: false)) + Self.margin
  }

  /// The score of the face that fills the box, 0 where none is found.
  private func score(of box: Rectangle, in image: RGBImage, turned: Bool) throws -> Float {
    let side = Self.secondLookSide
    let scale = 2 * max(box.width, box.height) / Double(side)
    // Each pixel is the mean of several samples where a large face shrinks.
    let samples = Int(min(max(scale.rounded(.up), 1), 8))
    let middle = Double(side) / 2
    let step = turned ? -scale : scale
    let part = try image.sampled(side: side, samples: samples) { point in
      Point(
        x: box.center.x + step * (point.x - middle), y: box.center.y + step * (point.y - middle))
    }
    var options = DetectionOptions()
    options.scoreThreshold = 0.1
    let center = Point(x: middle, y: middle)
    return try candidates(in: part, options: options).filter { face in
      face.box.center.distance(to: center) < 0.3 * middle
        && (0.55...1.75).contains(max(face.box.width, face.box.height) / middle)
    }.map(\.score).max() ?? 0
  }
}

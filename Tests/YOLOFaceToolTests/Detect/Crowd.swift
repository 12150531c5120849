import Raster

/// Three faces, of the one on Examples/astronaut.png.
///
/// 720 × 400 pixels: the whole face at the left, one of three quarters at the right, one of half in
/// the middle at the bottom. The network's scores differ by a little, as by chance; the sizes and
/// places do not.
enum Crowd {
  /// The middles of the faces by size, large to small, to some pixels.
  static let middles = [(116.0, 118.0), (611, 106), (360, 300)]

  static func picture() throws -> RGBImage {
    let face = try PNG.read(path: Tool.astronaut).cropped(x: 105, y: 0, width: 240, height: 240)
    var crowd = RGBImage(
      width: 720, height: 400, fill: Color(red: 200, green: 192, blue: 188))
    crowd.draw(face, atX: 0, y: 0)
    crowd.draw(try face.resized(width: 180, height: 180, filter: .area), atX: 525, y: 20)
    crowd.draw(try face.resized(width: 120, height: 120, filter: .area), atX: 300, y: 240)
    return crowd
  }
}

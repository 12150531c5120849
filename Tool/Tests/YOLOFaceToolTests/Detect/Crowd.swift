// SPDX-License-Identifier: Apache-2.0
import YOLOFaceRaster

/// Three copies of the face in Examples/astronaut.png.
///
/// 720 × 400 pixels: the face at full size on the left, at three quarters on the right, at half in
/// the middle of the bottom. The network's scores differ slightly, with no relation to the sizes.
enum Crowd {
  /// The centres of the faces, from large to small, to within a few pixels.
  static let middles = [(116.0, 118.0), (611, 106), (360, 300)]

  static func picture() throws -> RGBImage {
    let face = try Picture.read(path: Tool.astronaut).cropped(x: 105, y: 0, width: 240, height: 240)
    var crowd = RGBImage(width: 720, height: 400, fill: RGBColor(red: 200, green: 192, blue: 188))
    crowd.draw(face, atX: 0, y: 0)
    crowd.draw(try face.resized(width: 180, height: 180, filter: .area), atX: 525, y: 20)
    crowd.draw(try face.resized(width: 120, height: 120, filter: .area), atX: 300, y: 240)
    return crowd
  }
}

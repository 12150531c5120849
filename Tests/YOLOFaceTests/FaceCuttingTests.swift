// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace

struct FaceCuttingTests {
  private static let landmarks = Landmarks(
    (202.3, 102.6), (245.5, 102.8), (222.1, 127.8), (207, 147.7), (241, 147.5))

  /// Computed with numpy 2.4 in float64: Umeyama's transform by a singular value decomposition,
  /// inverted for the position of each pixel's centre, with four neighbours mixed. OpenCV's
  /// `warpAffine` agrees to half a level. The tolerance of one level is for the rounding to bytes.
  @Test func alignsAsNumPyDoes() throws {
    let alignment = try FaceAlignment(Self.landmarks, side: 224)
    let aligned = try photo.aligned(by: alignment)
    #expect(aligned.width == 224 && aligned.height == 224)
    for (x, y, red, green, blue) in [
      (0, 0, 203.36, 195.62, 189.96), (76, 103, 63.76, 34.22, 3.55),
      (147, 103, 95.29, 69.03, 47.03), (112, 143, 236.74, 197.5, 178.22),
      (83, 184, 221.66, 190.58, 161.54), (141, 184, 184.38, 150.24, 119.34),
      (112, 20, 171.35, 150.16, 107.72), (223, 223, 216.99, 208.39, 207.27),
    ] {
      let color = aligned[x, y]
      for (found, expected) in [(color.red, red), (color.green, green), (color.blue, blue)] {
        #expect(abs(Double(found) - expected) <= 1, "at \(x), \(y)")
      }
    }
  }

  /// A face already placed like the template is cut out unchanged.
  @Test func aFacePlacedLikeTheTemplateStaysUnchanged() throws {
    let image = try photo.cropped(x: 150, y: 50, width: 112, height: 112)
    #expect(try image.aligned(by: FaceAlignment(FaceAlignment.template)) == image)
  }

  /// Black and white stripes of one pixel, shrunk: each pixel is the mean of many. Without
  /// averaging, every pixel would mix only two neighbours, and some would be black and some white.
  @Test(arguments: [3.0, 5.5, 16])
  func averagesWhenTheFaceShrinks(scale: Double) throws {
    var stripes = RGBImage(width: 600, height: 600)
    for y in 0..<600 {
      for x in stride(from: 0, to: 600, by: 2) { stripes[x, y] = .white }
    }
    let face = FaceAlignment.template.map { Point2D(x: $0.x * scale + 3.3, y: $0.y * scale) }
    let aligned = try stripes.aligned(by: FaceAlignment(face, side: 32))
    // With an odd number of stripes one is unbalanced: a third of the range at the least scale.
    for x in 0..<8 { #expect((85...170).contains(aligned[x, 8].red)) }
  }

  @Test func outsideIsTheBackground() throws {
    let image = RGBImage(width: 40, height: 40, fill: .white)
    let face = FaceAlignment.template.map { Point2D(x: $0.x, y: $0.y - 56) }
    let background = RGBColor(red: 9, green: 8, blue: 7)
    let aligned = try image.aligned(by: FaceAlignment(face), background: background)
    #expect(aligned[20, 20] == background)
    #expect(aligned[20, 60] == .white)
    #expect(aligned[60, 60] == background)
  }

  /// The aligned picture of a face that was turned is that of the face before.
  @Test(arguments: Orientation.allCases.dropFirst())
  func aTurnedPictureGivesTheSameFace(orientation: Orientation) throws {
    let space = try ViewSpace(imageSize: Size2D(width: 512, height: 512), orientation: orientation)
    let turned = photo.upright(from: orientation)
    let upright = try photo.aligned(by: FaceAlignment(Self.landmarks))
    let aligned = try turned.aligned(by: FaceAlignment(space.map(Self.landmarks)))
    let seen = aligned.upright(from: orientation.isMirrored ? .upMirrored : .up)
    let sum = zip(seen.pixels, upright.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    // The template is not symmetric, but its mirror image is within a pixel of it.
    let most = orientation.isMirrored ? 6 : 0.1
    #expect(Double(sum) / Double(seen.pixels.count) < most)
  }
}

import ArgumentParser
import FaceReport
import YOLOFace

/// The options about how good the picture of each face is.
struct QualityOptions: ParsableArguments {
  @Flag(
    help: """
      Print how good the picture of each face is, from 0 to 1: the product of its size, sharpness, \
      light, pose and how much of it is in the picture. JSON has all six numbers.
      """)
  var quality = false

  @Option(
    help: ArgumentHelp("Leave out faces of a lower quality, 0 to 1.", valueName: "quality"))
  var minQuality: Double?

  func validate() throws {
    try requireNumber("--min-quality", minQuality, in: 0...1)
  }

  /// The faces of a picture that are good enough.
  func select(from faces: [Face], in image: RGBImage) -> [Face] {
    guard let minQuality else { return faces }
    return faces.filter { (image.quality(of: $0)?.score ?? 0) >= minQuality }
  }

  /// The quality of each face of a picture; nil if it is not printed, or cannot be judged.
  func report(of faces: [Face], in image: RGBImage) -> [DetectionReport.Face.Quality?] {
    guard quality || minQuality != nil else { return faces.map { _ in nil } }
    return faces.map { face in
      image.quality(of: face).map {
        DetectionReport.Face.Quality(
          score: $0.score, size: $0.size, sharpness: $0.sharpness, light: $0.light, pose: $0.pose,
          completeness: $0.completeness)
      }
    }
  }
}

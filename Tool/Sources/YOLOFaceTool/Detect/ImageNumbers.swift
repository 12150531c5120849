import FaceEvaluation
import Files

/// The numbers that a COCO file gives to its pictures and to the category of faces.
struct ImageNumbers: Sendable {
  private let source: String
  private let numbers: [String: Int]
  /// Nil if the file has no faces, or no category for them.
  let category: Int?

  /// - Throws: `FileError` or `GroundTruthError`.
  init(_ path: String) throws {
    source = path
    let pictures = try JSONGroundTruth.read(
      try readFile(path, limit: GroundTruthLimits.fileBytes), source: path, requiresFaces: false)
    numbers = Dictionary(
      pictures.compactMap { picture in picture.identifier.map { (picture.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    category = pictures.first?.category
  }

  /// - Throws: `UnnumberedPicture`.
  func number(of input: PictureInput) throws -> Int {
    guard let number = numbers[input.stem] else {
      throw UnnumberedPicture(path: input.path, source: source)
    }
    return number
  }
}

/// A picture that the COCO file does not name.
struct UnnumberedPicture: Error, CustomStringConvertible {
  var path: String
  var source: String

  var description: String { "\(path): found no image of this name in \(source), expected one" }
}

import FaceDecoding

/// A picture of a data set, with its faces.
public struct TruePicture: Hashable, Sendable {
  /// The picture's path below the data set's directory, without its suffix, such as
  /// `0--Parade/0_Parade_marchingband_1_849`: the same photo may be stored as JPEG and as PNG.
  public var name: String
  /// The number that the data set gives the picture, where it has numbers.
  public var identifier: Int?
  /// The number that the data set gives the category of faces, where it has one: that of its first
  /// face, the same for all pictures.
  public var category: Int?
  /// Width and height in pixels, where the data set states them.
  public var size: Size?
  /// Whether the faces are in widths and heights of the picture, from 0 to 1, instead of pixels.
  public var isNormalized: Bool
  /// The faces, in the data set's order.
  public var faces: [TrueFace]

  /// A picture from its parts.
  public init(
    name: String, identifier: Int? = nil, category: Int? = nil, size: Size? = nil,
    isNormalized: Bool = false, faces: [TrueFace]
  ) {
    self.name = name
    self.identifier = identifier
    self.category = category
    self.size = size
    self.isNormalized = isNormalized
    self.faces = faces
  }

  /// The faces in pixels of the upright picture.
  ///
  /// - Parameters:
  ///   - actual: its size.
  ///   - path: the picture's file, for the error; nil takes the picture's name.
  /// - Throws: `TruthError` where the data set states another size: its boxes lie elsewhere.
  public func faces(
    inPictureOf actual: Size, at path: String? = nil
  ) throws(TruthError) -> [TrueFace] {
    if let size, size != actual {
      func text(_ size: Size) -> String {
        [size.width, size.height].map { Int(exactly: $0).map(String.init) ?? "\($0)" }
          .joined(separator: " × ")
      }
      throw TruthError(
        file: path ?? name, position: .file, found: "a picture of \(text(actual)) pixels",
        expected: "\(text(size)), as its truth states")
    }
    guard isNormalized else { return faces }
    return faces.map { face in
      let box = face.box
      return TrueFace(
        box: Rectangle(
          x: box.x * actual.width, y: box.y * actual.height, width: box.width * actual.width,
          height: box.height * actual.height),
        landmarks: face.landmarks?.map {
          Point(x: $0.x * actual.width, y: $0.y * actual.height)
        },
        standing: face.standing)
    }
  }
}

/// The pictures of a data set, whose names differ.
struct TruePictures {
  private(set) var pictures: [TruePicture] = []
  private var names: Set<String> = []

  /// Adds a picture, whose `name` is still its path as the data set has it, with a suffix.
  ///
  /// - Throws: what `failure` makes of what was found and what was expected, where the path could
  ///   lead out of the data set's directory, or is there already.
  mutating func append(
    _ picture: TruePicture, failure: (String, String) -> TruthError
  ) throws(TruthError) {
    guard let name = pictureName(picture.name) else {
      throw failure("the name \"\(picture.name)\"", "a file's path below the pictures' directory")
    }
    guard names.insert(name).inserted else {
      throw failure("\(name) a second time", "each picture once")
    }
    guard pictures.count < TruthLimits.pictures else {
      throw failure("more pictures", "at most \(TruthLimits.pictures)")
    }
    var picture = picture
    picture.name = name
    pictures.append(picture)
  }

  /// Gives the picture added last its faces.
  mutating func setFacesOfLast(_ faces: [TrueFace]) {
    pictures[pictures.count - 1].faces = faces
  }
}

/// A picture's path without its suffix; nil where it is absolute, has control characters, or a part
/// that is empty, `.` or `..`.
func pictureName(_ path: String) -> String? {
  // Bytes, as the system takes them: a slash and an accent that follows are one other `Character`.
  let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    .map { Substring($0) }
  guard path.utf8.count <= TruthLimits.nameBytes,
    !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
    !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), let last = parts.last
  else { return nil }
  guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return path }
  return String(path[..<dot])
}

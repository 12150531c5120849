// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceUntrusted

/// A picture of a data set, with its faces.
public struct GroundTruthPicture: Hashable, Sendable {
  /// The picture's path below the data set's directory, without its suffix, such as
  /// `0--Parade/0_Parade_marchingband_1_849`: the same photo may be stored as JPEG and as PNG.
  public var name: String
  /// What COCO calls the picture: a number's digits, or a text in the files of some tools.
  public var identifier: String?
  /// What COCO calls faces, where it has categories: face, or else what it calls the first object; the same for all
  /// pictures.
  public var category: GroundTruthCategory?
  /// In pixels, where the data set states it.
  public var size: Size2D?
  /// Whether coordinates are fractions of the picture's width and height instead of pixels.
  public var isNormalized: Bool
  /// Whether positions are in the picture as it is stored, before it is turned upright.
  public var isOfStoredPicture = false
  /// The faces, in the data set's order.
  public var faces: [GroundTruthFace]
  /// What the boxes were made of.
  var boxForm = BoxForm.corners

  /// A picture from its parts.
  public init(
    name: String, identifier: String? = nil, category: GroundTruthCategory? = nil,
    size: Size2D? = nil, isNormalized: Bool = false, faces: [GroundTruthFace]
  ) {
    (self.name, self.identifier, self.category) = (name, identifier, category)
    (self.size, self.isNormalized, self.faces) = (size, isNormalized, faces)
  }

  /// A picture without faces so far, whose boxes will be of a form.
  init(name: String, boxForm: BoxForm) {
    self.init(name: name, faces: [])
    self.boxForm = boxForm
  }

  /// The faces in pixels of the upright picture, which has this size: boxes do not fit where the data set states
  /// another. The error then names the picture's path or else its name.
  public func faces(
    inPictureOf actual: Size2D, at path: String? = nil
  ) throws(GroundTruthError) -> [GroundTruthFace] {
    // Some tools are a pixel off.
    if let size, max(abs(size.width - actual.width), abs(size.height - actual.height)) > 1 {
      throw GroundTruthError(
        file: path ?? name, position: .file, found: "a picture of \(actual.text) pixels",
        expected: "\(size.text), as the ground truth states")
    }
    guard isNormalized else { return faces }
    return faces.map { face in
      var (face, box) = (face, face.box)
      face.box = Box(
        x: box.x * actual.width, y: box.y * actual.height, width: box.width * actual.width,
        height: box.height * actual.height)
      face.landmarks = face.landmarks?.map {
        Point2D(x: $0.x * actual.width, y: $0.y * actual.height)
      }
      return face
    }
  }
}

extension GroundTruthPicture {
  /// The picture turned upright from how it is stored to this size, with its faces in pixels; errors name the path.
  public func turnedUpright(
    from orientation: Orientation, to size: Size2D, at path: String? = nil
  ) throws -> GroundTruthPicture {
    guard isOfStoredPicture else { return self }
    // Turning a size back exchanges its sides just as turning it upright does.
    let storedSize = orientation.uprightSize(of: size)
    let space = try ViewSpace(imageSize: storedSize, orientation: orientation)
    var picture = self
    picture.faces = try faces(inPictureOf: storedSize, at: path).map { face in
      var face = face
      face.box = space.map(face.box)
      face.landmarks = face.landmarks?.map(space.map)
      return face
    }
    (picture.size, picture.isNormalized, picture.isOfStoredPicture) = (size, false, false)
    return picture
  }
}

extension Size2D {
  var text: String {
    [width, height].map { Int(exactly: $0).map(String.init) ?? "\($0)" }.joined(separator: " × ")
  }
}

/// The pictures of a data set, each with a different name.
struct GroundTruthPictures {
  private(set) var pictures: [GroundTruthPicture] = []
  /// The picture that was added last, perhaps not for the first time.
  private(set) var last = -1
  private let faults: GroundTruthFaults
  private var indices: [UntrustedText: Int] = [:]

  init(noting faults: GroundTruthFaults) { self.faults = faults }

  /// Adds a picture, which gets its name from the data set's path, with a suffix; throws what `failure` makes of what
  /// was found and what was expected. A picture that comes a second time is the one that there is, with more faces.
  mutating func append(
    _ picture: GroundTruthPicture, at path: UntrustedText, ofResults: Bool = false,
    failure: (String, String) -> GroundTruthError
  ) throws(GroundTruthError) {
    guard let name = pictureName(path, keepsDirectories: ofResults) else {
      throw failure(
        "the name \"\(path.excerpt(300))\"", "a file's path below the pictures' directory")
    }
    if let index = indices[UntrustedText(name)] {
      last = index
      if !ofResults { try faults.leaveOut(failure("\(name) a second time", "each picture once")) }
      for face in picture.faces { try append(face, failure: failure) }
      return
    }
    guard pictures.count < GroundTruthLimits.pictures else {
      throw failure("too many pictures", "at most \(GroundTruthLimits.pictures)")
    }
    last = pictures.count
    indices[UntrustedText(name)] = last
    var picture = picture
    picture.name = name
    pictures.append(picture)
  }

  /// Adds a face to a picture, by default the last.
  mutating func append(
    _ face: GroundTruthFace, to index: Int? = nil, failure: (String, String) -> GroundTruthError
  ) throws(GroundTruthError) {
    guard pictures[index ?? last].faces.count < GroundTruthLimits.faces else {
      throw failure("too many faces in a picture", "at most \(GroundTruthLimits.faces)")
    }
    pictures[index ?? last].faces.append(face)
  }
}

/// A picture's path without its suffix, with slashes for the backslashes of Windows and without parts that are empty or
/// `.`. Where it is absolute or has a part `..`, as some tools write where their pictures were, its last part alone, or
/// if it keeps them its directories.
///
/// Nil where it has control characters, is too long or takes long to compare as a string, or names no file.
package func pictureName(_ written: UntrustedText, keepsDirectories: Bool = false) -> String? {
  guard written.count <= GroundTruthLimits.nameBytes, written.isStreamSafe,
    !written.contains(where: { $0 < 0x20 || $0 == 0x7F })
  else { return nil }
  var parts = written.split(omittingEmptySubsequences: false) {
    $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
  }
  let isAbsolute = parts.count > 1 && (parts[0].isEmpty || parts[0].last == UInt8(ascii: ":"))
  if !keepsDirectories, isAbsolute || parts.contains(where: { $0 == ".." }) {
    parts = parts.suffix(1)
  }
  parts.removeAll { $0.isEmpty || $0 == "." || $0 == ".." }
  guard let last = parts.popLast() else { return nil }
  let dot = last.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > last.startIndex ? $0 : nil }
  parts.append(last[..<(dot ?? last.endIndex)])
  return parts.map(\.description).joined(separator: "/")
}

extension UntrustedText {
  /// The name with the bytes for which percent-encoding stands, as tools write it that name pictures by addresses. A
  /// slash stays encoded.
  package var percentDecoded: UntrustedText {
    guard contains(UInt8(ascii: "%")) else { return self }
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count > 1,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), code != 0,
        code != UInt8(ascii: "/")
      {
        result.append(code)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return UntrustedText(result)
  }
}

/// A face of a data set.
public struct GroundTruthFace: Hashable, Sendable {
  /// How a face enters an evaluation.
  public enum Standing: Hashable, Sendable {
    /// It should be found.
    case counted
    /// It may be missed, and detections of it, however many, are neither right nor wrong: a face
    /// that is invalid in WIDER FACE, difficult in PASCAL VOC, or labelled with low confidence.
    case ignored
    /// An area with several faces (`iscrowd` in COCO): like `ignored`, but overlap is the share of
    /// the *detection* that is inside it.
    case crowd
  }

  /// In pixels, or in a picture that `isNormalized` in fractions of its width and height.
  public var box: Box
  /// The five points, where the data set has them; in the units of `box`.
  public var landmarks: Landmarks?
  /// How it enters an evaluation.
  public var standing: Standing
  /// What the data set calls it, where it has categories.
  public var category: GroundTruthCategory?
  /// How sure a detector or a labeller is, where that is stated.
  public var score: Double?

  /// A face from its parts. A `.counted` face whose box encloses nothing, as in some data sets, becomes `.ignored`.
  public init(
    box: Box, landmarks: Landmarks? = nil, standing: Standing = .counted,
    category: GroundTruthCategory? = nil
  ) {
    (self.box, self.landmarks, self.category) = (box, landmarks, category)
    self.standing = box.isDegenerate && standing == .counted ? .ignored : standing
  }

  /// A face with a score, below 0.5 ignored, or counted without one.
  init(
    box: Box, landmarks: Landmarks? = nil, score: Double?,
    category: GroundTruthCategory? = nil
  ) {
    self.init(
      box: box, landmarks: landmarks, standing: score ?? 1 < 0.5 ? .ignored : .counted,
      category: category)
    self.score = score
  }

  /// The overlap with a detection, from 0 to 1: the intersection over union or, for a crowd, over
  /// the detection's own area.
  public func overlap(with detection: Box) -> Double {
    guard standing == .crowd else { return box.intersectionOverUnion(with: detection) }
    let intersection = box.intersectionArea(with: detection)
    return intersection > 0 ? intersection / detection.area : 0
  }
}

extension Landmarks {
  /// The landmarks of a row of five points, each of so many numbers that begin with x and y; nil for another row.
  init?(_ row: ArraySlice<Double>, numbersOfPoint count: Int = 2) {
    guard row.count == 5 * count else { return nil }
    let points = stride(from: row.startIndex, to: row.endIndex, by: count).map {
      Point2D(x: row[$0], y: row[$0 + 1])
    }
    self.init(
      rightEye: points[0], leftEye: points[1], nose: points[2], rightMouth: points[3],
      leftMouth: points[4])
  }

  /// The landmarks of a row of five points as x, y and visibility; nil for another row, and where a visibility is 0.
  init?(visible row: ArraySlice<Double>) {
    let flags = stride(from: row.startIndex + 2, to: row.endIndex, by: 3)
    guard flags.allSatisfy({ row[$0] > 0 }) else { return nil }
    self.init(row, numbersOfPoint: 3)
  }

  /// The landmarks, unless a coordinate is negative, as tools write it where they do not know a point.
  var ifKnown: Landmarks? { points.allSatisfy { $0.x >= 0 && $0.y >= 0 } ? self : nil }
}

/// A picture's ground truth and its detections.
public struct ExaminedPicture: Hashable, Sendable {
  /// The picture's name, see `GroundTruthPicture.name`.
  public let name: String
  /// The faces of the ground truth, in the data set's order, in pixels.
  public let faces: [GroundTruthFace]
  /// The detections in pixels, best score first; equal scores keep the order given.
  public let detections: [Face]

  /// A picture from its parts. Detections without a score (NaN) are dropped.
  public init(name: String, faces: [GroundTruthFace], detections: [Face]) {
    (self.name, self.faces) = (name, faces)
    self.detections = detections.filter { !$0.score.isNaN }.sorted { $0.score > $1.score }
  }
}

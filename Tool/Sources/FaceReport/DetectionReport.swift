// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceAnalysis
import YOLOFaceDecoding
import YOLOFaceFormatting

/// The faces of one picture as they are written, in its pixels or in a view's coordinates. Programs may rely on its JSON.
public struct DetectionReport: Codable, Sendable {
  /// A face, rounded to the network's accuracy.
  public struct Face: Codable, Sendable {
    /// How the head is turned; see `HeadPose`.
    public struct Pose: Codable, Sendable {
      /// In degrees; positive is clockwise, to the picture's left, and up.
      public var roll, yaw, pitch: Double
    }

    /// How good a picture of a face is, each number from 0 to 1.
    public struct Quality: Codable, Sendable {
      /// The product of the others, and these; see `FaceQuality`.
      public var score, size, sharpness, light, pose, completeness: Double

      /// A quality, rounded.
      public init(_ quality: FaceQuality) {
        func number(_ number: Double) -> Double { rounded(number, places: 4) }
        score = number(quality.score)
        size = number(quality.size)
        sharpness = number(quality.sharpness)
        light = number(quality.light)
        pose = number(quality.pose)
        completeness = number(quality.completeness)
      }
    }

    /// The network's confidence, 0 to 1.
    public var score: Double
    /// The bounding box.
    public var box: Box
    /// The five landmarks; nil if the model finds none.
    public var landmarks: Landmarks?
    /// The head's pose as the view shows it; nil, and null in JSON, if the landmarks do not determine it.
    @OrNull public var pose: Pose?
    /// True if a second detection found the face upside down, so that its landmarks are wrong; nil otherwise.
    public var upsideDown: Bool?
    /// The path of the cropped face, and that of the aligned one.
    public var crop, aligned: String?
    /// How good a picture of a face this is; nil unless it was asked for.
    public var quality: Quality?
    /// Whether the face is hidden in the picture that was written; nil if faces are not hidden.
    public var hidden: Bool?
  }

  /// A look at the picture, in pixels of the upright one.
  public struct Look: Codable, Sendable {
    /// The left and top edge, width and height of the part that the network saw.
    public var x, y, width, height: Int
    /// The size of the network's input.
    public var inputWidth, inputHeight: Int
    /// By how many degrees the part was turned clockwise.
    public var turned: Double
    /// Whether it was mirrored left to right before it was turned.
    public var mirrored: Bool

    /// A look as it is written.
    public init(_ look: YOLOFace.Look) {
      (x, y, width, height) = (look.tile.x, look.tile.y, look.tile.width, look.tile.height)
      (inputWidth, inputHeight) = (look.letterbox.inputWidth, look.letterbox.inputHeight)
      turned = look.direction.clockwiseDegrees
      mirrored = look.direction.isMirrored
    }

    var text: String {
      "  look at \(x),\(y) \(width)x\(height), input \(inputWidth)x\(inputHeight)"
        + (mirrored ? ", mirrored" : "") + (turned == 0 ? "" : ", turned by \(Int(turned))°")
    }
  }

  /// The picture's path or name.
  public var image: String
  /// The picture's, in pixels.
  public var width, height: Int
  /// The faces, in the order of detection or selection.
  public var faces: [Face]
  /// The view in which positions are given; nil for the picture's pixels.
  public var view: ViewReport?
  /// The path of the picture that was written with its faces hidden.
  public var output: String?
  /// The looks that the search took, as far as they were planned before; nil unless asked for.
  public var search: [Look]?

  /// What the picture lacks, where a damaged one was accepted.
  public var damage: Damage?

  /// How many rows of the stored picture are missing or may be wrong.
  public struct Damage: Codable, Sendable {
    /// How many, and in percent of all.
    public var rows: Int, percent: Double
    /// How that was noticed.
    public var reason: String

    /// A damage as it is written.
    public init(_ damage: Picture.Damage) {
      (rows, percent) = (damage.rows, rounded(damage.percent, places: 1))
      reason = damage.reason
    }
  }

  /// A report of the faces found in a picture, given in its pixels and written in a space; nil keeps the pixels.
  public init(
    image: String, width: Int, height: Int, faces: [YOLOFaceDecoding.Face],
    in space: ViewSpace? = nil
  ) {
    (self.image, self.width, self.height) = (image, width, height)
    self.faces = faces.map { Face($0, in: space) }
    view = space.map(ViewReport.init)
  }

  /// A line for the picture and one for each face, or where faces were hidden one line with their number.
  public var text: String {
    let damage = damage.map { ", \($0.rows) rows missing or wrong" } ?? ""
    if let output {
      let hidden = faces.count { $0.hidden == true }
      return
        "\(printable(image)): \(hidden) of \(counted(faces.count, "face")) hidden in \(printable(output))\(damage)"
    }
    let place = view.map { ", \($0.text)" } ?? ""
    let decimals = (view?.system ?? .pixels).decimals.inText
    let lines = faces.map { $0.text(decimals: decimals) }
    return
      ([
        "\(printable(image)): \(width) × \(height) pixels, \(counted(faces.count, "face"))\(place)\(damage)"
      ]
      + (search ?? []).map(\.text) + lines)
      .joined(separator: "\n")
  }
}

extension DetectionReport.Face {
  /// A face given in the picture's pixels, written in a space; nil keeps the pixels.
  public init(_ face: Face, in space: ViewSpace? = nil) {
    let head = HeadPose(of: face)
    upsideDown = face.isMarkedUpsideDown ? true : nil
    pose = (space.flatMap { head?.seen(in: $0) } ?? head).map(Pose.init)
    let face = space?.map(face) ?? face
    let places = (space?.coordinateSystem ?? .pixels).decimals.inJSON
    func number(_ number: Double) -> Double { rounded(number, places: places) }
    score = rounded(Double(face.score), places: 5)
    box = Box(
      x: number(face.box.x), y: number(face.box.y), width: number(face.box.width),
      height: number(face.box.height))
    landmarks = face.landmarks?.map { Point2D(x: number($0.x), y: number($0.y)) }
  }

  /// The face's line in text, its positions with this many decimals.
  public func text(decimals: Int = 1) -> String {
    func text(_ numbers: [Double], separator: String = ",") -> String {
      numbers.map { fixed($0, decimals: decimals) }.joined(separator: separator)
    }
    let points = landmarks.map { "  " + landmarkText($0.points.map { text([$0.x, $0.y]) }) }
    return "  score \(fixed(score, decimals: 3))"
      + "  box \(text([box.x, box.y])) \(text([box.width, box.height], separator: "x"))"
      + (points ?? "") + (pose?.text ?? "")
      + (upsideDown == true ? "  upside down: landmarks not to be trusted" : "")
      + (quality.map { "  quality \(fixed($0.score, decimals: 2))" } ?? "")
      + (crop.map { "  crop \(printable($0))" } ?? "")
      + (aligned.map { "  aligned \(printable($0))" } ?? "")
  }
}

/// What is said of each landmark, in the order of `Landmarks.points`, after its name.
package func landmarkText(_ texts: [String]) -> String {
  zip(["right eye", "left eye", "nose", "right mouth", "left mouth"], texts)
    .map { "\($0) \($1)" }.joined(separator: "  ")
}

extension DetectionReport.Face.Pose {
  init(_ pose: HeadPose) {
    roll = rounded(pose.roll, places: 2)
    yaw = rounded(pose.yaw, places: 2)
    pitch = rounded(pose.pitch, places: 2)
  }

  var text: String {
    "  roll \(fixed(roll, decimals: 1)) yaw \(fixed(yaw, decimals: 1))"
      + " pitch \(fixed(pitch, decimals: 1))"
  }
}

/// A value that is null in JSON, not absent, where there is none.
@propertyWrapper
public struct OrNull<Value: Codable & Sendable>: Codable, Sendable {
  /// The value.
  public var wrappedValue: Value?

  /// A value, or none.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Decodes a value, or null.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value?.self)
  }

  /// Encodes the value, or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

/// The view in which positions are printed.
public struct ViewReport: Codable, Sendable {

  /// The size of what the view shows, in its pixels.
  public var width, height: Int
  /// The name of the coordinate system.
  public var coordinates: String
  var system: CoordinateSystem? {
    CoordinateSystem.allCases.first { $0.name.utf8.elementsEqual(coordinates.utf8) }
  }

  /// The view that a space shows.
  public init(_ space: ViewSpace) {
    (width, height) = (Int(space.canvasSize.width), Int(space.canvasSize.height))
    coordinates = space.coordinateSystem.name
  }

  /// The view in words.
  public var text: String { "view \(width) × \(height), coordinates \(coordinates)" }
}

extension CoordinateSystem {
  /// Its name as an option's value and in results.
  package var name: String { self == .normalizedFromBottomLeft ? "vision" : hyphenated(self) }

  /// The number of decimals of a position: those in JSON are far finer than the network's accuracy.
  package var decimals: (inText: Int, inJSON: Int) {
    switch self {
    case .pixels, .pixelsFromBottomLeft: (1, 3)
    case .normalized, .normalizedFromBottomLeft: (4, 6)
    }
  }
}

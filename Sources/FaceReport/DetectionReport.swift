import FaceAnalysis
import FaceDecoding
import Formatting

/// The faces of one picture as they are written: in the picture's pixels, or as a view has them.
///
/// Its JSON is the form that programs may rely on.
public struct DetectionReport: Codable, Sendable {
  /// A face, rounded to what the network can tell.
  public struct Face: Codable, Sendable {
    /// Where the face is.
    public struct Box: Codable, Sendable {
      /// The left and top edge, width and height.
      public var x, y, width, height: Double
    }
    /// Named by the person's own sides.
    public struct Landmarks: Codable, Sendable {
      /// An x and a y each.
      public var rightEye, leftEye, nose, rightMouth, leftMouth: [Double]

      /// All of them, in this order.
      var pairs: [[Double]] { [rightEye, leftEye, nose, rightMouth, leftMouth] }
    }
    /// How the head is turned; null in JSON where the landmarks do not tell it.
    public struct Pose: Codable, Sendable {
      /// Of the head, see `HeadPose`.
      public struct Angles: Codable, Sendable {
        /// In degrees: clockwise, to the picture's left, and up.
        public var roll, yaw, pitch: Double
      }
      /// Nil where the landmarks do not tell them.
      public var angles: Angles?

      init(angles: Angles?) { self.angles = angles }

      /// The angles, or null.
      public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        angles = container.decodeNil() ? nil : try container.decode(Angles.self)
      }

      /// The angles, or null.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(angles)
      }
    }

    /// How sure the network is, 0 to 1.
    public var score: Double
    /// Where it is.
    public var box: Box
    /// Its five points; nil where the model finds none.
    public var landmarks: Landmarks?
    /// As the view shows the head.
    public var pose: Pose
    /// True where a second look found the face upside down, so that its landmarks are wrong; nil
    /// otherwise.
    public var upsideDown: Bool?
    /// Where the cut-out face was written.
    public var crop: String?
    /// Where the aligned face was written.
    public var aligned: String?
  }

  /// The picture's path or name.
  public var image: String
  /// Of the picture in pixels.
  public var width, height: Int
  /// In the order in which they were found or selected.
  public var faces: [Face]
  /// How positions are seen; nil for the picture's pixels.
  public var view: ViewReport?

  /// A report of what was found in a picture.
  ///
  /// - Parameters:
  ///   - image: the picture's path or name.
  ///   - width: the picture's, in pixels.
  ///   - height: the picture's, in pixels.
  ///   - faces: in its pixels.
  ///   - space: how positions are written; nil for the picture's pixels.
  public init(
    image: String, width: Int, height: Int, faces: [FaceDecoding.Face], in space: ViewSpace? = nil
  ) {
    self.image = image
    self.width = width
    self.height = height
    self.faces = faces.map { Face($0, in: space) }
    view = space.map(ViewReport.init)
  }

  /// A line for the picture and one for each face.
  public var text: String {
    let place = view.map { ", \($0.text)" } ?? ""
    let lines = faces.map { $0.text(decimals: view?.decimals ?? 1) }
    return
      (["\(printable(image)): \(width) × \(height) pixels, \(counted(faces.count, "face"))\(place)"]
      + lines)
      .joined(separator: "\n")
  }
}

extension DetectionReport.Face {
  /// A face in pixels of the picture, as the space has it; nil for those pixels.
  public init(_ face: Face, in space: ViewSpace? = nil) {
    let head = HeadPose(of: face)
    upsideDown = face.isUpsideDown ? true : nil
    pose = Pose(space.flatMap { head?.seen(in: $0) } ?? head)
    let face = space?.map(face) ?? face
    let places = (space?.coordinateSystem ?? .pixels).decimals.inJSON
    func number(_ number: Double) -> Double { rounded(number, places: places) }
    func pair(_ point: Point) -> [Double] { [number(point.x), number(point.y)] }
    score = rounded(Double(face.score), places: 5)
    box = Box(
      x: number(face.box.x), y: number(face.box.y), width: number(face.box.width),
      height: number(face.box.height))
    landmarks = face.landmarks.map {
      Landmarks(
        rightEye: pair($0.rightEye), leftEye: pair($0.leftEye), nose: pair($0.nose),
        rightMouth: pair($0.rightMouth), leftMouth: pair($0.leftMouth))
    }
  }

  /// Its line in text.
  public func text(decimals: Int = 1) -> String {
    func text(_ numbers: [Double], separator: String = ",") -> String {
      numbers.map { fixed($0, decimals: decimals) }.joined(separator: separator)
    }
    let points = landmarks.map {
      "  right eye \(text($0.rightEye))  left eye \(text($0.leftEye))  nose \(text($0.nose))"
        + "  right mouth \(text($0.rightMouth))  left mouth \(text($0.leftMouth))"
    }
    return "  score \(fixed(score, decimals: 3))"
      + "  box \(text([box.x, box.y])) \(text([box.width, box.height], separator: "x"))"
      + (points ?? "") + pose.text
      + (upsideDown == true ? "  upside down: landmarks not to be trusted" : "")
      + (crop.map { "  crop \(printable($0))" } ?? "")
      + (aligned.map { "  aligned \(printable($0))" } ?? "")
  }
}

extension DetectionReport.Face.Pose {
  init(_ pose: HeadPose?) {
    angles = pose.map {
      Angles(
        roll: rounded($0.roll, places: 2), yaw: rounded($0.yaw, places: 2),
        pitch: rounded($0.pitch, places: 2))
    }
  }

  var text: String {
    guard let angles else { return "" }
    return "  roll \(fixed(angles.roll, decimals: 1)) yaw \(fixed(angles.yaw, decimals: 1))"
      + " pitch \(fixed(angles.pitch, decimals: 1))"
  }
}

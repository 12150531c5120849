/// The verdict on one frame of a `GuidanceSession`: the first thing wrong with it, in the order of
/// the cases, or that it is good.
public enum GuidanceVerdict: String, CaseIterable, Hashable, Sendable {
  /// There is no face.
  case noFace
  /// There is more than one face.
  case severalFaces
  /// The centre of the face's box is too far from the centre of the circle.
  case outsideCircle
  /// The face is too small for the circle.
  case tooSmall
  /// The face is too large for the circle.
  case tooLarge
  /// Yaw, roll or pitch is too large, or the pose cannot be determined.
  case turnedAway
  /// The face moved since the frame before.
  case holdStill
  /// Nothing is wrong.
  case success

  /// What to tell the person.
  public var tip: String {
    switch self {
    case .noFace: "Please put your face into the frame"
    case .severalFaces: "Only one face, please"
    case .outsideCircle: "Please move your face into the circle"
    case .tooSmall: "Please come closer"
    case .tooLarge: "Please move back a little"
    case .turnedAway: "Please look straight into the camera"
    case .holdStill: "Please hold still"
    case .success: "Good, stay like this"
    }
  }
}

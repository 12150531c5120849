import FaceDecoding
import Geometry

/// The known families of detectors. The maps that its outputs come from show which one a network
/// belongs to; see `FamilyRecipe.recognising`.
public enum FaceFamily: String, Sendable, Hashable, Codable, CaseIterable {
  /// YOLO5Face, see `YOLO5FaceHead`.
  case yolo5Face
  /// YOLOv7-face and YOLOv7-lite, see `YOLO7FaceHead`.
  case yolo7Face
  /// YOLOv8-face, see `YOLO8FaceHead`.
  case yolo8Face
  /// SCRFD, see `SCRFDHead`.
  case scrfd
  /// RetinaFace, see `RetinaFaceHead`.
  case retinaFace
  /// UltraFace, see `UltraFaceHead`.
  case ultraFace
  /// YuNet, see `YuNetHead`.
  case yuNet

  /// Its name, for people to read.
  public var name: String {
    switch self {
    case .yolo5Face: "YOLO5Face"
    case .yolo7Face: "YOLOv7-face"
    case .yolo8Face: "YOLOv8-face"
    case .scrfd: "SCRFD"
    case .retinaFace: "RetinaFace"
    case .ultraFace: "UltraFace"
    case .yuNet: "YuNet"
    }
  }

  /// The maps of each stride by which it is recognised, for people to read.
  var signature: String {
    switch self {
    case .yolo5Face: "48 channels at strides 8, 16, or 8, 16, 32, and 64 if there is one"
    case .yolo7Face: "63 channels at strides 8, 16, 32"
    case .yolo8Face:
      "64, 1 and 15 channels, joined or not, or 64 and 1, at strides 8, 16, 32, and 64 if there is one"
    case .scrfd:
      "2, 8 and 20 channels, or 2 and 8, at strides 8, 16, 32; or half as many at 8, 16, 32, 64, 128"
    case .retinaFace: "4, 8 and 20 channels, or 4 and 8, at strides 8, 16, 32"
    case .ultraFace:
      "2 n and 4 n channels, or 2 n, 4 n and 10 n, at strides 8, 16, 32, 64, n being 3, 2, 2, 3"
    case .yuNet: "1, 1, 4 and 10 channels, or 1, 1 and 4, at strides 8, 16, 32"
    }
  }
}

import FaceDecoding
import Geometry

/// The known families of detectors. The maps that its outputs come from show which one a network
/// belongs to; see `FamilyRecipe.recognising`.
public enum FaceFamily: String, Sendable, Hashable, Codable, CaseIterable {
  /// YOLO5Face, see `YOLO5FaceHead`.
  case yolo5Face
  /// YOLOv5 of one class, see `YOLO7FaceHead`.
  case yolo5
  /// YOLOv7-face and YOLOv7-lite, see `YOLO7FaceHead`.
  case yolo7Face
  /// YOLOv8-face, see `YOLO8FaceHead`.
  case yolo8Face
  /// YOLO26 of one class, see `YOLO26FaceHead`.
  case yolo26Face
  /// SCRFD, see `SCRFDHead`.
  case scrfd
  /// RetinaFace, see `RetinaFaceHead`.
  case retinaFace
  /// UltraFace, see `UltraFaceHead`.
  case ultraFace
  /// YuNet, see `YuNetHead`.
  case yuNet
  /// CenterFace, see `CenterFaceHead`.
  case centerFace
  /// BlazeFace, see `BlazeFaceHead`.
  case blazeFace
  /// SSD with its detections, see `SSDHead`.
  case ssd

  /// Its name, for people to read.
  public var name: String {
    switch self {
    case .yolo5Face: "YOLO5Face"
    case .yolo5: "YOLOv5"
    case .yolo7Face: "YOLOv7-face"
    case .yolo8Face: "YOLOv8-face"
    case .yolo26Face: "YOLO26"
    case .scrfd: "SCRFD"
    case .retinaFace: "RetinaFace"
    case .ultraFace: "UltraFace"
    case .yuNet: "YuNet"
    case .centerFace: "CenterFace"
    case .blazeFace: "BlazeFace"
    case .ssd: "SSD"
    }
  }

  /// The maps of each stride by which it is recognised, for people to read.
  var signature: String {
    switch self {
    case .yolo5Face: "48 channels at strides 8, 16, or 8, 16, 32, and 64 if there is one"
    case .yolo5: "18 channels at strides 8, 16, 32, and anchors as constants behind them"
    case .yolo7Face: "63 channels at strides 8, 16, 32"
    case .yolo8Face:
      "64, 1 and 15 channels, joined or not, or 64 and 1, at strides 8, 16, 32, and 64 if there is one"
    case .yolo26Face:
      "4, 1 and 15 channels, or 4 and 1 that end in one output, at strides 8, 16, 32"
    case .scrfd:
      "2, 8 and 20 channels, or 2 and 8, at strides 8, 16, 32; or half as many at 8, 16, 32, 64, 128"
    case .retinaFace: "4, 8 and 20 channels, or 4 and 8, at strides 8, 16, 32"
    case .ultraFace:
      "2 n and 4 n channels, or 2 n, 4 n and 10 n, at strides 8, 16, 32, 64, n being 3, 2, 2, 3"
    case .yuNet: "1, 1, 4 and 10 channels, or 1, 1 and 4, at strides 8, 16, 32"
    case .centerFace: "1, 2, 2 and 10 channels, or 1, 2 and 2, at stride 4"
    case .blazeFace:
      "2 and 32 channels at stride 8 or 16, and 6 and 96 at twice that; or 1 and 16 at stride 4"
    case .ssd: "one output, of DetectionOutput with two classes"
    }
  }

  /// The channels of the maps of strides 8, 16, 32 and so on, or from 4 on, in one of its forms.
  private var channels: [[Int]] {
    switch self {
    case .yolo5Face: [[48], [48], [48]]
    case .yolo5: [[18], [18], [18]]
    case .yolo7Face: [[63], [63], [63]]
    case .yolo8Face: [[64, 1, 15], [64, 1, 15], [64, 1, 15]]
    case .yolo26Face: [[4, 1, 15], [4, 1, 15], [4, 1, 15]]
    case .scrfd: [[2, 8, 20], [2, 8, 20], [2, 8, 20]]
    case .retinaFace: [[4, 8, 20], [4, 8, 20], [4, 8, 20]]
    case .ultraFace: [[6, 12], [4, 8], [4, 8], [6, 12]]
    case .yuNet: [[1, 1, 4, 10], [1, 1, 4, 10], [1, 1, 4, 10]]
    case .centerFace: [[1, 2, 2, 10]]
    case .blazeFace: [[2, 32], [6, 96]]
    case .ssd: []
    }
  }

  private var smallestStride: Int { self == .centerFace ? 4 : 8 }

  /// The family that shares the largest part of its maps with a network, its signature and the maps that the
  /// network lacks; nil where none shares any.
  static func nearest(to maps: [OutputMap]) -> String? {
    var best: (share: Double, family: FaceFamily, lacking: [(stride: Int, channels: [Int])])?
    for family in allCases {
      let wanted = family.channels.enumerated().map {
        (stride: family.smallestStride << $0.offset, channels: $0.element)
      }
      let lacking = wanted.map { level in
        var found = maps.filter { $0.stride == level.stride }.map { $0.channels }
        let lacking = level.channels.filter { channels in
          guard let index = found.firstIndex(of: channels) else { return true }
          found.remove(at: index)
          return false
        }
        return (stride: level.stride, channels: lacking)
      }
      func count(_ levels: [(stride: Int, channels: [Int])]) -> Double {
        Double(levels.reduce(0) { $0 + $1.channels.count })
      }
      let share = 1 - count(lacking) / count(wanted)
      if share > best?.share ?? 0 { best = (share, family, lacking) }
    }
    return best.map { best in
      let lacking = best.lacking.filter { !$0.channels.isEmpty }.map { level in
        "\(level.channels.map(String.init).joined(separator: ", ")) channels at stride \(level.stride)"
      }
      return "\(best.family.name), \(best.family.signature)"
        + (lacking.isEmpty ? "" : "; missing are maps of \(lacking.joined(separator: ", "))")
    }
  }
}

import Formatting
import YOLOFace

extension TrackingUpdate {
  /// The faces found in a frame as MOTChallenge writes tracks (https://motchallenge.net/instructions),
  /// one line each, in ascending order of ID; empty where there are none.
  ///
  /// - Parameters:
  ///   - frame: the frame's number, from 0.
  ///   - space: the view in whose pixels positions are written; nil for image pixels.
  func motLines(frame: Int, in space: ViewSpace?) -> String {
    faces.map { tracked in
      let face = space?.written(in: .pixels).map(tracked.face) ?? tracked.face
      let box = [face.box.x + 1, face.box.y + 1, face.box.width, face.box.height]
      let numbers = box.map { fixed($0, decimals: 2) } + [fixed(Double(face.score), decimals: 5)]
      return "\(frame + 1),\(tracked.id),\(numbers.joined(separator: ",")),-1,-1,-1"
    }.joined(separator: "\n")
  }
}

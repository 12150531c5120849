// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceFileSystem
import YOLOFaceFiles

/// The faces that a ground truth has in one picture, in its pixels once it is upright; those that may be missed are left
/// out. See `TruthReader` for its forms.
func trueFaces(
  of stored: Picture.Stored, at path: String, _ turning: OrientationOptions, in truth: String
) throws -> [Box] {
  let directory = lastSlash(in: path).map { String(path[...$0]) } ?? "."
  let faults = GroundTruthFaults(isStrict: false)
  let pictures = try TruthReader(pictures: directory, faults: faults).read(truth)
    .faces(called: [], source: truth).pictures
  let identity = FileIdentity(path)
  let found = locate(pictures, in: directory).first { located in
    located.path.map { FileIdentity($0) == identity } ?? false
  }
  guard let found else {
    throw Failure("\(truth): found no picture \(fileName(of: path)), expected its faces")
  }
  let picture = try found.truth.turnedUpright(
    from: stored.orientation, to: stored.upright.size, at: path)
  let size = turning.upright(stored.upright).size
  return try sensibleFaces(of: [(picture, size)], noting: faults)[0]
    .filter { $0.standing == .counted }.map(\.box)
}

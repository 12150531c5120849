// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceEvaluation

/// Interprets bytes as a ground-truth file, in each format that is read.
public func fuzzGroundTruth(_ bytes: [UInt8]) {
  let classes = (try? YOLOClasses.read(bytes, source: "fuzz.yaml")) ?? [:]
  let pictures = [
    try? JSONGroundTruth.read(bytes, source: "fuzz.json"),
    try? WIDERGroundTruth.read(bytes, source: "fuzz-wider.txt"),
    try? RetinaFaceGroundTruth.read(bytes, source: "fuzz-label.txt"),
    (try? VOCGroundTruth.read(bytes, source: "fuzz.xml", name: "fuzz")).map { [$0] },
    (try? YOLOGroundTruth.read(bytes, source: "fuzz.txt", name: "fuzz", classes: classes))
      .map { [$0] },
  ].compactMap { $0 }.joined()
  let subset = try? WIDERSubset(bytes, name: "fuzz", source: "fuzz-subset.txt")
  try? subset?.check(against: Array(pictures))
  for picture in pictures {
    let size = picture.size ?? Size2D(width: 640, height: 480)
    guard let faces = try? picture.faces(inPictureOf: size) else {
      preconditionFailure("faces do not lie in the picture's own size")
    }
    precondition(faces.count == picture.faces.count, "faces are missing")
    precondition(faces.allSatisfy { $0.box.width >= 0 && $0.box.height >= 0 })
  }
}

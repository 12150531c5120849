// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceFormatting

extension GroundTruthPicture {
  /// What the four numbers of a box are.
  enum BoxForm: Hashable, Sendable { case corners, cornerAndSize, centerAndSize }
}

/// The faces of pictures of these sizes, in pixels, where they make sense: rows are distinct, and most of a box is in its
/// picture. Where the numbers of a set's boxes make sense as two corners alone, they are read as that.
public func sensibleFaces(
  of pictures: [(truth: GroundTruthPicture, size: Size2D)], noting faults: GroundTruthFaults
) throws(GroundTruthError) -> [[GroundTruthFace]] {
  var sets = try pictures.map { picture throws(GroundTruthError) in
    try picture.truth.faces(inPictureOf: picture.size)
  }
  if faults.isStrict { return sets }
  if let corners = facesByCorners(sets, of: pictures) {
    faults.correct(.corners, count: corners.reduce(0) { $0 + $1.count })
    sets = corners
  }
  return try zip(pictures, sets).map { picture, faces throws(GroundTruthError) in
    var distinct: Set<GroundTruthFace> = []
    var sensible: [GroundTruthFace] = []
    for face in faces {
      let box = face.box
      if box.clipped(to: picture.size).area < box.area / 2 {
        try faults.leaveOut(
          GroundTruthError(
            file: picture.truth.name, position: .file,
            found: "a box from \(rounded(box.minX)), \(rounded(box.minY)) to \(rounded(box.maxX)), "
              + "\(rounded(box.maxY))",
            expected: "one in the picture of \(picture.size.text) pixels"))
      } else if distinct.insert(face).inserted {
        sensible.append(face)
      } else {
        faults.correct(.repeated)
      }
    }
    return sensible
  }
}

/// The faces of all pictures with the numbers of boxes as two corners; nil unless all make sense as that and a quarter
/// would otherwise reach beyond their pictures.
private func facesByCorners(
  _ sets: [[GroundTruthFace]], of pictures: [(truth: GroundTruthPicture, size: Size2D)]
) -> [[GroundTruthFace]]? {
  var (count, beyond) = (0, 0)
  var result: [[GroundTruthFace]] = []
  for (picture, faces) in zip(pictures, sets) {
    let (size, form) = (picture.size, picture.truth.boxForm)
    if form == .corners { return nil }
    var corrected = faces
    for (index, face) in faces.enumerated() where !face.box.isDegenerate {
      let box = face.box
      let first = form == .centerAndSize ? box.center : Point2D(x: box.minX, y: box.minY)
      // Boxes may reach a little over an edge, as detections do.
      guard box.width > first.x, box.height > first.y, box.width <= 1.1 * size.width,
        box.height <= 1.1 * size.height
      else { return nil }
      count += 1
      if box.minX < -0.02 * size.width || box.minY < -0.02 * size.height
        || box.maxX > 1.02 * size.width || box.maxY > 1.02 * size.height
      {
        beyond += 1
      }
      corrected[index].box = Box(
        corner: first, opposite: Point2D(x: box.width, y: box.height))
    }
    result.append(corrected)
  }
  return beyond > 0 && 4 * beyond >= count ? result : nil
}

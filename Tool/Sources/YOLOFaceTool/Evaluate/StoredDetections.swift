// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// A picture as an evaluation sees it.
struct Finding: Sendable {
  var truth: GroundTruthPicture
  var size: Size2D
  var detections: [Face]
}

/// Detections that were written before, in place of a detector's.
struct StoredDetections {
  /// By the path of the picture's file.
  private var results: [UntrustedText: GroundTruthPicture] = [:]
  private let path: String

  /// The results at a path, of pictures that were located in a directory, each with its number in the data set.
  init(
    _ path: String, of pictures: [LocatedPicture], in directory: String,
    noting faults: GroundTruthFaults
  ) throws {
    self.path = path
    let reader = TruthReader(pictures: directory, faults: faults, isOfResults: true)
    let stored = try reader.read(path).faces(called: [], source: path).pictures
    // COCO's results number their pictures.
    var numbered: [UntrustedText: UntrustedText] = [:]
    for (index, picture) in pictures.enumerated() {
      numbered[UntrustedText(picture.truth.identifier ?? "\(index + 1)")] =
        picture.path.map { UntrustedText($0) }
    }
    for picture in stored where picture.identifier != nil {
      let number = UntrustedText(picture.identifier ?? "")
      if let file = numbered[number] { results[file] = picture }
    }
    for found in locate(stored.filter { $0.identifier == nil }, in: directory) {
      if let file = found.path { results[UntrustedText(file)] = found.truth }
    }
    // COCO's results number their categories, too.
    let counted = Set(pictures.flatMap(\.truth.faces).compactMap { $0.category?.number })
      .union([pictures.first?.truth.category?.number].compactMap(\.self))
    func isCounted(_ face: GroundTruthFace) -> Bool {
      face.category?.number.map(counted.contains) ?? false
    }
    guard results.values.contains(where: { $0.faces.contains(where: isCounted) }) else { return }
    for file in results.keys { results[file]?.faces.removeAll { !isCounted($0) } }
  }

  /// What is said of pictures without results; nil if all have some.
  func missingMessage(_ pictures: [LocatedPicture]) -> String? {
    let names = pictures.filter { result(of: $0) == nil }.map(\.truth.name)
    return names.isEmpty
      ? nil
      : "\(path): found no results for \(names.count) of \(counted(pictures.count, "picture")) "
        + "(\(examples(names))), which count as pictures without detections"
  }

  private func result(of picture: LocatedPicture) -> GroundTruthPicture? {
    picture.path.flatMap { results[UntrustedText($0)] }
  }

  /// A picture with its results, of these scores at least. Its file is read where its size or orientation must be known.
  func finding(
    of picture: LocatedPicture, from least: Float, reading file: (String) throws -> Picture.Stored
  ) throws -> Finding {
    let path = picture.path ?? picture.truth.name
    var (truth, stored) = (picture.truth, result(of: picture))
    let needsFile = truth.isOfStoredPicture || stored?.isOfStoredPicture ?? true
    var size = needsFile ? nil : stored?.size ?? truth.size
    if size == nil {
      let picture = try file(path)
      size = picture.upright.size
      truth = try truth.turnedUpright(
        from: picture.orientation, to: picture.upright.size, at: path)
      stored = try stored?.turnedUpright(
        from: picture.orientation, to: picture.upright.size, at: path)
    }
    let upright = size ?? Size2D(width: 0, height: 0)
    _ = try truth.faces(inPictureOf: upright, at: path)
    let faces = try stored?.faces(inPictureOf: upright, at: path) ?? []
    let detections = faces.map {
      Face(score: Float($0.score ?? 1), box: $0.box, landmarks: $0.landmarks)
    }
    return Finding(truth: truth, size: upright, detections: detections.filter { $0.score >= least })
  }
}

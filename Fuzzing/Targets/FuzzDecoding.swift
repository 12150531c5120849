// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
@_spi(Tool) import YOLOFaceDecoding
import YOLOFaceRaster

/// Interprets bytes as a network's outputs and as everything that a caller decides: head outputs
/// become candidates, which non-maximum suppression reduces to faces; those are mapped out of a
/// letterbox and into a view, analysed and drawn.
public func fuzzDecoding(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  let candidates = input.candidates()
  let count = Int(input.byte())
  let suppression = nonMaximumSuppression(
    of: candidates, overlapThreshold: input.double(), maximumCount: count)
  precondition(suppression.kept.count <= count, "too many faces are kept")
  precondition(Set(suppression.kept).count == suppression.kept.count, "a face is kept twice")
  var faces = suppression.kept.map { candidates[$0] }
  for (face, next) in zip(faces, faces.dropFirst()) {
    precondition(face.score >= next.score, "the better face comes later")
  }
  if let letterbox = input.letterbox() {
    faces = faces.map { letterbox.unmap($0) }
    for face in faces {
      let box = face.box.clipped(to: letterbox.imageSize)
      precondition(!(box.width < 0 || box.height < 0), "a clipped box has a negative side")
    }
  }
  if let view = input.viewSpace() {
    faces = faces.map { view.map($0) }
    for face in faces { _ = view.unmap(face) }
  }
  analyse(faces, &input)
  draw(faces)
}

private func analyse(_ faces: [Face], _ input: inout FuzzInput) {
  let size = Size2D(width: input.double(), height: input.double())
  let selection = FaceSelection(
    preference: input.element(of: FaceSelection.Preference.allCases),
    minimumSide: input.double(), maximumCount: Int(input.byte()))
  precondition(selection.select(from: faces, in: size).count <= faces.count)
  let crop = FaceCrop(
    margin: input.double(), isSquare: input.byte() & 1 == 1, isClipped: input.byte() & 1 == 1)
  let faces = faces.prefix(4)
  var tracker = FaceTracker()
  for second in 1...3 {
    _ = try? tracker.update(Array(faces), at: RationalTime(seconds: second))
  }
  for face in faces {
    _ = crop.rectangle(around: face.box, in: size)
    guard let shape = face.landmarks, let first = faces[0].landmarks else { continue }
    _ = try? FaceAlignment(shape)
    _ = try? LandmarkSimilarity(of: shape, and: first)
  }
  // This takes as long as all the rest.
  if let shape = faces.first?.landmarks { _ = HeadPose(shape) }
}

private func draw(_ faces: [Face]) {
  var picture = RGBImage(width: 16, height: 12)
  for face in faces.prefix(4) {
    let (box, nose) = (face.box, face.landmarks?.nose ?? face.box.center)
    picture.fillRectangle(box, color: .white, opacity: 0.5)
    picture.strokeRectangle(box, lineWidth: 2, color: .black)
    let corner = Point2D(x: box.x, y: box.y)
    picture.drawLine(from: corner, to: nose, lineWidth: box.width / 8, color: .white)
    picture.strokeCircle(center: nose, radius: box.height, lineWidth: 1, color: .white)
  }
}

extension FuzzInput {
  /// The candidates of a head for arbitrary values in a small grid.
  fileprivate mutating func candidates() -> [Face] {
    let known = byte() & 1 == 1 ? element(of: YOLO5FaceHead.yoloFace) : nil
    let stride = known?.stride ?? 1 + Int(byte())
    let anchors = known?.anchors ?? [Size2D(width: double(), height: double())]
    let (columns, rows) = (1 + Int(byte()) % 4, 1 + Int(byte()) % 4)
    let threshold = ScoreThreshold(float())
    let head = YOLO5FaceHead(
      stride: stride, anchors: anchors, scoreRule: element(of: ScoreRule.allCases))
    let count = head.anchors.count * columns * rows * YOLO5FaceHead.valuesPerAnchor
    let values = (0..<count).map { _ in float() }
    var candidates: [Face] = []
    let output = values.span
    do throws(ValueError) {
      try head.appendCandidates(
        from: output, columns: columns, rows: rows, threshold: threshold, to: &candidates)
    } catch { preconditionFailure("the grid fits the values") }
    precondition(candidates.allSatisfy { (0...1).contains($0.score) }, "a score is out of range")
    return candidates
  }

  fileprivate mutating func letterbox() -> Letterbox? {
    func side(_ word: UInt32) -> Int { Int(Int32(bitPattern: word)) }
    let (width, height) = (side(word()), side(word()))
    let mode: Letterbox.Mode =
      switch byte() % 3 {
      case 0: .longSide(side(word()))
      case 1: .square(side(word()))
      default: .exact(width: 32 * Int(byte()), height: 32 * Int(byte()))
      }
    return try? Letterbox(imageWidth: width, imageHeight: height, mode: mode)
  }

  fileprivate mutating func viewSpace() -> ViewSpace? {
    try? ViewSpace(
      imageSize: Size2D(width: double(), height: double()),
      orientation: element(of: Orientation.allCases), isMirrored: byte() & 1 == 1,
      placement: byte() & 1 == 1
        ? .picture
        : .view(Size2D(width: double(), height: double()), element(of: Gravity.allCases)),
      coordinateSystem: element(of: CoordinateSystem.allCases))
  }
}

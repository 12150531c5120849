// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceLibC

// What the page asks of faces and of coordinate spaces, with or without a network. A face is fifteen
// numbers, see `Face.numbers`.

/// Suppresses candidates that overlap a better one, and returns how many are kept.
///
/// - Parameters:
///   - candidates: in pixels of the network's input.
///   - target: receives the suppressor of each candidate, or -1 where the candidate is kept and -2 where its
///     score is too low; then the candidates kept, best first.
@_expose(wasm, "suppress") @_cdecl("yoloface_suppress")
public func suppress(
  _ candidates: UnsafePointer<Double>, _ count: Int, _ score: Float, _ overlap: Double,
  _ target: UnsafeMutablePointer<Int32>
) -> Int {
  let candidates = faces(at: candidates, count)
  let admitted = candidates.indices.filter { candidates[$0].score >= score }
  let visited = admitted.map { candidates[$0] }
  func run() -> Suppression {
    nonMaximumSuppression(of: visited, overlapThreshold: overlap, maximumCandidates: .max)
  }
  let start = hostSeconds()
  let suppression = run()
  var runs = 1.0
  // A page's clock is coarse: one run may be over between two of its ticks.
  while hostSeconds() - start < 0.001 {
    _ = run()
    runs += 1
  }
  suppressionMicroseconds = 1e6 * (hostSeconds() - start) / runs
  for place in 0..<count { target[place] = -2 }
  for (index, suppressor) in zip(admitted, suppression.suppressor) {
    target[index] = suppressor.map { Int32(admitted[$0]) } ?? -1
  }
  for (place, index) in suppression.kept.enumerated() {
    target[count + place] = Int32(admitted[index])
  }
  return suppression.kept.count
}

/// How many microseconds the last suppression took, without what is copied for it.
@_expose(wasm, "suppressionTime") @_cdecl("yoloface_suppression_time")
public func suppressionTime() -> Double { suppressionMicroseconds }

private nonisolated(unsafe) var suppressionMicroseconds = 0.0

/// Finds for each face the one among others that overlaps it most.
///
/// - Parameter target: receives four numbers for each face: the other's number, or -1 where none overlaps
///   it, the area of their intersection, that of their union, and their IoU.
@_expose(wasm, "findOverlaps") @_cdecl("yoloface_find_overlaps")
public func findOverlaps(
  _ boxes: UnsafePointer<Double>, _ count: Int, _ others: UnsafePointer<Double>, _ otherCount: Int,
  _ target: UnsafeMutablePointer<Double>
) {
  let others = faces(at: others, otherCount).map { $0.box }
  for (place, face) in faces(at: boxes, count).enumerated() {
    var best = (number: -1, overlap: 0.0)
    for (number, other) in others.enumerated() {
      let overlap = face.box.intersectionOverUnion(with: other)
      if overlap > best.overlap { best = (number, overlap) }
    }
    let intersection =
      best.number < 0 ? 0 : face.box.intersectionArea(with: others[best.number])
    let union = face.box.area + (best.number < 0 ? 0 : others[best.number].area) - intersection
    for (column, number) in [Double(best.number), intersection, union, best.overlap].enumerated() {
      target[4 * place + column] = number
    }
  }
}

/// Writes the numbers of a letterbox: scale, horizontal and vertical scale, width and height of the scaled
/// picture and of the input, padding at the left and at the top; false where it was refused.
///
/// - Parameter fit: see `Letterbox.init(fit:)`.
@_expose(wasm, "copyLetterbox") @_cdecl("yoloface_letterbox")
public func copyLetterbox(
  _ fit: UnsafePointer<Int32>, _ target: UnsafeMutablePointer<Double>
) -> Bool {
  succeeds { () throws(Refusal) in
    let letterbox = try Letterbox(fit: fit)
    let sizes = [
      letterbox.scaledWidth, letterbox.scaledHeight, letterbox.inputWidth, letterbox.inputHeight,
      letterbox.padLeft, letterbox.padTop,
    ]
    let numbers =
      [letterbox.scale, letterbox.horizontalScale, letterbox.verticalScale]
      + sizes.map { Double($0) }
    for (place, number) in numbers.enumerated() { target[place] = number }
  }
}

/// Maps faces from the picture to the network's input, or back, in place; false where that was refused.
@_expose(wasm, "mapByLetterbox") @_cdecl("yoloface_map_by_letterbox")
public func mapByLetterbox(
  _ fit: UnsafePointer<Int32>, _ isBack: Bool, _ faces: UnsafeMutablePointer<Double>, _ count: Int
) -> Bool {
  succeeds { () throws(Refusal) in
    let letterbox = try Letterbox(fit: fit)
    replaceFaces(at: faces, count) { isBack ? letterbox.unmap($0) : letterbox.map($0) }
  }
}

/// Writes a view space's affine transform from the picture, row by row, the width and height of its canvas, and 1
/// where it shows a mirror image, otherwise 0; false where it was refused.
///
/// - Parameter view: see `ViewSpace.init(view:)`.
@_expose(wasm, "copyViewSpace") @_cdecl("yoloface_view_space")
public func copyViewSpace(
  _ view: UnsafePointer<Double>, _ target: UnsafeMutablePointer<Double>
) -> Bool {
  succeeds { () throws(Refusal) in
    let space = try ViewSpace(view: view)
    let transform = space.transform
    let numbers = [
      transform.xx, transform.xy, transform.x0, transform.yx, transform.yy, transform.y0,
      space.canvasSize.width, space.canvasSize.height, space.swapsSides ? 1 : 0,
    ]
    for (place, number) in numbers.enumerated() { target[place] = number }
  }
}

/// Maps faces from the picture to a view space, in place; false where that was refused.
@_expose(wasm, "mapToViewSpace") @_cdecl("yoloface_map_to_view_space")
public func mapToViewSpace(
  _ view: UnsafePointer<Double>, _ faces: UnsafeMutablePointer<Double>, _ count: Int
) -> Bool {
  succeeds { () throws(Refusal) in
    let space = try ViewSpace(view: view)
    replaceFaces(at: faces, count) { space.map($0) }
  }
}

extension Letterbox {
  /// A letterbox from the page's numbers: width and height of the picture; 0 for a long side, 1 for a square,
  /// 2 for an exact size, and that width and height; the grey of the padding; the granularity; width and height of
  /// the only size, 0 where there are many; and 1 where pictures are stretched to it.
  fileprivate init(fit: UnsafePointer<Int32>) throws(Refusal) {
    let numbers = (0..<10).map { Int(fit[$0]) }
    let (width, height) = (numbers[3], numbers[4])
    let mode: Mode =
      switch numbers[2] {
      case 0: .longSide(width)
      case 1: .square(width)
      default: .exact(width: width, height: height)
      }
    let fill = UInt8(truncatingIfNeeded: numbers[5])
    let style =
      numbers[7] > 0
      ? Style(
        fill: fill, size: InputSize(width: numbers[7], height: numbers[8]),
        stretches: numbers[9] != 0)
      : Style(fill: fill, granularity: max(1, numbers[6]))
    self = try refusing { () throws(ValueError) in
      try Letterbox(imageWidth: numbers[0], imageHeight: numbers[1], mode: mode, style: style)
    }
  }
}

extension ViewSpace {
  /// A view space from the page's numbers: width and height of the picture; Exif's number of the orientation; 1
  /// where mirrored; 0 for the picture's own pixels, otherwise the gravity's number from 1 on, and width and
  /// height of the view; and the coordinate system's number from 0 on.
  fileprivate init(view: UnsafePointer<Double>) throws(Refusal) {
    let (gravities, systems) = (Gravity.allCases, CoordinateSystem.allCases)
    guard let orientation = Int(exactly: view[2]).flatMap({ Orientation(rawValue: $0) }),
      let gravity = Int(exactly: view[4]), (0...gravities.count).contains(gravity),
      let system = Int(exactly: view[7]), systems.indices.contains(system)
    else { throw Refusal(message: "there is no such view space") }
    self = try refusing { () throws(ValueError) in
      try ViewSpace(
        imageSize: Size2D(width: view[0], height: view[1]), orientation: orientation,
        isMirrored: view[3] != 0,
        placement: gravity == 0
          ? .picture : .view(Size2D(width: view[5], height: view[6]), gravities[gravity - 1]),
        coordinateSystem: systems[system])
    }
  }
}

extension Face {
  /// Fifteen numbers: score, the box's x, y, width and height, and x and y of the five points, NaN where there
  /// are none.
  var numbers: [Double] {
    let points = landmarks?.points.flatMap { [$0.x, $0.y] } ?? Array(repeating: .nan, count: 10)
    return [Double(score), box.x, box.y, box.width, box.height] + points
  }

  fileprivate init(numbers: UnsafePointer<Double>) {
    func point(_ index: Int) -> Point2D { Point2D(x: numbers[index], y: numbers[index + 1]) }
    self.init(
      score: Float(numbers[0]),
      box: Box(x: numbers[1], y: numbers[2], width: numbers[3], height: numbers[4]),
      landmarks: numbers[5].isNaN
        ? nil
        : Landmarks(
          rightEye: point(5), leftEye: point(7), nose: point(9), rightMouth: point(11),
          leftMouth: point(13)))
  }
}

private func faces(at start: UnsafePointer<Double>, _ count: Int) -> [Face] {
  (0..<count).map { Face(numbers: start + 15 * $0) }
}

private func replaceFaces(
  at start: UnsafeMutablePointer<Double>, _ count: Int, by map: (Face) -> Face
) {
  for (place, face) in faces(at: start, count).enumerated() {
    for (column, number) in map(face).numbers.enumerated() { start[15 * place + column] = number }
  }
}

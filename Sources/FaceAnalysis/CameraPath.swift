import Geometry

/// How far a camera has turned by each frame, as far as its faces tell: in pixels, by the shift that
/// most faces share (see `CommonShift`).
struct CameraPath {
  private typealias Offset = SIMD2<Double>

  /// The frames that had faces, oldest first, and the shift of the picture since the first of them.
  private var offsets: [(frame: Int, offset: Offset)] = []
  private var boxes: [Rectangle] = []
  /// The last shift, in pixels per frame.
  private var speed: Offset = .zero

  /// Adds the boxes of a later frame's faces; none where the detector found nothing.
  mutating func add(_ found: [Rectangle], frame: Int) {
    guard !found.isEmpty else { return }
    var shift = Offset.zero
    if let last = offsets.last {
      let frames = Double(frame - last.frame)
      shift = CommonShift.shift(from: boxes, expecting: speed * frames, to: found) ?? .zero
      speed = shift / frames
    }
    offsets.append((frame, (offsets.last?.offset ?? .zero) + shift))
    boxes = found
  }

  /// A box, seen in one frame, where it would be in another if it had moved with the picture alone.
  func box(_ box: Rectangle, from frame: Int, to other: Int) -> Rectangle {
    box.moved(by: offset(in: other) - offset(in: frame))
  }

  /// The offset in a frame, between those of the nearest frames that had faces.
  private func offset(in frame: Int) -> Offset {
    let after = offsets.first { $0.frame >= frame }
    let before = offsets.last { $0.frame <= frame }
    guard let before, let after else { return before?.offset ?? after?.offset ?? .zero }
    let share = Double(frame - before.frame) / Double(max(1, after.frame - before.frame))
    return before.offset + share * (after.offset - before.offset)
  }

  /// Drops what no frame from this one on depends on.
  mutating func forget(before frame: Int) {
    while offsets.count > 1, offsets[1].frame <= frame { offsets.removeFirst() }
  }
}

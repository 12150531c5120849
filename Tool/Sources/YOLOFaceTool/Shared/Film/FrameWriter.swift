// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceFilms

/// What a film keeps of the one that its pictures come from, beside these.
struct KeptParts {
  var sound = false
  var metadata = false
}

/// Where the pictures of frames go: to a film, to a directory, or over raw frames on standard output.
final class FrameWriter {
  enum Place {
    /// A film, its constant rate factor, nil for the usual one, and what it keeps of the frames' film.
    case film(String, quality: Int? = nil, keeping: KeptParts = KeptParts())
    case directory(String)
    /// Where frames are raw, to standard output; otherwise nowhere.
    case standardOutput
  }

  let place: Place
  private let frames: FrameSequence
  private let outputs: Outputs
  private var film: FilmWriter?

  init(_ place: Place, of frames: FrameSequence, by outputs: Outputs) {
    (self.place, self.frames, self.outputs) = (place, frames, outputs)
  }

  /// Writes a frame's picture, in a film one of the first's size; in a directory, to a new file of this name or the
  /// frame's number.
  func write(_ picture: RGBImage, of frame: Frame, named name: String? = nil) throws {
    switch place {
    case .film(let path, let quality, let keeping):
      let film =
        try film
        ?? Interruption.orElse {
          try outputs.film(path, of: picture, like: frames, quality: quality, keeping: keeping)
        }
      self.film = film
      guard picture.width == film.width, picture.height == film.height else {
        let size = Size2D(width: Double(film.width), height: Double(film.height))
        throw Failure("\(frame.unequal(picture, to: size)); it is not in \(path)")
      }
      try Interruption.orElse { try film.append(picture, at: frame.time) }
    case .directory(let directory):
      let target = path(of: name ?? frame.fileName, in: directory)
      try outputs.write(picture, color: frame.color, to: target, in: directory)
    case .standardOutput:
      guard let raw = frames.raw, var bytes = frame.bytes else { return }
      try picture.write(over: &bytes, format: raw.format, bytesPerRow: raw.bytesPerRow)
      try printBytes(bytes)
    }
  }

  /// Gives a film its name; without frames, there is no film. Where that fails, the film is removed.
  func finish() throws {
    if let film { try Interruption.orElse { try outputs.finish(film) } }
  }

  /// In words, what a film lacks of its source.
  var losses: [String] { film?.losses ?? [] }
}

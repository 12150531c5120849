// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFileSystem
import YOLOFaceFilms

struct FrameSequence {
  enum Source {
    /// Pictures, and how one is read.
    case pictures([String], read: (String) throws -> Picture.Stored)
    case raw(RawFrames)
    case film(FilmReader)
  }

  private let source: Source
  /// The time from each frame to the next, or the usual one of a film.
  let interval: RationalTime
  /// How many frames were read, or could not be.
  private(set) var number = 0
  /// The time of the next frame; an error if it is too large to be written.
  private var time: Result<RationalTime, ValueError>
  private var cuts = CutDetector()

  init(_ source: Source, interval: RationalTime) throws(ValueError) {
    (self.source, self.interval) = (source, interval)
    time = .success(try RationalTime(value: 0, timescale: interval.timescale))
  }

  /// The frames of a film, raw ones, or else pictures. Without a rate, they come at a film's own, others at 30 per
  /// second.
  init(
    film: String?, raw: RawFrames?, pictures: [String], rate: PositiveFraction?,
    limits: Picture.Limits, read: @escaping (String) throws -> Picture.Stored
  ) throws {
    if let film {
      let reader = try Interruption.orElse {
        try FilmReader(
          film, interval: try rate?.interval, limits: limits, while: { Interruption.isGoingOn })
      }
      try self.init(.film(reader), interval: reader.interval)
    } else {
      let source = raw.map(Source.raw) ?? .pictures(pictures, read: read)
      try self.init(source, interval: try (rate ?? 30).interval)
    }
  }

  var reader: FilmReader? {
    if case .film(let reader) = source { reader } else { nil }
  }

  var raw: RawFrames? {
    if case .raw(let frames) = source { frames } else { nil }
  }

  var count: Int? {
    switch source {
    case .pictures(let paths, _): paths.count
    case .raw: nil
    case .film(let reader): reader.pictureCount
    }
  }

  /// ffmpeg's complaints about a film whose frames it could read; nil for none. Known after the last frame.
  var complaints: String? {
    guard let reader, !reader.complaints.isEmpty else { return nil }
    return "\(reader.path): ffmpeg went on after this: \(reader.complaints)"
  }

  /// The next frame; nil after the last, or after a signal. A picture that cannot be read gives a failure in its place.
  mutating func next() throws -> Result<Frame, any Error>? {
    let picture: Result<RGBImage, any Error>
    var color = ColorDescription()
    var path: String?
    var bytes: [UInt8]?
    switch source {
    case .raw(let raw):
      guard let image = try raw.next() else { return nil }
      (picture, bytes) = (.success(image), raw.bytes)
    case .film(let reader):
      // A signal ends ffmpeg, too.
      do {
        guard let image = try reader.next() else { return nil }
        picture = .success(image)
      } catch  where !Interruption.isGoingOn { return nil }
    case .pictures(let paths, let read):
      guard number < paths.count else { return nil }
      let name = paths[number]
      let stored = Result { try read(name) }
      if case .success(let stored) = stored { color = stored.color }
      (picture, path) = (stored.map(\.upright), name)
    }
    let (current, now) = (number, try reader?.time ?? time.get())
    number += 1
    time = Result { () throws(ValueError) in try now.adding(interval) }
    return picture.map {
      Frame(
        number: current, time: now, path: path, image: $0, color: color,
        isCut: cuts.isCut(before: $0), bytes: bytes)
    }
  }
}

/// Whether a path has the suffix of a film, and is no directory.
func isFilmName(_ path: String) -> Bool {
  suffix(of: path, among: FilmReader.fileSuffixes) != nil && !isDirectory(path)
}

/// The film among arguments, which must then be the only one; nil for none. An animated picture alone may be one, too.
func onlyFilm(_ arguments: [String], mayBePicture: Bool = true) throws -> String? {
  if let remedy = arguments.lazy.compactMap(remedyForNoFile).first {
    throw ValidationError(remedy)
  }
  if mayBePicture, arguments.count == 1, arguments != ["-"], isAnimatedPicture(arguments[0]) {
    return arguments[0]
  }
  guard let film = arguments.first(where: isFilmName) else { return nil }
  guard arguments.count == 1 else { throw ValidationError("\(film): give a film alone.") }
  return film
}

func isWritableFilmName(_ path: String) -> Bool {
  suffix(of: path, among: FilmWriter.fileSuffixes) != nil
}

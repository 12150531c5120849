// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFiles
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceRaster

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FaceDetector {
  /// The faces in a picture's file, in pixels of the picture turned upright as `Picture.read` turns it.
  ///
  /// - Parameters:
  ///   - path: of a file in a format of `Picture.formats`.
  ///   - options: how faces are searched for.
  ///   - limits: what the picture may cost.
  /// - Throws: `FileError` where the file cannot be read, `PictureError` where it holds no such picture,
  ///   `DetectionError` where the search fails.
  public func detect(
    at path: String, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) throws -> [Face] {
    try inTurn { try detect(in: Picture.read(path: path, limits: limits), options: options) }
  }

  /// The faces in a picture's file, as by `detect(at:options:limits:)`.
  ///
  /// - Throws: as there, and `FileError` for a URL that is no file's: nothing is downloaded.
  public func detect(
    at url: URL, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) throws -> [Face] {
    try detect(at: path(of: url), options: options, limits: limits)
  }

  /// The faces in the bytes of a picture's file, as by `detect(at:options:limits:)`.
  ///
  /// - Throws: `PictureError` where the bytes are no picture of a supported format, `DetectionError` where the
  ///   search fails.
  public func detect(
    in file: [UInt8], options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) throws -> [Face] {
    try inTurn { try detect(in: Picture.decode(file, limits: limits), options: options) }
  }

  /// Decodes and searches a picture when few others are held; throws within a run, which would wait for itself.
  private func inTurn(_ work: () throws -> [Face]) throws -> [Face] {
    try namingNetwork(engine.requireNoRunHere())
    return try turns.take(work)
  }
}

// Each waits for a thread that is none of the tasks', so that these go on meanwhile; however many tasks there are,
// few pictures are decoded at a time. Where the task is cancelled before the search begins, it throws
// `CancellationError`; a search that has begun is finished.
extension FaceDetector {
  /// The faces in a picture, found while the caller's thread is free.
  ///
  /// - Throws: `DetectionError`, or `CancellationError` where the task was cancelled before.
  public func detect(
    in image: RGBImage, options: DetectionOptions = DetectionOptions()
  ) async throws -> [Face] {
    try await turns.takeElsewhere { try detect(in: image, options: options) }
  }

  /// The faces in a picture's file, found while the caller's thread is free.
  ///
  /// - Throws: `FileError`, `PictureError`, `DetectionError`, or `CancellationError` where the task was cancelled
  ///   before.
  public func detect(
    at path: String, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await turns.takeElsewhere {
      try detect(in: Picture.read(path: path, limits: limits), options: options)
    }
  }

  /// The faces in a picture's file, found while the caller's thread is free.
  ///
  /// - Throws: as for a path, and `FileError` for a URL that is no file's.
  public func detect(
    at url: URL, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await detect(at: path(of: url), options: options, limits: limits)
  }

  /// The faces in the bytes of a picture's file, found while the caller's thread is free.
  ///
  /// - Throws: as for a path, without `FileError`.
  public func detect(
    in file: [UInt8], options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await turns.takeElsewhere {
      try detect(in: Picture.decode(file, limits: limits), options: options)
    }
  }
}

/// The path of a file's URL.
///
/// - Throws: `FileError` for any other URL, and for one of another machine: its path may be another file's here.
private func path(of url: URL) throws(FileError) -> String {
  guard url.isFileURL, ["", "localhost"].contains(url.host() ?? "") else {
    throw FileError(
      path: url.absoluteString, found: "a URL that is no file's on this machine",
      expected: "a file's; download it first, or pass its bytes")
  }
  return url.path
}

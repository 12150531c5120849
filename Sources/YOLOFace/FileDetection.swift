// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceRaster

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why faces could not be found in a picture's file.
public enum FileDetectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be read.
  case file(FileError)
  /// It holds no picture that can be read.
  case picture(PictureError)
  /// The search failed.
  case search(DetectionError)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .picture(let error): error.description
    case .search(let error): error.description
    }
  }
}

extension FaceDetector {
  /// The faces in a picture's file, in pixels of the picture turned upright as `Picture.read` turns it.
  ///
  /// - Parameters:
  ///   - path: of a file in a format of `Picture.formats`.
  ///   - options: how faces are searched for.
  ///   - limits: what the picture may cost.
  /// - Throws: `FileDetectionError`, also for a search within a run of the same detector.
  public func detect(
    at path: String, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) throws(FileDetectionError) -> [Face] {
    try inTurn { () throws(FileDetectionError) in
      try search(readFile(path, limits), name: path, options, limits)
    }
  }

  /// The faces in a picture's file, as by `detect(at:options:limits:)`.
  ///
  /// - Throws: as there, also for a URL that is no file's: nothing is downloaded.
  public func detect(
    at url: URL, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) throws(FileDetectionError) -> [Face] {
    try detect(at: path(of: url), options: options, limits: limits)
  }

  /// The faces in the bytes of a picture's file, as by `detect(at:options:limits:)`.
  ///
  /// - Throws: as there, but no `file`.
  public func detect(
    in file: [UInt8], options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) throws(FileDetectionError) -> [Face] {
    try inTurn { () throws(FileDetectionError) in try search(file, options, limits) }
  }

  /// Decodes and searches a picture when few others are held; throws within a run, which would wait for itself.
  private func inTurn(
    _ work: () throws(FileDetectionError) -> [Face]
  ) throws(FileDetectionError) -> [Face] {
    do throws(InferenceError) { try engine.requireNoRunHere() } catch {
      throw .search(.network(error))
    }
    return try turns.take(work)
  }

  fileprivate func search(
    _ file: [UInt8], name: String = "<bytes>", _ options: DetectionOptions, _ limits: Picture.Limits
  ) throws(FileDetectionError) -> [Face] {
    let image: RGBImage
    do throws(PictureError) {
      image = try Picture.decode(file, name: name, limits: limits)
    } catch {
      throw .picture(error)
    }
    do throws(DetectionError) { return try detect(in: image, options: options) } catch {
      throw .search(error)
    }
  }
}

private func readFile(
  _ path: String, _ limits: Picture.Limits
) throws(FileDetectionError) -> [UInt8] {
  do throws(FileError) { return try readFile(path, limit: limits.maximumFileBytes) } catch {
    throw .file(error)
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
  /// - Throws: `FileDetectionError`, or `CancellationError` where the task was cancelled before.
  public func detect(
    at path: String, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await turns.takeElsewhere {
      try search(readFile(path, limits), name: path, options, limits)
    }
  }

  /// The faces in a picture's file, found while the caller's thread is free.
  ///
  /// - Throws: as for a path, also for a URL that is no file's.
  public func detect(
    at url: URL, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await detect(at: path(of: url), options: options, limits: limits)
  }

  /// The faces in the bytes of a picture's file, found while the caller's thread is free.
  ///
  /// - Throws: as for a path.
  public func detect(
    in file: [UInt8], options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await turns.takeElsewhere { try search(file, options, limits) }
  }
}

/// The path of a file's URL.
///
/// - Throws: `file` for any other URL, and for one of another machine: its path may be another file's here.
private func path(of url: URL) throws(FileDetectionError) -> String {
  guard url.isFileURL, ["", "localhost"].contains(url.host() ?? "") else {
    throw .file(
      FileError(
        path: url.absoluteString, found: "a URL that is no file's on this machine",
        expected: "a file's; download it first, or pass its bytes"))
  }
  return url.path
}

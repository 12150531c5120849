import Dispatch
import Raster

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
    try detect(in: Picture.read(path: path, limits: limits), options: options)
  }

  /// The faces in a picture's file, as by `detect(at:options:limits:)`.
  ///
  /// - Throws: as there.
  public func detect(
    at url: URL, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) throws -> [Face] {
    try detect(at: url.path, options: options, limits: limits)
  }

  /// The faces in the bytes of a picture's file, as by `detect(at:options:limits:)`.
  ///
  /// - Throws: `PictureError` where the bytes are no picture of a supported format, `DetectionError` where the
  ///   search fails.
  public func detect(
    in file: [UInt8], options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) throws -> [Face] {
    try detect(in: Picture.decode(file, limits: limits), options: options)
  }
}

// Each waits for a thread that is none of the tasks', so that these go on meanwhile. Where the task is cancelled
// before the search begins, it throws `CancellationError`; a search that has begun is finished.
extension FaceDetector {
  /// The faces in a picture, found while the caller's thread is free.
  ///
  /// - Throws: `DetectionError`, or `CancellationError` where the task was cancelled before.
  public func detect(
    in image: RGBImage, options: DetectionOptions = DetectionOptions()
  ) async throws -> [Face] {
    try await elsewhere { try detect(in: image, options: options) }
  }

  /// The faces in a picture's file, found while the caller's thread is free.
  ///
  /// - Throws: `FileError`, `PictureError`, `DetectionError`, or `CancellationError` where the task was cancelled
  ///   before.
  public func detect(
    at path: String, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await elsewhere { try detect(at: path, options: options, limits: limits) }
  }

  /// The faces in a picture's file, found while the caller's thread is free.
  ///
  /// - Throws: as for a path.
  public func detect(
    at url: URL, options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await elsewhere { try detect(at: url, options: options, limits: limits) }
  }

  /// The faces in the bytes of a picture's file, found while the caller's thread is free.
  ///
  /// - Throws: as for a path, without `FileError`.
  public func detect(
    in file: [UInt8], options: DetectionOptions = DetectionOptions(),
    limits: Picture.Limits = Picture.Limits()
  ) async throws -> [Face] {
    try await elsewhere { try detect(in: file, options: options, limits: limits) }
  }
}

/// Runs work on a thread that is none of the tasks'.
private func elsewhere<Output: Sendable>(
  _ work: @escaping @Sendable () throws -> Output
) async throws -> Output {
  try Task.checkCancellation()
  return try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
  }
}

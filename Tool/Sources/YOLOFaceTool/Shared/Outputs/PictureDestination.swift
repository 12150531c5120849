import Files
import YOLOFace

/// Where a run's pictures are written: to one PNG file, or to a directory, named after the pictures that
/// were read.
enum PictureDestination {
  case file(String)
  case directory(String)

  /// A file if the path ends in `.png` or a file exists there, otherwise a directory.
  init(_ path: String) {
    let isFile = path.lowercased().hasSuffix(".png") || fileExists(path)
    self = isFile && !isDirectory(path) ? .file(path) : .directory(path)
  }

  var file: String? {
    if case .file(let path) = self { path } else { nil }
  }

  var directory: String? {
    if case .directory(let path) = self { path } else { nil }
  }

  /// The path of the picture that is made of an input.
  func name(for input: PictureInput) -> String {
    switch self {
    case .file(let file): file
    case .directory(let directory): path(of: input.stem + ".png", in: directory)
    }
  }

  /// Whether an earlier run has written the picture that is made of an input: its file is neither empty nor
  /// the input itself.
  func isWritten(for input: PictureInput) -> Bool {
    let path = name(for: input)
    return isFileWithBytes(path) && FileIdentity(path) != input.identity
  }

  /// Writes the picture that was made of an input.
  ///
  /// - Parameter isResuming: whether a file with the same bytes in the directory is an earlier run's and is
  ///   kept.
  /// - Throws: as `Outputs.write`, and `ExistingFile` for one in the directory.
  func write(
    _ image: RGBImage, of input: PictureInput, isResuming: Bool, by outputs: Outputs
  ) throws {
    switch self {
    case .file(let path): try outputs.write(image, to: path)
    case .directory(let directory):
      try outputs.writeNew(
        image, to: name(for: input), in: directory,
        isResuming: isResuming && isWritten(for: input))
    }
  }
}

import ArgumentParser
import Files

/// The pictures' paths, each directory replaced by those of the PNG files in it.
///
/// - Throws: `ValidationError` where a directory has none, `FileError` where it cannot be read.
func picturePaths(_ arguments: [String]) throws -> [String] {
  try arguments.flatMap { path in
    guard isDirectory(path) else { return [path] }
    let names = try visibleNames(in: path).filter { $0.lowercased().hasSuffix(".png") }
    guard !names.isEmpty else {
      throw ValidationError("\(path): found no PNG file, expected a directory with some.")
    }
    return names.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }
}

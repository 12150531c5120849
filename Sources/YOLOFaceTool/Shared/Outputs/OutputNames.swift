import ArgumentParser
import Files

/// How the names of pictures and films end that are in other formats than the one that is written, in
/// lower case.
private let otherSuffixes = [
  ".jpg", ".jpeg", ".jpe", ".jfif", ".jp2", ".jxl", ".gif", ".bmp", ".webp", ".tif", ".tiff",
  ".heic", ".heif", ".avif", ".ppm", ".tga", ".pdf", ".svg",
  ".mp4", ".mov", ".avi", ".mkv", ".webm",
]

/// Sees to it that a path to which a picture goes does not promise another format than PNG.
///
/// - Parameter mayBeDirectory: whether the option takes a directory as well.
func requirePNGName(_ path: String?, option: String, mayBeDirectory: Bool = false) throws {
  guard let path, let suffix = suffix(of: path, among: otherSuffixes),
    !(mayBeDirectory && isDirectory(path))
  else { return }
  throw ValidationError(
    "\(option) \(path): pictures are written as PNG: give \(path.dropLast(suffix.count)).png"
      + (mayBeDirectory ? ", or \(path)/ for a directory of this name." : "."))
}

/// Sees to it that a directory that is to be made is not called like a picture.
func requireDirectoryName(_ path: String?, option: String) throws {
  guard let path, suffix(of: path, among: otherSuffixes + [".png"]) != nil, !fileExists(path)
  else { return }
  throw ValidationError(
    "\(option) \(path): several pictures are written, into a directory: give its path, or \(path)/ "
      + "for one of this name.")
}

import ArgumentParser
import Files
import Synchronization
import YOLOFace

/// The files that a run has written, each as an argument says where: a file, or a directory of them.
final class WrittenFiles: Sendable {
  private struct Place: Sendable {
    var count = 0
    var first: String
  }

  private let places = Mutex<[String: Place]>([:])
  private let files = Mutex<Set<FileIdentity>>([])

  /// Notes a file that was written; any thread may.
  func note(_ file: String, in place: String) {
    places.withLock { $0[place, default: Place(first: file)].count += 1 }
    if let identity = FileIdentity(file) { files.withLock { _ = $0.insert(identity) } }
  }

  /// Whether a path leads to a file that was written.
  func contains(_ path: String) -> Bool {
    FileIdentity(path).map { identity in files.withLock { $0.contains(identity) } } == true
  }

  /// A message for each place: its file, or how many it has where there are several.
  var messages: [String] {
    places.withLock { places in
      places.sorted { $0.key < $1.key }.map { name, place in
        place.count == 1 ? "wrote \(place.first)" : "wrote \(place.count) files to \(name)"
      }
    }
  }
}

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

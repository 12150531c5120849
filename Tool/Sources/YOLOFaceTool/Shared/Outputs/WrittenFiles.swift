import Files
import Synchronization

/// The files that a run has written, grouped by the argument that they belong to: a file or a
/// directory.
final class WrittenFiles: Sendable {
  private struct Place: Sendable {
    var count = 0
    var first: String
  }

  private let places = Mutex<[String: Place]>([:])
  private let files = Mutex<Set<FileIdentity>>([])

  /// Records a file that was written; any thread may call this.
  func note(_ file: String, in place: String) {
    places.withLock { $0[place, default: Place(first: file)].count += 1 }
    if let identity = FileIdentity(file) { files.withLock { _ = $0.insert(identity) } }
  }

  /// Whether a path refers to a file that was written.
  func contains(_ path: String) -> Bool {
    FileIdentity(path).map { identity in files.withLock { $0.contains(identity) } } == true
  }

  /// A message for each place, naming its file, or the number of files if there are several.
  var messages: [String] {
    places.withLock { places in
      places.sorted { $0.key < $1.key }.map { name, place in
        place.count == 1 ? "wrote \(place.first)" : "wrote \(place.count) files to \(name)"
      }
    }
  }
}

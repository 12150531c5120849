import Films
import Formatting
import Synchronization
import YOLOFace

/// The formats of pictures other than PNG, with their suffixes in lower case.
private let otherFormats = [
  ("JPEG", [".jpg", ".jpeg", ".jpe", ".jfif"]), ("JPEG 2000", [".jp2"]), ("JPEG XL", [".jxl"]),
  ("WebP", [".webp"]), ("GIF", [".gif"]), ("BMP", [".bmp"]), ("TIFF", [".tif", ".tiff"]),
  ("HEIC", [".heic", ".heif"]), ("AVIF", [".avif"]), ("PPM", [".ppm"]), ("TGA", [".tga"]),
  ("raw", [".dng", ".cr2", ".cr3", ".nef", ".arw", ".raf", ".orf", ".rw2", ".pef", ".srw"]),
]

/// The suffixes, in lower case, of documents, sidecars, and of pictures and films in formats that are not
/// written.
let otherSuffixes =
  otherFormats.flatMap(\.1) + [".pdf", ".svg", ".xmp"] + FilmReader.fileSuffixes

/// The pictures that this build does not read, and films, among the files that a run passes by.
final class OtherFiles: Sendable {
  /// Their numbers by format, and the number of films.
  private let counts = Mutex<(pictures: [String: Int], films: Int)>(([:], 0))

  /// Whether a file has the name of a picture that is read. One that has another picture's or a film's is noted.
  func isRead(_ path: String) -> Bool {
    if isPictureName(path) { return true }
    if let format = otherFormats.first(where: { suffix(of: path, among: $0.1) != nil }) {
      counts.withLock { $0.pictures[format.0, default: 0] += 1 }
    } else if suffix(of: path, among: FilmReader.fileSuffixes) != nil {
      counts.withLock { $0.films += 1 }
    }
    return false
  }

  /// How many there are of each kind, and what to do about them; nil for none.
  var message: String? {
    let (pictures, films) = counts.withLock { $0 }
    let kinds = pictures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { format, count in
      "\(count) \(format)"
        + (["JPEG", "WebP"].contains(format)
          ? " (this build reads \(Picture.formats) only: \(buildCommand(for: [format])) makes one "
            + "that reads \(format))" : "")
    }
    var said: [String] = []
    if !kinds.isEmpty {
      let number = counted(pictures.values.reduce(0, +), "file")
      said.append("\(number) left out: " + kinds.joined(separator: ", "))
    }
    if films > 0 {
      let number = counted(films, "film") + (kinds.isEmpty ? " left out" : "")
      said.append("\(number): give \(films == 1 ? "it" : "each") alone")
    }
    return said.isEmpty ? nil : said.joined(separator: "; ")
  }
}

/// The command that builds a tool that reads formats too.
func buildCommand(for formats: [String]) -> String {
  "swift build --package-path Tool --traits \(formats.joined(separator: ","))"
}

// SPDX-License-Identifier: Apache-2.0
import Synchronization
import YOLOFace
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceFilms
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// The formats of documents, and of pictures other than PNG, with their suffixes in lower case.
private let otherFormats = [
  ("JPEG", [".jpg", ".jpeg", ".jpe", ".jfif", ".jfi", ".mpo"]), ("JPEG 2000", [".jp2"]),
  ("JPEG XL", [".jxl"]), ("WebP", [".webp"]), ("GIF", [".gif"]), ("BMP", [".bmp"]),
  ("TIFF", [".tif", ".tiff"]), ("HEIC", [".heic", ".heif", ".heics", ".hif"]), ("AVIF", [".avif"]),
  ("PPM", [".ppm", ".pgm", ".pbm", ".pnm"]), ("TGA", [".tga"]), ("SVG", [".svg"]),
  ("PDF", [".pdf"]),
  ("raw", [".dng", ".cr2", ".cr3", ".nef", ".arw", ".raf", ".orf", ".rw2", ".pef", ".srw"]),
]

/// The suffixes, in lower case, of documents, sidecars, films, and pictures in formats that are not written.
let otherSuffixes = otherFormats.flatMap(\.1) + [".xmp"] + FilmReader.fileSuffixes

/// What may show faces among that which a run passes by: every file that is not read but text, and directories
/// that are not entered.
final class OtherFiles: Sendable {
  enum Kind: Hashable {
    /// A picture or a document in a format that this build does not read.
    case format(String)
    /// A picture in a format that is read, whose name is that of no such picture.
    case misnamed(String)
    case unknown, film, link, hiddenDirectory
  }

  private let noted = Mutex<[Kind: (count: Int, first: String)]>([:])
  private let readsFilms: Bool

  init(readsFilms: Bool = false) { self.readsFilms = readsFilms }

  /// Whether a file has the name of a picture, or of a film, that is read. What else may show faces is noted.
  func isRead(_ path: String) -> Bool {
    let isHidden = fileName(of: path).utf8.first == UInt8(ascii: ".")
    if !isHidden, isPictureName(path) { return true }
    guard let kind = isHidden ? Self.kind(ofBytes: path) : Self.kind(of: path) else { return false }
    if readsFilms, !isHidden, isFilmName(path) { return true }
    note(path, as: kind)
    return false
  }

  func note(_ path: String, as kind: Kind) {
    noted.withLock { $0[kind, default: (0, path)].count += 1 }
  }

  private static func kind(of path: String) -> Kind? {
    if let format = otherFormats.first(where: { suffix(of: path, among: $0.1) != nil }) {
      let stored = (try? readStart(of: path, limit: 512)).flatMap { Picture.formatName(of: $0) }
      if let stored, Picture.formats.contains(stored) { return .misnamed(stored) }
      return .format(format.0)
    }
    guard suffix(of: path, among: FilmReader.fileSuffixes) != nil else {
      return kind(ofBytes: path)
    }
    // Sources of TypeScript end as films do.
    return (try? readStart(of: path, limit: 512)).map(isText) == true ? nil : .film
  }

  /// Nil for what holds no picture: text, what macOS keeps for itself, and all but regular files.
  private static func kind(ofBytes path: String) -> Kind? {
    guard fileExists(path) else { return .unknown }
    guard isFileWithBytes(path) else { return nil }
    guard let start = try? readStart(of: path, limit: 512) else { return .unknown }
    switch Picture.formatName(of: start) {
    case "a film": return .film
    case let name?: return Picture.formats.contains(name) ? .misnamed(name) : .format(name)
    case nil: return isText(start) || isOfMacOS(start) ? nil : .unknown
    }
  }

  var message: String? {
    let noted = noted.withLock { $0 }
      .sorted {
        ($1.value.count, UntrustedText($0.value.first)) < (
          $0.value.count, UntrustedText($1.value.first)
        )
      }
    let files = noted.filter { ![.film, .link, .hiddenDirectory].contains($0.key) }
    let kinds = files.map { "\($1.count) \(Self.name($0, $1.first))" }.joined(separator: ", ")
    let number = counted(files.map(\.value.count).reduce(0, +), "file")
    var said = files.isEmpty ? [] : ["\(number) left out: \(kinds)"]
    for (kind, (count, first)) in noted {
      let isOne = count == 1
      switch kind {
      case .film:
        let number = counted(count, "film") + (files.isEmpty ? " left out" : "")
        said.append("\(number): give \(isOne ? "it" : "each") alone")
      case .link:
        let links = isOne ? "1 link to a directory" : "\(count) links to directories"
        said.append("\(links) not followed (\(first))")
      case .hiddenDirectory:
        said.append("\(count) hidden \(isOne ? "directory" : "directories") not entered (\(first))")
      default: continue
      }
    }
    return said.isEmpty ? nil : said.joined(separator: "; ")
  }

  private static func name(_ kind: Kind, _ first: String) -> String {
    switch kind {
    case .format(let name) where ["JPEG", "WebP"].contains(name):
      "\(name) (this build reads \(Picture.formats) only: \(buildCommand(for: [name])) makes one that reads "
        + "\(name))"
    case .format(let name): name
    case .misnamed(let name): "\(name) by another name (\(first))"
    default: "in no known format (\(first))"
    }
  }
}

/// Refuses text in a picture's place, by what it is.
func requireNoText(_ bytes: [UInt8], in path: String) throws(Failure) {
  guard Picture.formatName(of: bytes) == nil, isText(Array(bytes.prefix(512))) else { return }
  let kind =
    switch bytes.first(where: { !isSpace($0) }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON"
    case UInt8(ascii: "<"): "XML"
    default: "text"
    }
  let remedy = kind == "text" ? "; detect --files-from \(path) reads the pictures of a list" : ""
  throw Failure("\(path): found \(kind), expected \(Picture.formats)\(remedy)")
}

/// Whether a file that begins with these bytes is text: in UTF-16 if its byte order mark says so, in UTF-8, or mostly
/// in ASCII. Pixels may be free of control characters, too.
func isText(_ start: [UInt8]) -> Bool {
  if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return true }
  let isPlain = start.allSatisfy {
    $0 >= 0x20 && $0 != 0x7F || (0x07...0x0D).contains($0) || $0 == 0x1B
  }
  guard isPlain, !start.isEmpty else { return false }
  // The last character may be cut.
  return start.count(where: { $0 >= 0x80 }) * 2 < start.count
    || (0...3).contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
}

/// Whether a file is .DS_Store, or holds the attributes of another, as macOS writes on other systems' disks.
private func isOfMacOS(_ start: [UInt8]) -> Bool {
  start.starts(with: "\0\0\0\u{01}Bud1".utf8) || start.starts(with: [0, 5, 0x16, 7])
}

func buildCommand(for formats: [String]) -> String {
  "swift build --package-path Tool --traits \(formats.joined(separator: ","))"
}

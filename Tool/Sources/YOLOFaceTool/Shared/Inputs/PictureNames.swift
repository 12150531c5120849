// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFileSystem
import YOLOFaceFilms
import YOLOFaceUntrusted

func path(of name: String, in directory: String) -> String {
  directory.utf8.last == UInt8(ascii: "/") ? directory + name : "\(directory)/\(name)"
}

func fileName(of path: String) -> String { pathNames(path).last ?? path }

func pathNames(_ path: String, below directory: String) -> [String] {
  pathNames(Substring(path.utf8.dropFirst(directory.utf8.count)))
}

func withoutPictureSuffix(_ name: String) -> String {
  suffix(of: name, among: Picture.fileSuffixes)
    .map { String(decoding: name.utf8.dropLast($0.utf8.count), as: UTF8.self) } ?? name
}

func isPictureName(_ name: String) -> Bool { suffix(of: name, among: Picture.fileSuffixes) != nil }

/// The one of these lower-case suffixes that a name ends with, regardless of case.
func suffix(of name: String, among suffixes: [String]) -> String? {
  let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
  // None is longer.
  let end = name.utf8.suffix(16).map { capitals.contains($0) ? $0 | 0x20 : $0 }
  return suffixes.first { end.suffix($0.utf8.count).elementsEqual($0.utf8) }
}

/// Whether files can have all names of a path: those of 255 characters, as file systems allow, have four times as many
/// bytes at most. Others are not compared or hashed as `String`s are, which sorts the marks behind a letter, in the
/// square of their number.
func isFilePath(_ path: String) -> Bool {
  UntrustedText(path).parts(between: UInt8(ascii: "/")).allSatisfy { $0.count <= 1020 }
}

/// Whether a picture's path without its suffix is that of another picture, or of one with another suffix, such as a
/// camera's raw file.
func isStemShared(of picture: String) -> Bool {
  let stem = withoutPictureSuffix(picture)
  guard stem.utf8.count < picture.utf8.count else { return false }
  let own = FileIdentity(picture)
  func isOther(_ path: String) -> Bool {
    FileIdentity(path).map { $0 != own && !isDirectory(path) } ?? false
  }
  return isPictureName(stem) && isOther(stem)
    || ([".png"] + otherSuffixes).contains {
      $0 != ".xmp" && (isOther(stem + $0) || isOther(stem + $0.uppercased()))
    }
}

/// Whether a path has the suffix of a picture or a film, whether or not this build reads it.
func isMediaName(_ path: String) -> Bool {
  suffix(of: path, among: [".png"] + otherSuffixes) != nil
}

/// Refuses a path for a picture, or for a chart, if its suffix is that of a format other than PNG, or SVG; the option
/// may take a directory as well.
func requirePictureName(
  _ path: String?, option: String, mayBeDirectory: Bool = false, isChart: Bool = false
) throws {
  let (kind, own) =
    isChart ? ("charts are written as SVG", ".svg") : ("pictures are written as PNG", ".png")
  guard let path, let suffix = suffix(of: path, among: [".png"] + otherSuffixes), suffix != own,
    !(mayBeDirectory && isDirectory(path))
  else { return }
  throw ValidationError(
    "\(option) \(path): \(kind); give \(path.dropLast(suffix.count))\(own)"
      + (mayBeDirectory ? ", or \(path)/ for a directory of this name." : "."))
}

/// Refuses an input that is no picture by its name where a film is to be made of a film.
func requireKnownNames(_ inputs: [String]) throws {
  let unknown = inputs.first {
    $0 != "-" && fileExists($0) && !isDirectory($0) && !isPictureName($0)
  }
  guard let unknown else { return }
  throw ValidationError(
    "\(unknown): found no film's suffix; rename it if it is a film, to one of "
      + FilmReader.fileSuffixes.joined(separator: ", ") + ".")
}

/// Refuses a new directory that has the name of a picture, a film or a file of results; the option may take a film as
/// well.
func requireDirectoryName(
  _ path: String?, option: String, content: String = "several pictures are written",
  mayBeFilm: Bool = false
) throws {
  let suffixes = otherSuffixes + [".png", ".txt", ".csv", ".json", ".jsonl"]
  guard let path, suffix(of: path, among: suffixes) != nil, !fileExists(path) else { return }
  let films = "*" + FilmWriter.fileSuffixes.joined(separator: " or *")
  guard !mayBeFilm || suffix(of: path, among: FilmReader.fileSuffixes) == nil else {
    throw ValidationError(
      "\(option) \(path): films are written as \(films); give one of these, or \(path)/ for a directory of this "
        + "name.")
  }
  throw ValidationError(
    "\(option) \(path): \(content), to a directory; give its path, \(path)/ for a "
      + "directory of this name\(mayBeFilm ? ", or a film, \(films)" : "").")
}

/// Whether an earlier run has written the output with this path: it is a file, neither empty nor one of these.
func hasOutput(_ path: String, apartFrom others: Set<FileIdentity?>) -> Bool {
  isFileWithBytes(path) && !others.contains(FileIdentity(path))
}

/// Where a run's pictures are written: to one PNG file, or to a directory, named after those that were read.
struct PictureDestination {
  static let naming = """
    NAME is the picture's path below the directory that all given pictures and directories share (of a list, \
    its whole path), without .png; photo.jpg and photo.PNG keep their suffixes
    """

  private let place: String
  private let isFile: Bool

  /// A file if the path ends in `.png` or a file exists there, otherwise a directory.
  init(_ path: String) {
    place = path
    isFile = (suffix(of: path, among: [".png"]) != nil || fileExists(path)) && !isDirectory(path)
  }

  var file: String? { isFile ? place : nil }

  var directory: String? { isFile ? nil : place }

  func name(for input: PictureInput) -> String {
    isFile ? place : path(of: input.outputName + ".png", in: place)
  }

  func isWritten(for input: PictureInput) -> Bool {
    hasOutput(name(for: input), apartFrom: [input.identity])
  }

  /// Writes the picture that was made of an input; in a directory, a resumed run keeps a file with the same bytes.
  func write(
    _ image: RGBImage, color: ColorDescription, of input: PictureInput, earlier: EarlierOutput,
    by outputs: Outputs
  ) throws {
    if isFile { return try outputs.write(image, color: color, to: place) }
    try outputs.write(
      image, color: color, to: name(for: input), in: place,
      earlier: earlier == .resumed && !isWritten(for: input) ? .refused : earlier)
  }
}

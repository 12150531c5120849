import ArgumentParser
import Files
import YOLOFace

/// The paths of pictures, with each directory replaced by the pictures in it and its
/// subdirectories, and each pattern by what matches it, in the order of `Walk`.
///
/// - Parameters:
///   - arguments: paths of pictures and directories, and patterns.
///   - output: a directory that is not entered unless it is itself an argument.
/// - Throws: `ValidationError` for an empty path, standard input, or a directory or pattern without
///   picture, `FileError` if a directory or subdirectory cannot be read.
func picturePaths(
  _ arguments: [String], leavingOut output: FileIdentity?
) throws -> [String] {
  try arguments.flatMap { argument in
    guard !argument.isEmpty else {
      throw ValidationError("An empty path: give the path of a picture or a directory.")
    }
    guard argument != "-" else {
      throw ValidationError("-: standard input holds one picture; give files.")
    }
    let place = PictureSource.Place(argument)
    let pattern: PathPattern?
    var walk: Walk
    switch place {
    case .directory(let path): (walk, pattern) = (Walk(path), nil)
    case .pattern(let given): (walk, pattern) = (given.walk, given)
    case .file, .list: return [argument]
    }
    if let output { walk.leftOut = [output] }
    let paths: [String] = try walk.compactMap { entry in
      if entry.isDirectory, let failure = entry.failure { throw failure }
      return pattern?.matches(entry.path) ?? entry.isPicture ? entry.path : nil
    }
    guard !paths.isEmpty || !Interruption.isGoingOn else {
      throw pattern.map(noPicture(matching:)) ?? noPicture(in: argument)
    }
    return paths
  }
}

/// The path of a file in a directory.
func path(of name: String, in directory: String) -> String {
  directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
}

/// The last part of a path.
func fileName(of path: String) -> String {
  pathNames(path).last ?? path
}

/// A picture's name without the suffix of its format.
func withoutPictureSuffix(_ name: String) -> String {
  pictureSuffix(of: name).map { String(name.dropLast($0.count)) } ?? name
}

/// Whether a file's name has the suffix of a format that can be read.
func isPictureName(_ name: String) -> Bool { pictureSuffix(of: name) != nil }

private func pictureSuffix(of name: String) -> String? {
  suffix(of: name, among: Picture.fileSuffixes)
}

/// The suffix, one of these lower-case suffixes, that a name ends with regardless of case.
func suffix(of name: String, among suffixes: [String]) -> String? {
  suffixes.first { name.lowercased().hasSuffix($0) }
}

/// The error for a directory without pictures, which is wrong usage.
func noPicture(in directory: String) -> ValidationError {
  let kinds = Picture.fileSuffixes.map { "*\($0)" }.joined(separator: " or ")
  return ValidationError("\(directory): found no file \(kinds), expected some.")
}

/// The error for a pattern that no file matches, which is wrong usage.
func noPicture(matching pattern: PathPattern) -> ValidationError {
  ValidationError("\(pattern.text): found no such file, expected some.")
}

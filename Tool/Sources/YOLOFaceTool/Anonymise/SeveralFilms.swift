import ArgumentParser
import Files
import Films

extension Anonymise {
  /// The inputs, or the files of the only one, a directory, if they are several films; nil otherwise. Each is
  /// hidden by itself.
  var severalFilms: [String]? {
    guard !film.film else { return nil }
    var inputs = images
    if images.count == 1, images[0] != "-", isDirectory(images[0]),
      let entries = try? visibleEntries(in: images[0])
    {
      inputs = entries.map { path(of: $0.name, in: images[0]) }
    }
    guard !inputs.isEmpty, inputs.allSatisfy(isFilmName), inputs != images || images.count > 1
    else { return nil }
    return inputs
  }

  /// Refuses options that are for one film, and an output that does not hold several.
  func requireSeveralFilms(_ films: [String]) throws {
    guard !json, report == nil, film.boxes == nil, (film.keepID + film.hideID).isEmpty else {
      throw ValidationError(
        "--json, --report, --boxes, --keep-id and --hide-id are for one film: give it alone.")
    }
    try requireDirectoryName(output, option: "--output", content: "several films are written")
    // Some file systems take names that differ only in case for one.
    guard Set(try copies(of: films).map { $0.lowercased() }).count == films.count else {
      throw ValidationError("Found two films of one name: give films names of their own.")
    }
  }

  /// Hides the faces of films, one after another.
  ///
  /// - Throws: `ExitCode` after the last, if any failed, or after a signal.
  func hideInSeveral(_ films: [String]) throws {
    let copies = try copies(of: films)
    let directories = Set(copies.map { copy in lastSlash(in: copy).map { String(copy[..<$0]) } })
    try Outputs(directories: Array(directories), inputs: model.files + films).makeDirectories()
    for copy in copies { try requireNew(copy) }
    var hasFailed = false
    for (film, copy) in zip(films, copies) {
      var one = self
      (one.images, one.output, one.sourceFilm) = ([film], copy, film)
      do { try one.hideInFilm() } catch {
        try Interruption.check()
        hasFailed = true
        if !(error is ExitCode) { printError("\(error)") }
      }
    }
    if hasFailed { throw ExitCode.failure }
  }

  /// The paths of films' copies: in the output's directory, named as pictures' copies are, as MP4 if films like them
  /// are not written.
  private func copies(of films: [String]) throws -> [String] {
    try PictureQueue(films).map { film in
      let name = film.place
      let suffix =
        isWritableFilmName(name) ? nil : suffix(of: name, among: FilmReader.fileSuffixes)
      let written = suffix.map { "\(name.dropLast($0.count)).mp4" } ?? name
      return path(of: written, in: output ?? ".")
    }
  }
}

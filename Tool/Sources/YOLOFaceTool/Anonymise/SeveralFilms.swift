// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFaceFileSystem
import YOLOFaceFiles
import YOLOFaceFilms

extension Anonymise {
  /// The inputs, or the films below the only one, a directory without pictures, if they are several films; nil
  /// otherwise. What else may show faces in the directory is noted.
  func films(noting others: OtherFiles = OtherFiles(readsFilms: true)) -> [String]? {
    guard !film.film else { return nil }
    guard let directory = onlyDirectory else {
      let mayBeSeveral =
        images.count > 1 || images.first.map { !fileExists($0) && PathPattern($0) != nil } == true
      return mayBeSeveral && images.allSatisfy(isFilmName) ? images : nil
    }
    var films: [String] = []
    let walk = Walk(
      directory, leavingOut: [output].compactMap(\.self), excluding: self.walk.excluded,
      noting: others)
    for entry in walk {
      guard entry.failure == nil, isFilmName(entry.path) else { return nil }
      films.append(entry.path)
    }
    return films.isEmpty ? nil : films
  }

  private var onlyDirectory: String? {
    images.count == 1 && images[0] != "-" && isDirectory(images[0]) ? images[0] : nil
  }

  /// Refuses options that are for one film, and an output that does not hold several.
  func requireSeveralFilms(_ films: [String]) throws {
    guard !json, report == nil, film.boxes == nil, (film.keepID + film.hideID).isEmpty else {
      throw ValidationError(
        "--json, --report, --boxes, --keep-id and --hide-id are for one film: give it alone.")
    }
    try requireDirectoryName(output, option: "--output", content: "several films are written")
    // Some file systems take names that differ only in case for one.
    var names: [String: String] = [:]
    for (film, copy) in try copies(of: films) {
      if let other = names.updateValue(film, forKey: copy.lowercased()) {
        throw ValidationError(
          "Found two films of one name, \(other) and \(film): give films names of their own.")
      }
    }
  }

  /// Hides the faces of films, one after another; ends with the status 1 if any failed or anything was left out.
  func hideInSeveral(_ films: [String]) throws {
    let others = OtherFiles(readsFilms: true)
    _ = self.films(noting: others)
    let copies = try copies(of: films)
    try Interruption.check()
    let directories = Set(copies.map { _, copy in lastSlash(in: copy).map { String(copy[...$0]) } })
    let outputs = try Outputs(
      files: [output.map(RunRecord.recordPath(in:))], directories: Array(directories),
      inputs: search.model.files + copies.map(\.film))
    try outputs.makeDirectories()
    if !resume { for (_, copy) in copies { try requireNew(copy) } }
    if let output {
      try requireSameRun(RunRecord(of: self, search.model), in: output, by: outputs)
    }
    var hasFailed = false
    for (film, copy) in resume ? unwritten(copies) : copies {
      var one = self
      (one.images, one.output, one.sourceFilm) = ([film], copy, film)
      do {
        // Through links, it may also be the copy of another film.
        try requireNew(copy)
        try one.hideInFilm()
      } catch {
        try Interruption.check()
        if let error = error as? FileError, error.isOfPlace { throw error }
        hasFailed = true
        if !(error is ExitCode) { printError("\(error)") }
      }
    }
    if let message = others.message { printError(message) }
    if hasFailed { throw ExitCode.failure }
    try requireNone(of: others)
  }

  /// The films that no earlier run has hidden: a copy, which has its name when it is complete, is neither a film of
  /// this run nor the copy of another.
  private func unwritten(
    _ copies: [(film: String, copy: String)]
  ) -> [(film: String, copy: String)] {
    var others = Set(copies.map { FileIdentity($0.film) })
    return copies.filter { _, copy in
      guard hasOutput(copy, apartFrom: others) else { return true }
      others.insert(FileIdentity(copy))
      return false
    }
  }

  /// The films, each pattern replaced by those that it matches, and the paths of their copies: in the output's
  /// directory, named as pictures' copies are, as MP4 if films like them are not written.
  private func copies(of films: [String]) throws -> [(film: String, copy: String)] {
    let directory = onlyDirectory
    return try PictureQueue(films, excluding: walk.excluded).map { input in
      let name =
        directory.map { pathNames(input.path, below: $0).joined(separator: "/") } ?? input.place
      let suffix = isWritableFilmName(name) ? nil : suffix(of: name, among: FilmReader.fileSuffixes)
      let written = suffix.map { "\(name.dropLast($0.count)).mp4" } ?? name
      return (film: input.path, copy: path(of: written, in: output ?? "."))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Synchronization
@_spi(Tool) import YOLOFace
import YOLOFaceFileSystem
import YOLOFaceLibC
import YOLOFaceUntrusted

struct PictureInput: Sendable {
  /// Its path, as the results name it; `-` for standard input.
  var path: String
  /// Its path below the given directory, or its file's name.
  var name: String
  /// Its path below the directory that all arguments share. Files written for it are named after this.
  var place = ""
  /// From 1.
  var number = 0
  var failure: (any Error)?
  /// Whether it is a directory, which then cannot be read.
  var isDirectory = false
  var isHeld = false

  var stem: String { withoutPictureSuffix(name) }

  /// The name, without suffix, of a picture that is written for it: only the suffix .png is left out, so that
  /// photo.jpg, photo.PNG and photo.png do not become one. It depends on nothing else, so that another run takes
  /// no other's for it.
  var outputName: String {
    let name = UntrustedText(place)
    return name.ends(with: ".png") ? name.dropLast(4).description : place
  }

  /// The name, without suffix, of a file of labels, which programs look for by the picture's without its suffix.
  var labelName: String { withoutPictureSuffix(place) }

  fileprivate var isStandardInput: Bool { UntrustedText(path) == "-" }

  /// What identifies its file; nil if it is not a file.
  var identity: FileIdentity? {
    isStandardInput ? FileIdentity(descriptor: STDIN_FILENO) : FileIdentity(path)
  }

  func readStored(_ options: PictureOptions) throws -> Picture.Stored {
    isStandardInput ? try options.readFromStandardInput() : try options.readStored(path)
  }
}

/// The pictures of a run in the order of the arguments, each delivered once. Each directory is walked
/// once, no further than has been asked for; only the pictures looked up before their turn, and the
/// names in the directories being walked, are in memory. An interruption of the process ends it.
final class PictureQueue: Sequence, IteratorProtocol, Sendable {
  /// What must differ between pictures because files are named after it. A picture that repeats it fails. Names
  /// differ by their bytes; what a file system takes for one is noticed when the second is written.
  enum Distinction: Sendable {
    /// The names of written pictures, of labels, and of files beside the pictures.
    case output, label, path

    fileprivate func key(of input: PictureInput) -> [UInt8] {
      let name =
        switch self {
        case .output: input.outputName
        case .label: input.labelName
        case .path: isStemShared(of: input.path) ? input.path : withoutPictureSuffix(input.path)
        }
      return Array("\(self) \(name)".utf8)
    }
  }

  private enum Place: Sendable {
    case file(String)
    case walk(Walk)
  }

  private struct State {
    var places: ArraySlice<Place>
    var walk: Walk?
    var ahead: ArraySlice<PictureInput> = []
    var count = 0
    var isExhausted = false
    /// The paths of the pictures that have what must differ.
    var keys: [[UInt8]: String] = [:]
    /// How often an earlier run has done each picture, by the bytes of its path.
    var held: [[UInt8]: Int] = [:]
  }

  private let state: Mutex<State>
  private let list: NameList?
  private let distinct: [Distinction]
  private let leftOut: [String]
  private let excluded: [PathPattern]
  /// The names of the directories that lead to the one that all arguments share.
  private let root: ArraySlice<String>
  /// What walks pass by.
  let others: OtherFiles

  /// Arguments are paths of pictures and directories, and patterns; `-` is standard input. An existing file takes
  /// precedence over a pattern that is spelled like it. The list names further pictures and directories. No walk enters
  /// the directories that are left out, whether or not they exist yet, and what is excluded is not taken.
  init(
    _ arguments: [String], list: NameList? = nil, distinct: [Distinction] = [],
    leavingOut leftOut: [String] = [], excluding excluded: [PathPattern] = [],
    others: OtherFiles = OtherFiles()
  ) throws {
    (self.list, self.distinct, self.leftOut, self.others) = (list, distinct, leftOut, others)
    self.excluded = excluded
    var directories = list == nil ? [] : [""]
    let given = arguments
    let arguments = given.filter { path in !excluded.contains { $0.matchesPart(of: path) } }
    guard list != nil || given.isEmpty || !arguments.isEmpty else {
      throw ValidationError("--exclude leaves out all that is given.")
    }
    let places = try arguments.map { argument -> Place in
      if argument == "-" {
        directories.append("")
        return .file(argument)
      } else if isDirectory(argument) {
        directories.append(argument)
        let kinds = Picture.fileSuffixes.map { "*\($0)" }.joined(separator: " or ")
        return try Self.begin(
          Walk(argument, leavingOut: leftOut, excluding: excluded, noting: others),
          orFail: "\(argument): found no file \(kinds), expected some", others)
      } else if !fileExists(argument), let pattern = PathPattern(argument) {
        directories.append(pattern.base)
        return try Self.begin(
          pattern.walk(leavingOut: leftOut, excluding: excluded),
          orFail: "\(argument): found no such file, expected some", others)
      }
      directories.append(lastSlash(in: argument).map { String(argument[..<$0]) } ?? "")
      return .file(argument)
    }
    root = Self.shared(directories)
    state = Mutex(State(places: places[...]))
  }

  private static func begin(
    _ walk: Walk, orFail message: String, _ others: OtherFiles
  ) throws -> Place {
    var walk = walk
    guard walk.peek() != nil || !Interruption.isGoingOn else {
      throw ValidationError(message + (others.message.map { "; \($0)" } ?? "") + ".")
    }
    return .walk(walk)
  }

  /// The names that the paths of directories begin with, without dots, compared by their bytes.
  private static func shared(_ directories: [String]) -> ArraySlice<String> {
    let paths = directories.map { names(in: $0) }
    return paths.reduce((paths.first ?? [])[...]) { shared, path in
      shared.prefix(zip(shared, path).prefix { $0.utf8.elementsEqual($1.utf8) }.count)
    }
  }

  private static func names(in path: String) -> [String] {
    pathNames(path).filter { !$0.utf8.elementsEqual(".".utf8) }
  }

  func next() -> PictureInput? {
    state.withLock { state in
      guard Interruption.isGoingOn,
        var input = state.ahead.popFirst() ?? find(&state) ?? findInList(&state)
      else { return nil }
      if let count = state.held[Array(input.path.utf8)], count > 0 {
        state.held[Array(input.path.utf8)] = count - 1
        input.isHeld = true
      }
      return input
    }
  }

  /// Marks the first pictures of each path as held by an earlier run's results, as often as these hold it.
  func markHeld(_ held: [[UInt8]: Int]) { state.withLock { $0.held = held } }

  /// The number of pictures, if it is at most the limit; nil if it is larger, or if a list makes it unknown.
  func total(atMost limit: Int) -> Int? {
    guard list == nil else { return nil }
    return state.withLock { state in
      while state.count <= limit, let input = find(&state) { state.ahead.append(input) }
      return state.isExhausted || !Interruption.isGoingOn ? state.count : nil
    }
  }

  /// The pictures that have not had their turn, except those of the list.
  func rest() -> ArraySlice<PictureInput> {
    state.withLock { state in
      while let input = find(&state) { state.ahead.append(input) }
      return state.ahead
    }
  }

  private func find(_ state: inout State) -> PictureInput? {
    while Interruption.isGoingOn {
      if let entry = state.walk?.next() {
        let input = PictureInput(
          path: entry.path, name: entry.name, failure: entry.failure,
          isDirectory: entry.isDirectory)
        return numbered(input, &state)
      }
      state.walk = nil
      switch state.places.popFirst() {
      case .file(let path): return numbered(file(path), &state)
      case .walk(let walk): state.walk = walk
      case nil:
        state.isExhausted = true
        return nil
      }
    }
    return nil
  }

  /// The list's next picture, once the arguments have no more.
  private func findInList(_ state: inout State) -> PictureInput? {
    while let name = list?.next() {
      switch name {
      case .success(let name) where excluded.contains { $0.matchesPart(of: name) }: continue
      case .success(let name) where isDirectory(name):
        state.walk = Walk(name, leavingOut: leftOut, excluding: excluded, noting: others)
        if let input = find(&state) { return input }
      // In a list, - is a file's name; only as an argument is it standard input.
      case .success(let name):
        return numbered(file(UntrustedText(name) == "-" ? "./-" : name), &state)
      case .failure(let error):
        return numbered(PictureInput(path: error.path, name: error.path, failure: error), &state)
      }
    }
    return nil
  }

  private func file(_ path: String) -> PictureInput {
    PictureInput(path: path, name: UntrustedText(path) == "-" ? "stdin" : fileName(of: path))
  }

  private func numbered(_ input: PictureInput, _ state: inout State) -> PictureInput {
    var input = input
    state.count += 1
    input.number = state.count
    // No name leads out of the directory of the outputs.
    let names = Self.names(in: input.path).dropFirst(root.count)
      .filter { !$0.utf8.elementsEqual("..".utf8) }
    input.place = input.isStandardInput ? input.name : names.joined(separator: "/")
    if input.failure == nil {
      let keys = distinct.map { $0.key(of: input) }
      let earlier = keys.compactMap { state.keys[$0] }.first
      for key in keys { state.keys[key] = input.path }
      if let earlier {
        let isSame = input.identity != nil && input.identity == FileIdentity(earlier)
        input.failure = Failure(
          isSame
            ? "\(input.path): found the same picture as \(earlier), expected each once: its files have one name"
            : "\(input.path): its files would have the names of those of \(earlier); give the two in separate "
              + "runs, with an output directory for each")
      }
    }
    return input
  }
}

/// The paths of a film's pictures, with each directory and pattern replaced by its pictures. The directory of the
/// output is not entered, unless it is itself an argument.
func picturePaths(
  _ arguments: [String], leavingOut output: String?, excluding excluded: [PathPattern],
  others: OtherFiles = OtherFiles()
) throws -> [String] {
  guard !arguments.contains("-") else {
    throw ValidationError("-: standard input holds one picture; give files.")
  }
  let leftOut = [output].compactMap(\.self)
  let queue = try PictureQueue(
    arguments, leavingOut: leftOut, excluding: excluded, others: others)
  let paths = try queue.map { input in
    if input.isDirectory, let failure = input.failure { throw failure }
    return input.path
  }
  let ordered = inOrderOfNumbers(paths)
  for message in [others.message, gaps(in: ordered)] { message.map(printError) }
  return ordered
}

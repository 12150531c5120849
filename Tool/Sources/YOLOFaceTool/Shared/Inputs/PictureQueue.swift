import ArgumentParser
import Files
import LibC
import Synchronization
import YOLOFace

struct PictureInput: Sendable {
  /// Its path, as the results name it; `-` for standard input.
  var path: String
  /// Its path below the given directory, or its file's name. Files written for it are named after
  /// this.
  var name: String
  /// Its position among all pictures, from 1.
  var number = 0
  /// Why it cannot be searched, if that is already known.
  var failure: (any Error)?
  /// Whether it is a directory, which then cannot be read.
  var isDirectory = false
  var isHeld = false

  var stem: String { withoutPictureSuffix(name) }

  private var isStandardInput: Bool { path == "-" }

  /// What identifies its file; nil if it is not a file.
  var identity: FileIdentity? {
    isStandardInput ? FileIdentity(descriptor: STDIN_FILENO) : FileIdentity(path)
  }

  /// The picture as it is stored, and how it is turned upright.
  ///
  /// - Throws: as `PictureOptions.read`.
  func readStored(_ options: PictureOptions) throws -> (image: RGBImage, orientation: Orientation) {
    isStandardInput ? try options.readFromStandardInput() : try options.readStored(path)
  }
}

/// The pictures of a run in the order of the arguments, each delivered once. Each directory is walked
/// once, no further than has been asked for; only the pictures looked up before their turn, and the
/// names in the directories being walked, are in memory.
final class PictureQueue: Sequence, IteratorProtocol, Sendable {
  /// What must differ between pictures because files are named after it. A picture that repeats it
  /// fails. Differences in case do not count, since some file systems ignore case.
  enum Distinction: Sendable {
    /// The name or the path, without its suffix.
    case name, path

    fileprivate func key(of input: PictureInput) -> String {
      "\(self) " + (self == .name ? input.stem : withoutPictureSuffix(input.path)).lowercased()
    }
  }

  private enum Place: Sendable {
    case file(String)
    case walk(Walk)
  }

  private struct State {
    var places: ArraySlice<Place>
    var walk: Walk?
    /// Pictures looked up before their turn.
    var ahead: ArraySlice<PictureInput> = []
    var count = 0
    /// Whether the arguments have no more pictures.
    var isExhausted = false
    var keys: Set<String> = []
    /// How often an earlier run has done each picture, by the bytes of its path.
    var held: [[UInt8]: Int] = [:]
  }

  private let state: Mutex<State>
  private let list: NameList?
  private let distinct: [Distinction]
  private let leftOut: [String]

  /// - Parameters:
  ///   - arguments: paths of pictures and directories, and patterns; `-` is standard input. An existing
  ///     file takes precedence over a pattern that is spelled like it.
  ///   - list: names of further pictures and directories.
  ///   - leftOut: paths of directories that no walk enters, whether or not they exist yet.
  /// - Throws: `ValidationError` if a directory or a pattern has no picture.
  init(
    _ arguments: [String], list: NameList? = nil, distinct: [Distinction] = [],
    leavingOut leftOut: [String] = []
  ) throws {
    self.list = list
    self.distinct = distinct
    self.leftOut = leftOut
    let places = try arguments.map { argument -> Place in
      if isDirectory(argument) {
        let kinds = Picture.fileSuffixes.map { "*\($0)" }.joined(separator: " or ")
        return try Self.begin(
          Walk(argument, leavingOut: leftOut, takes: isPictureName),
          orFail: "\(argument): found no file \(kinds), expected some.")
      } else if !fileExists(argument), let pattern = PathPattern(argument) {
        return try Self.begin(
          pattern.walk(leavingOut: leftOut),
          orFail: "\(argument): found no such file, expected some.")
      }
      return .file(argument)
    }
    state = Mutex(State(places: places[...]))
  }

  /// Begins a walk, which must have an entry.
  private static func begin(_ walk: Walk, orFail message: String) throws -> Place {
    var walk = walk
    guard walk.peek() != nil || !Interruption.isGoingOn else { throw ValidationError(message) }
    return .walk(walk)
  }

  /// The next picture; nil at the end, or once the process is interrupted.
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
        return numbered(
          PictureInput(
            path: entry.path, name: entry.name, failure: entry.failure,
            isDirectory: entry.isDirectory), &state)
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
      case .success(let name) where isDirectory(name):
        state.walk = Walk(name, leavingOut: leftOut, takes: isPictureName)
        if let input = find(&state) { return input }
      // In a list, - is a file's name; only as an argument is it standard input.
      case .success(let name): return numbered(file(name == "-" ? "./-" : name), &state)
      case .failure(let error):
        return numbered(PictureInput(path: error.path, name: error.path, failure: error), &state)
      }
    }
    return nil
  }

  private func file(_ path: String) -> PictureInput {
    PictureInput(path: path, name: path == "-" ? "stdin" : fileName(of: path))
  }

  private func numbered(_ input: PictureInput, _ state: inout State) -> PictureInput {
    var input = input
    state.count += 1
    input.number = state.count
    if input.failure == nil {
      let areNew = distinct.map { state.keys.insert($0.key(of: input)).inserted }
      if areNew.contains(false) {
        input.failure = Failure(
          "\(input.path): its files would have the same names as those of an earlier picture; give the two in "
            + "separate runs, with an output directory for each")
      }
    }
    return input
  }
}

/// The paths of pictures, with each directory and pattern replaced by its pictures in the order of
/// `Walk`. The directory of the output is not entered, unless it is itself an argument.
///
/// - Throws: `ValidationError` for standard input, or a directory or pattern without
///   picture, `FileError` if a directory or subdirectory cannot be read.
func picturePaths(_ arguments: [String], leavingOut output: String?) throws -> [String] {
  guard !arguments.contains("-") else {
    throw ValidationError("-: standard input holds one picture; give files.")
  }
  let leftOut = [output].compactMap(\.self)
  return try PictureQueue(arguments, leavingOut: leftOut).map { input in
    if input.isDirectory, let failure = input.failure { throw failure }
    return input.path
  }
}

struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      \(Picture.formats) pictures; directories, whose pictures, including those in subdirectories, \
      are taken in the order of their paths; quoted patterns such as 'photos/**/*.png'; - for one \
      picture on standard input.
      """, valueName: "image"))
  var images: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Take the pictures and directories listed in a file, one per line ending in \\n or \\r\\n; - \
      reads the list from standard input as it arrives.
      """, valueName: "list", visibility: .hidden))
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: ArgumentHelp(
      "With --files-from: names end with a zero byte instead of a newline.", visibility: .hidden))
  var isNullSeparated = false

  func validate() throws {
    guard !images.isEmpty || filesFrom != nil else {
      throw ValidationError("Give a picture, a directory, or --files-from.")
    }
    guard filesFrom != nil || !isNullSeparated else {
      throw ValidationError("--null describes a list: give --files-from too.")
    }
    guard images.count(where: { $0 == "-" }) + (filesFrom == "-" ? 1 : 0) <= 1 else {
      throw ValidationError("Standard input can be read only once: give one - at most.")
    }
  }

  /// The pictures, except those in the directories of outputs.
  ///
  /// - Throws: `ValidationError` if a directory or a pattern has no picture, `FileError` if the
  ///   list cannot be opened.
  func pictures(
    distinct: [PictureQueue.Distinction], leavingOut outputs: [String]
  ) throws -> PictureQueue {
    let list = try filesFrom.map {
      try NameList(path: $0, separator: UInt8(ascii: isNullSeparated ? "\0" : "\n"))
    }
    return try PictureQueue(images, list: list, distinct: distinct, leavingOut: outputs)
  }
}

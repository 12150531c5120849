import ArgumentParser
import Files
import LibC
import YOLOFace

/// A picture to be searched.
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
  /// Whether an earlier run's results hold it.
  var isHeld = false

  /// The name without the suffix of its format.
  var stem: String { withoutPictureSuffix(name) }

  private var isStandardInput: Bool { path == "-" }

  /// What identifies its file; nil if it is not a file.
  var identity: FileIdentity? {
    isStandardInput ? FileIdentity(descriptor: STDIN_FILENO) : FileIdentity(path)
  }

  /// - Throws: as `PictureOptions.read`.
  func read(_ options: PictureOptions) throws -> RGBImage {
    let stored = try readStored(options)
    return stored.image.upright(from: stored.orientation)
  }

  /// The picture as it is stored, and how it is turned upright.
  ///
  /// - Throws: as `PictureOptions.read`.
  func readStored(_ options: PictureOptions) throws -> (image: RGBImage, orientation: Orientation) {
    isStandardInput ? try options.readFromStandardInput() : try options.readStored(path)
  }
}

/// Two pictures of a run for which files of the same name would be written.
struct CollidingNames: Error, CustomStringConvertible {
  var path: String

  var description: String {
    "\(path): its files would have the same names as those of an earlier picture; give the two in "
      + "separate runs, with an output directory for each"
  }
}

/// The input pictures in order, found lazily: only the names in the directories being walked are in
/// memory.
struct PictureSource: Sequence, Sendable {
  /// Where pictures are.
  enum Place: Sendable {
    case file(String)
    case directory(String)
    case pattern(PathPattern)
    case list(NameList)

    /// The place that an argument names. An existing file with this exact name takes precedence
    /// over a pattern.
    init(_ argument: String) {
      if isDirectory(argument) {
        self = .directory(argument)
      } else if !fileExists(argument), let pattern = PathPattern(argument) {
        self = .pattern(pattern)
      } else {
        self = .file(argument)
      }
    }

    /// Checks that the place may contain a picture.
    ///
    /// - Throws: `ValidationError` if there is certainly none.
    func requirePicture() throws {
      switch self {
      case .file, .list: return
      case .directory(let path):
        guard
          Walk(path).contains(where: { $0.isPicture || $0.isDirectory })
            || !Interruption.isGoingOn
        else { throw noPicture(in: path) }
      case .pattern(let pattern):
        guard
          pattern.walk.contains(where: { pattern.matches($0.path) || $0.isDirectory })
            || !Interruption.isGoingOn
        else { throw noPicture(matching: pattern) }
      }
    }
  }

  /// What is to differ between the pictures, since files are named after it; a picture with the same as
  /// an earlier one fails. What differs only in case counts as the same, since some file systems ignore
  /// case.
  struct Uniqueness: OptionSet {
    let rawValue: Int
    /// The name, without its suffix.
    static let name = Self(rawValue: 1)
    /// The path, without its suffix.
    static let path = Self(rawValue: 2)

    fileprivate func keys(of input: PictureInput) -> [String] {
      var keys: [String] = []
      if contains(.name) { keys.append("name " + input.stem.lowercased()) }
      if contains(.path) { keys.append("path " + withoutPictureSuffix(input.path).lowercased()) }
      return keys
    }
  }

  let places: [Place]
  let unique: Uniqueness
  /// Directories to which pictures are written, and which the search skips.
  let outputs: [String]

  func makeIterator() -> Iterator { Iterator(self) }

  /// The pictures that can be found in advance, which are all but those of lists.
  var withoutLists: PictureSource {
    let known = places.filter { if case .list = $0 { false } else { true } }
    return PictureSource(places: known, unique: [], outputs: outputs)
  }

  /// The number of pictures, up to a limit; nil if a list makes it unknown.
  func count(upTo limit: Int) -> Int? {
    for case .list in places { return nil }
    return prefix(limit).reduce(0) { count, _ in count + 1 }
  }

  struct Iterator: IteratorProtocol {
    private var places: ArraySlice<Place>
    private var walk: Walk?
    private var pattern: PathPattern?
    private var number = 0
    private var keys: Set<String> = []
    private let unique: Uniqueness

    private let outputs: [String]

    init(_ source: PictureSource) {
      places = source.places[...]
      unique = source.unique
      outputs = source.outputs
    }

    /// The next picture; nil at the end, or once the process is interrupted.
    mutating func next() -> PictureInput? {
      while Interruption.isGoingOn {
        if var input = nextOfWalk() ?? nextOfPlace() {
          number += 1
          input.number = number
          if input.failure == nil {
            let areNew = unique.keys(of: input).map { keys.insert($0).inserted }
            if areNew.contains(false) { input.failure = CollidingNames(path: input.path) }
          }
          return input
        }
        if walk == nil && places.isEmpty { return nil }
      }
      return nil
    }

    private mutating func nextOfWalk() -> PictureInput? {
      while let entry = walk?.next() {
        let isWanted = pattern.map { $0.matches(entry.path) } ?? entry.isPicture
        guard isWanted || entry.isDirectory else { continue }
        return PictureInput(path: entry.path, name: entry.name, failure: entry.failure)
      }
      walk = nil
      return nil
    }

    /// A picture; nil if the place begins a walk or is exhausted.
    private mutating func nextOfPlace() -> PictureInput? {
      guard let place = places.first else { return nil }
      switch place {
      case .list(let list):
        switch list.next() {
        case .success(let name) where isDirectory(name):
          begin(Walk(name), nil)
          return nil
        // In a list, - is a file's name; only as an argument is it standard input.
        case .success(let name): return file(name == "-" ? "./-" : name)
        case .failure(let error):
          places.removeFirst()
          return PictureInput(path: error.path, name: error.path, failure: error)
        case nil: break
        }
      case .file(let path):
        places.removeFirst()
        return file(path)
      case .directory(let path): begin(Walk(path), nil)
      case .pattern(let pattern): begin(pattern.walk, pattern)
      }
      places.removeFirst()
      return nil
    }

    private mutating func begin(_ walk: Walk, _ pattern: PathPattern?) {
      self.walk = walk
      self.walk?.leftOut = Set(outputs.compactMap(FileIdentity.init))
      self.pattern = pattern
    }

    private func file(_ path: String) -> PictureInput {
      PictureInput(path: path, name: path == "-" ? "stdin" : fileName(of: path))
    }
  }
}

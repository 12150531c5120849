import ArgumentParser
import Files
import LibC
import YOLOFace

/// A picture to be looked at.
struct PictureInput: Sendable {
  /// Its path, as the results name it; `-` for standard input.
  var path: String
  /// Its path below the directory that was given, or its file's name: what files about it are named
  /// after.
  var name: String
  /// Its place among all pictures, from 1.
  var number = 0
  /// Why it cannot be reached.
  var failure: (any Error)?

  /// The name without the suffix that says its format.
  var stem: String { withoutPictureSuffix(name) }

  private var isStandardInput: Bool { path == "-" }

  /// What tells it from all other files; nil where it is none.
  var identity: FileIdentity? {
    isStandardInput ? FileIdentity(descriptor: STDIN_FILENO) : FileIdentity(path)
  }

  /// - Throws: as `PictureOptions.read`.
  func read(_ options: PictureOptions) throws -> RGBImage {
    isStandardInput ? try options.readFromStandardInput() : try options.read(path)
  }
}

/// Two pictures of a run whose files would have the same name.
struct CollidingNames: Error, CustomStringConvertible {
  var path: String

  var description: String {
    "\(path): its files would have the names of those of a picture before it; give them one by one, "
      + "with a directory for each"
  }
}

/// Pictures in the order in which they are taken, found as one goes: only the names of the
/// directories that one is in are in memory.
struct PictureSource: Sequence, Sendable {
  /// Where pictures are.
  enum Place: Sendable {
    case file(String)
    case directory(String)
    case pattern(PathPattern)
    case list(NameList)

    /// What an argument leads to: a file of this very name comes before a pattern.
    init(_ argument: String) {
      if isDirectory(argument) {
        self = .directory(argument)
      } else if !fileExists(argument), let pattern = PathPattern(argument) {
        self = .pattern(pattern)
      } else {
        self = .file(argument)
      }
    }

    /// - Throws: `ValidationError` where there is certainly no picture, `FileError` where a directory
    ///   cannot be read.
    func requirePicture() throws {
      switch self {
      case .file, .list: return
      case .directory(let path):
        guard Walk(path).contains(where: { $0.isPicture || $0.isDirectory }) else {
          throw noPicture(in: path)
        }
      case .pattern(let pattern):
        guard pattern.walk.contains(where: { pattern.matches($0.path) || $0.isDirectory }) else {
          throw ValidationError("\(pattern.text): found no such file, expected some.")
        }
      }
    }
  }

  let places: [Place]
  /// Whether a picture fails that is called like one before it, on file systems that do not tell `A`
  /// from `a` either.
  let namesAreUnique: Bool
  /// Directories in which pictures are written, and not looked for on the way.
  let outputs: [String]

  func makeIterator() -> Iterator { Iterator(self) }

  /// What can be found before it is taken.
  var withoutLists: PictureSource {
    let known = places.filter { if case .list = $0 { false } else { true } }
    return PictureSource(places: known, namesAreUnique: false, outputs: outputs)
  }

  /// How many there are, as far as they can be counted before they are taken, and up to a limit.
  func count(upTo limit: Int) -> Int? {
    for case .list in places { return nil }
    return prefix(limit).reduce(0) { count, _ in count + 1 }
  }

  struct Iterator: IteratorProtocol {
    private var places: ArraySlice<Place>
    private var walk: Walk?
    private var pattern: PathPattern?
    private var number = 0
    private var names: Set<String>?

    private let outputs: [String]

    init(_ source: PictureSource) {
      places = source.places[...]
      names = source.namesAreUnique ? [] : nil
      outputs = source.outputs
    }

    /// The next picture; nil at the end, or once the process was asked to end.
    mutating func next() -> PictureInput? {
      while Interruption.isGoingOn {
        if var input = nextOfWalk() ?? nextOfPlace() {
          number += 1
          input.number = number
          if names?.insert(input.stem.lowercased()).inserted == false {
            input.failure = CollidingNames(path: input.path)
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

    /// A picture, or none where the place begins a walk or is at its end.
    private mutating func nextOfPlace() -> PictureInput? {
      guard let place = places.first else { return nil }
      switch place {
      case .list(let list):
        switch list.next() {
        case .success(let name) where isDirectory(name):
          begin(Walk(name), nil)
          return nil
        // As an argument, - is standard input.
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

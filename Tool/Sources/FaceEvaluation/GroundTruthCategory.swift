/// What a data set calls an object.
public struct GroundTruthCategory: Hashable, Sendable {
  /// Its name, or the number's digits where there is none.
  public var name: String
  /// COCO's and YOLO's number.
  public var number: Int?

  /// A category from its parts.
  public init(name: String, number: Int? = nil) {
    self.name = name
    self.number = number
  }

  /// Whether a user's word is its name, in any case, or its number.
  func isCalled(_ word: String) -> Bool {
    name.lowercased() == word.lowercased() || number.map { "\($0)" } == word
  }
}

extension [GroundTruthPicture] {
  /// The pictures with the objects that are faces alone, and the numbers of objects of each category by name: of
  /// those that count, and of those that are left out. An object without a category is a face.
  ///
  /// - Parameters:
  ///   - words: names or numbers of the categories of faces. If empty, it is the one called face, or where there is
  ///     none, every one.
  ///   - source: the data set's name, for errors.
  /// - Throws: `GroundTruthError` for a word that calls no category.
  public func faces(
    called words: [String], source: String
  ) throws(GroundTruthError) -> (pictures: Self, counted: [String: Int], leftOut: [String: Int]) {
    let categories = lazy.flatMap(\.faces).compactMap(\.category)
    let known = Set(categories).union(compactMap(\.category))
    var chosen: Set<GroundTruthCategory> = []
    for word in words.isEmpty ? ["face"] : words {
      let called = known.filter { $0.isCalled(word) }
      guard words.isEmpty || !called.isEmpty else {
        let names = known.map(\.name).sorted().joined(separator: ", ")
        throw GroundTruthError(
          file: source, position: .file,
          found: known.isEmpty ? "no categories" : "the categories \(names)",
          expected: "one called \(word)")
      }
      chosen.formUnion(called)
    }
    if chosen.isEmpty { chosen = known }
    func count(_ isIncluded: (GroundTruthCategory) -> Bool) -> [String: Int] {
      Dictionary(categories.filter(isIncluded).map { ($0.name, 1) }, uniquingKeysWith: +)
    }
    let lowest = chosen.min { ($0.number ?? 0) < ($1.number ?? 0) }
    let pictures = map { picture in
      var picture = picture
      picture.faces.removeAll { $0.category.map { !chosen.contains($0) } ?? false }
      if picture.category.map(chosen.contains) == false { picture.category = lowest }
      return picture
    }
    return (pictures, count(chosen.contains), count { !chosen.contains($0) })
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// What a data set calls an object. Names are the same where their bytes are.
public struct GroundTruthCategory: Hashable, Sendable {
  /// Its name, or the number's digits where there is none.
  public var name: String
  /// COCO's and YOLO's number.
  public var number: Int?

  /// A category from its parts.
  public init(name: String, number: Int? = nil) {
    (self.name, self.number) = (name, number)
  }

  /// Whether both have the same number and name.
  public static func == (one: Self, other: Self) -> Bool {
    one.number == other.number && one.name.utf8.elementsEqual(other.name.utf8)
  }

  /// Feeds the number and the name: many names may have one number, since `1`, `01` and `+1` are three.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    UntrustedText(name).hash(into: &hasher)
  }

  /// Whether its name holds "face" as a word.
  var isOfFaces: Bool {
    UntrustedText(name.lowercased())
      .split { $0 < 0x80 && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      .contains { $0 == "face" || $0 == "faces" }
  }

  /// Whether a user's word is its name, in any case, or its number.
  func isCalled(_ word: String) -> Bool {
    let word = UntrustedText(word.lowercased())
    return UntrustedText(name.lowercased()) == word || number.map { word.integer() == $0 } ?? false
  }
}

extension [GroundTruthPicture] {
  /// The pictures with the objects that are faces alone, and the numbers of objects of each category by name: of
  /// those that count, and of those that are left out. An object without a category is a face.
  ///
  /// The words are names or numbers of the categories of faces; without words, it is each whose name holds the word
  /// "face", or where there is none, every one. A word that calls no category is an error, which names the `source`.
  public func faces(
    called words: [String], source: String
  ) throws(GroundTruthError) -> (pictures: Self, counted: [String: Int], leftOut: [String: Int]) {
    let categories = lazy.flatMap(\.faces).compactMap(\.category)
    let known = Set(categories).union(compactMap(\.category))
    var chosen: Set<GroundTruthCategory> = []
    for word in words {
      let called = known.filter { $0.isCalled(word) }
      guard !called.isEmpty else {
        let names = known.map { UntrustedText($0.name) }.sorted().map(\.description)
          .joined(separator: ", ")
        throw GroundTruthError(
          file: source, position: .file,
          found: known.isEmpty ? "no categories" : "the categories \(names)",
          expected: "one called \(word)")
      }
      chosen.formUnion(called)
    }
    if words.isEmpty { chosen = known.filter(\.isOfFaces) }
    if chosen.isEmpty { chosen = known }
    let counts = Dictionary(categories.map { ($0, 1) }, uniquingKeysWith: +)
    func count(_ isIncluded: (GroundTruthCategory) -> Bool) -> [String: Int] {
      Dictionary(
        counts.filter { isIncluded($0.key) }.map { ($0.key.name, $0.value) }, uniquingKeysWith: +)
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

/// A category's name as a data set writes it, which may neither be long nor take long to compare as a string.
func categoryName(
  _ text: UntrustedText, failure: (String, String) -> GroundTruthError
) throws(GroundTruthError) -> String {
  guard text.count <= GroundTruthLimits.categoryBytes else {
    throw failure(
      "a category's name of \(text.count) bytes", "at most \(GroundTruthLimits.categoryBytes)")
  }
  guard text.isStreamSafe else {
    throw failure(
      "a category's name with more combining marks behind each other",
      "at most \(UntrustedText.mostMarks)")
  }
  return text.description
}

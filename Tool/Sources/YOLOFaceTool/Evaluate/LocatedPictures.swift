// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceFileSystem
import YOLOFaceFiles
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// The names of a directory's pictures, without suffixes, and which of them is meant by another name.
struct PictureNames {
  private let names: Set<UntrustedText>
  /// As they are written, however accents are composed, and those that `folded` makes of one name only.
  private let spellings: [String: UntrustedText]
  private let directory: String
  /// The most parts of a name.
  private let depth: Int

  init(_ names: [UntrustedText], in directory: String) {
    self.names = Set(names)
    self.directory = fileName(of: directory)
    depth = names.map { $0.count { $0 == UInt8(ascii: "/") } + 1 }.max() ?? 1
    let alike = Dictionary(grouping: names) { folded($0.description) }
    spellings = alike.compactMapValues { $0.count == 1 ? $0[0] : nil }
      .merging(names.map { ($0.description, $0) }) { $1 }
  }

  /// The picture of each name that has one. It is the one of the same name; else of one that differs in case, in how
  /// accents are composed or in percent-encoding alone; else in its first directories, which may be that of the
  /// pictures, or `images` where labels lie in `labels`; else by the digits that Label Studio writes before it. A
  /// picture that several names mean alike has none of them.
  func pictures(called others: [UntrustedText]) -> [UntrustedText: UntrustedText] {
    var result: [UntrustedText: UntrustedText] = [:]
    for name in others where names.contains(name) { result[name] = name }
    var taken = Set(result.values)
    var rest = others.filter { result[$0] == nil && isFilePath($0.description) }
    for variants in [{ [$0] }, otherDirectories, laterParts, withoutHash] as [(String) -> [String]]
    {
      let claims = Dictionary(grouping: rest) { name in
        variants(name.description).lazy.compactMap(picture).first
      }
      for (picture, names) in claims {
        guard let picture, names.count == 1, taken.insert(picture).inserted else { continue }
        result[names[0]] = picture
      }
      rest.removeAll { result[$0] != nil }
    }
    return result
  }

  private func picture(spelled name: String) -> UntrustedText? {
    let exact = UntrustedText(name)
    return names.contains(exact) ? exact : spellings[name] ?? spellings[folded(name)]
  }

  /// A name may begin with that of the pictures' directory, and the labels of a whole data set lie in directories of
  /// their own.
  private func otherDirectories(_ name: String) -> [String] {
    let parts = pathNames(name)
    let directories = ["labels": "images", "Annotations": "JPEGImages"]
    return [
      parts.dropFirst(parts.first == directory ? 1 : 0).joined(separator: "/"),
      parts.map { directories[$0] ?? $0 }.joined(separator: "/"),
    ]
  }

  private func laterParts(_ name: String) -> [String] {
    let parts = pathNames(name)
    return parts.indices.dropFirst().suffix(depth).map { parts[$0...].joined(separator: "/") }
  }

  /// Label Studio names an uploaded `a.png` like `3f0a1b2c-a.png`.
  private func withoutHash(_ name: String) -> [String] {
    guard let last = pathNames(name).last, let dash = last.utf8.firstIndex(of: UInt8(ascii: "-")),
      last.utf8[..<dash].count == 8, UInt32(last[..<dash], radix: 16) != nil
    else { return [] }
    let own = pathNames(name).dropLast() + [String(last[last.utf8.index(after: dash)...])]
    let path = own.joined(separator: "/")
    return [path] + otherDirectories(path) + laterParts(path)
  }
}

/// A name in lower case and without percent-encoding.
private func folded(_ name: String) -> String {
  UntrustedText(name).percentDecoded.description.lowercased()
}

struct LocatedPicture: Sendable {
  var truth: GroundTruthPicture
  /// Nil if the picture has no file.
  var path: String?
}

/// The files of the pictures of the ground truth, with any suffix of a picture. A name without a file is that of the
/// file that it means alone, if that is searched for.
func locate(
  _ truth: [GroundTruthPicture], in directory: String, searching: Bool = true
) -> [LocatedPicture] {
  let suffixes = Picture.fileSuffixes + Picture.fileSuffixes.map { $0.uppercased() }
  var located = truth.map { picture in
    let paths = suffixes.lazy.map { path(of: picture.name + $0, in: directory) }
    return LocatedPicture(truth: picture, path: paths.first(where: fileExists))
  }
  guard searching, located.contains(where: { $0.path == nil }) else { return located }
  let taken = Set(located.compactMap { $0.path.map { UntrustedText($0) } })
  let others = ((try? files(of: Picture.fileSuffixes, below: directory)) ?? [])
    .map { (name: $0.name, path: path(of: $0.path, in: directory)) }
    .filter { !taken.contains(UntrustedText($0.path)) }
  let paths = Dictionary(others) { first, _ in first }
  let missing = located.filter { $0.path == nil }.map { UntrustedText($0.truth.name) }
  let pictures = PictureNames(Array(paths.keys), in: directory).pictures(called: missing)
  for place in located.indices where located[place].path == nil {
    located[place].path = pictures[UntrustedText(located[place].truth.name)].flatMap { paths[$0] }
  }
  return located
}

/// What is said of pictures of the ground truth that have no file, with some of their names, without suffixes, since
/// those of the ground truth may differ; nil if all have one.
func missingMessage(_ pictures: [LocatedPicture], in directory: String) -> String? {
  let names = pictures.filter { $0.path == nil }.map(\.truth.name)
  if names.isEmpty { return nil }
  let others = OtherFiles()
  for entry in Walk(directory) { _ = others.isRead(entry.path) }
  let files = Picture.fileSuffixes.map { "NAME\($0)" }.joined(separator: " or ")
  let isNonePresent = names.count == pictures.count
  let remedy =
    others.message ?? (isNonePresent ? "give the directory from which these names go" : nil)
  return
    "\(directory): found no file for \(names.count) of the ground truth's "
    + "\(counted(pictures.count, "picture")) (\(examples(names))), expected \(files) for each"
    + (remedy.map { "; \($0)" } ?? "")
}

/// The first of some names, and how many more there are.
func examples(_ names: [String]) -> String {
  names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// The JSON forms of a data set, and of results.
///
/// COCO's is an object with `images` and `annotations`. The other is an object from each picture's path to its `boxes`
/// (x0, y0, x1, y1) or `faces` (confidence, x0, y0, x1, y1 and five points in the order of `Landmarks.points`). An
/// object with either of COCO's two keys is read as COCO's, and an array, or one object with an `image`, as results.
public enum JSONGroundTruth {
  /// What is read, for errors.
  static let forms =
    #"COCO's images and annotations, or for each picture such as {"a.png": {"boxes": [[x0, y0, x1, y1]]}}"#

  /// The pictures of lines of JSON (https://jsonlines.org), each the results for one; their numbers count from 0.
  public static func readLines(
    _ bytes: [UInt8], source: String, noting faults: GroundTruthFaults = .init(isStrict: true)
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    var array = Array("[".utf8)
    var last = 1
    for (number, text) in UntrustedText(utf8Text(bytes)).lines {
      if array.count > 1 { array.append(UInt8(ascii: ",")) }
      // Each stays on its line, which errors name.
      array += repeatElement(UInt8(ascii: "\n"), count: number - last)
      array += text.bytes
      last = number
    }
    array.append(UInt8(ascii: "]"))
    return try read(array, source: source, noting: faults)
  }

  /// Whether a text is lines of JSON: an object ends with its first line, and another follows.
  public static func hasLines(_ bytes: [UInt8]) -> Bool {
    let text = utf8Text(bytes)
    guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    return text[..<end].last { !isSpace($0) } == UInt8(ascii: "}")
      && text[end...].first { !isSpace($0) } == UInt8(ascii: "{")
  }

  /// The pictures of a file of any form, within the usual `JSONBounds`.
  ///
  /// COCO's `annotations` may be absent unless it `requiresFaces`: the files of a test set only number its `images`.
  /// Errors name the `source`.
  public static func read(
    _ bytes: [UInt8], source: String, requiresFaces: Bool = true,
    noting faults: GroundTruthFaults = .init(isStrict: true)
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    let (document, members): (Document, Int)
    do {
      (document, members) = try decodedJSONAndMembers(Document.self, from: utf8Text(bytes)[...])
    } catch {
      throw GroundTruthError(
        file: source, position: error.place, found: error.found,
        expected: error.hasOtherForm ? forms : error.expected)
    }
    return switch document {
    case .coco(let coco):
      try coco.pictures(source: source, requiresFaces: requiresFaces, noting: faults)
    case .labels(let labels): try labels.pictures(source: source, of: members, noting: faults)
    case .results(let results): try results.pictures(source: source, noting: faults)
    }
  }
}

private enum Document: Decodable {
  case coco(COCOGroundTruth)
  case labels(LabelGroundTruth)
  case results(StoredResults)

  private enum Keys: CodingKey {
    case images, annotations, image
  }

  init(from decoder: any Decoder) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      self = .results(StoredResults(entries: try [StoredResults.Entry](from: decoder)))
      return
    }
    let container = try decoder.container(keyedBy: Keys.self)
    if (try? container.decode(String.self, forKey: .image)) != nil {
      self = .results(StoredResults(entries: [try StoredResults.Entry(from: decoder)]))
    } else if container.contains(.images) || container.contains(.annotations) {
      self = .coco(try COCOGroundTruth(from: decoder))
    } else {
      self = .labels(
        LabelGroundTruth(labels: try [String: LabelGroundTruth.Picture](from: decoder)))
    }
  }
}

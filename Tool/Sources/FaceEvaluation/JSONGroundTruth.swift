import Formatting
import Untrusted

/// The two JSON forms of a data set.
///
/// COCO's is an object with `images` and `annotations`. The other is an object from each picture's path to its `boxes`
/// (x0, y0, x1, y1) or `faces` (confidence, x0, y0, x1, y1 and five points in the order of `Landmarks.points`). An
/// object with either of COCO's two keys is read as COCO's.
public enum JSONGroundTruth {
  /// What is read, for errors.
  static let forms =
    #"COCO's images and annotations, or for each picture such as {"a.png": {"boxes": [[x0, y0, x1, y1]]}}"#

  /// The pictures of a file of either form, within the usual `JSONBounds`.
  ///
  /// COCO's `annotations` may be absent unless it `requiresFaces`: the files of a test set only number its `images`.
  /// Errors name the `source`.
  public static func read(
    _ bytes: [UInt8], source: String, requiresFaces: Bool = true
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
    case .coco(let coco): try coco.pictures(source: source, requiresFaces: requiresFaces)
    case .labels(let labels): try labels.pictures(source: source, of: members)
    }
  }
}

private enum Document: Decodable {
  case coco(COCOGroundTruth)
  case labels(LabelGroundTruth)

  private enum Keys: CodingKey {
    case images, annotations
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    if container.contains(.images) || container.contains(.annotations) {
      self = .coco(try COCOGroundTruth(from: decoder))
    } else {
      self = .labels(
        LabelGroundTruth(labels: try [String: LabelGroundTruth.Picture](from: decoder)))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceFormatting

/// A format in which the faces of pictures are written.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// For people: a line for each picture and one for each face.
  case text
  /// One array with an object for each picture.
  case json
  /// An object for each picture, one per line: <https://jsonlines.org>.
  case jsonl
  /// A row for each face, as RFC 4180 defines it, or for a picture without faces, below a header.
  case csv
  /// One array with an object for each face: COCO's results, <https://cocodataset.org/#format-results>.
  case coco
  /// A file for each picture: WIDER FACE's results, <http://shuoyang1213.me/WIDERFACE/>.
  case wider
  /// A file for each picture: class, box and score as YOLOv5 saves them.
  case yolo
  /// A file for each picture: the XML of PASCAL VOC, with the score, which VOC does not have.
  case voc
  /// A file for each picture, kept beside it: face regions as metadata; see `XMPSidecar`.
  case xmp

  package var hasFilePerPicture: Bool { fileSuffix != nil }

  /// What the name of a picture's own file ends with; nil where one text holds all pictures.
  package var fileSuffix: String? {
    switch self {
    case .text, .json, .jsonl, .csv, .coco: nil
    case .wider, .yolo: ".txt"
    case .voc: ".xml"
    case .xmp: ".xmp"
    }
  }

  /// Whether it is a data set's format, in which positions are in the stored picture's pixels.
  package var isForDataSets: Bool { hasFilePerPicture || self == .coco }

  /// Whether a failed picture can have an entry.
  package var holdsFailures: Bool { self == .json || self == .jsonl }

  package var namesPictures: Bool { self != .text }

  /// Whether all entries are elements of one JSON array.
  var isArray: Bool { self == .json || self == .coco }

  package func opening(in space: ReportSpace) -> String {
    self == .csv ? "\(DetectionReport.columns(in: space))\n" : isArray ? "[" : ""
  }

  /// The text of further entries, or of the first.
  package func text(of entries: [String], areFirst: Bool) -> String {
    if entries.isEmpty { return "" }
    guard isArray else { return entries.joined(separator: "\n") + "\n" }
    return (areFirst ? "\n" : ",\n") + entries.joined(separator: ",\n")
  }

  package var closing: String { isArray ? "\n]\n" : "" }
}

/// The faces found in one picture, with everything that the formats write.
package struct PictureResult: Sendable {
  /// The faces as the user wants to see them.
  package var report: DetectionReport
  /// The same faces in pixels of the upright picture.
  package var faces: [Face]
  /// The last part of its path, without the suffix of its format.
  package var name: String
  /// Its number in a data set, and that of the category of faces.
  package var identifier, category: Int
  /// How the stored picture is turned upright.
  package var orientation = Orientation.up
  /// What would probably show more faces; nil if nothing would.
  package var hint: SearchHint?
  /// How many times the picture is enlarged because the user asked for it; nil if it is not.
  package var enlargement: Double?
  /// What else a user should know of it, and what of that is particular to it.
  package var remarks: [PictureRemark: String] = [:]
  /// The name of the regions in its sidecar; nil for none.
  package var regionName: String?
  /// Pixels of the network's input for each of the picture, where these were chosen by the picture's size.
  package var scale: Double?

  package init(
    report: DetectionReport, faces: [Face], name: String, identifier: Int, category: Int
  ) {
    (self.report, self.faces, self.name) = (report, faces, name)
    (self.identifier, self.category) = (identifier, category)
  }

  private var size: Size2D { Size2D(width: Double(report.width), height: Double(report.height)) }

  /// The picture's regions, for the file beside it.
  package func sidecar() throws -> XMPSidecar {
    // Turning a size back exchanges its sides just as turning it upright does.
    try XMPSidecar(
      faces, storedSize: orientation.uprightSize(of: size), orientation: orientation,
      name: regionName)
  }

  /// The picture's entries in a format, without separators; none for sidecars.
  package func entries(in format: ReportFormat) throws -> [String] {
    switch format {
    case .text: [report.text]
    case .json, .jsonl: [try report.json()]
    case .csv: report.rows
    case .coco:
      try faces.map { face in
        try COCODetection(face, image: identifier, category: category, fileName: report.image)
          .json()
      }
    case .wider: [widerText(faces, name: name)]
    case .yolo: faces.isEmpty ? [] : [yoloText(faces, size: size)]
    case .voc: [vocText(faces, of: report)]
    case .xmp: []
    }
  }
}

/// A picture that could not be searched.
package struct FailureReport: Codable, Sendable {
  var image, error: String

  package init(image: String, error: any Error) {
    (self.image, self.error) = (image, "\(error)")
  }
}

package struct COCODetection: Codable {
  private enum CodingKeys: String, CodingKey {
    case bbox, score
    case image = "image_id"
    case category = "category_id"
    case fileName = "file_name"
  }

  private(set) var image: Int
  private var category: Int
  /// x, y, width, height in pixels.
  private(set) var bbox: [Double]
  private(set) var score: Float
  /// An addition to COCO's format: the number alone does not identify the picture.
  private(set) var fileName: String?

  package init(_ face: Face, image: Int, category: Int, fileName: String? = nil) {
    (self.image, self.category, self.fileName) = (image, category, fileName)
    bbox = [face.box.x, face.box.y, face.box.width, face.box.height].map { rounded($0) }
    score = face.score
  }
}

/// Detections in WIDER FACE's results format: the picture's name, the count, and a line `x y w h score` for each, without
/// a newline after the last.
///
/// - Parameter name: the last part of the picture's path, without its suffix, as the evaluation in Python expects it.
package func widerText(_ faces: [Face], name: String) -> String {
  let rows = faces.map { face in
    [face.box.x, face.box.y, face.box.width, face.box.height].map { fixed($0, decimals: 2) }
      .joined(separator: " ") + " \(fixed(Double(face.score), decimals: 6))"
  }
  return ([printable(name), "\(rows.count)"] + rows).joined(separator: "\n")
}

/// Detections as YOLOv5 saves them: a line `0 x y w h score` for each. The box is clipped to the
/// picture; its centre, width and height are fractions of the picture's.
private func yoloText(_ faces: [Face], size: Size2D) -> String {
  faces.map { face in
    let box = face.box.clipped(to: size)
    let numbers = [
      box.center.x / size.width, box.center.y / size.height, box.width / size.width,
      box.height / size.height, Double(face.score),
    ]
    return "0 " + numbers.map { fixed($0, decimals: 6) }.joined(separator: " ")
  }.joined(separator: "\n")
}

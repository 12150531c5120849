import FaceDecoding
import Formatting
import YOLOFace

/// A format in which the faces of pictures are written.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// For people: a line for each picture and one for each face.
  case text
  /// One array with an object for each picture.
  case json
  /// An object for each picture, one per line: <https://jsonlines.org>.
  case jsonl
  /// A row for each face, as RFC 4180 defines it, below a header with names and units. A picture
  /// without faces has a row with only its name and size.
  case csv
  /// One array with an object for each face: COCO's results,
  /// <https://cocodataset.org/#format-results>.
  case coco
  /// A file for each picture: WIDER FACE's results, <http://shuoyang1213.me/WIDERFACE/>.
  case wider
  /// A file for each picture: class, box and score as YOLOv5 saves them.
  case yolo
  /// A file for each picture, kept beside it: face regions as metadata; see `XMPSidecar`.
  case xmp

  /// Whether each picture has a file of its own.
  package var hasFilePerPicture: Bool { [.wider, .yolo, .xmp].contains(self) }

  /// Whether it is a data set's format, in which positions are in the stored picture's pixels.
  package var isForDataSets: Bool { [.coco, .wider, .yolo, .xmp].contains(self) }

  /// Whether a failed picture can have an entry.
  package var holdsFailures: Bool { self == .json || self == .jsonl }

  /// Whether the output shows which pictures it holds.
  package var namesPictures: Bool { self != .text }

  /// Whether all entries are elements of one JSON array.
  var isArray: Bool { self == .json || self == .coco }

  /// What comes before the first entry.
  package func opening(in coordinates: CoordinateSystem) -> String {
    self == .csv ? "\(DetectionReport.columns(in: coordinates))\n" : isArray ? "[" : ""
  }

  /// The text of further entries.
  ///
  /// - Parameter areFirst: whether there are none before them.
  package func text(of entries: [String], areFirst: Bool) -> String {
    if entries.isEmpty { return "" }
    guard isArray else { return entries.joined(separator: "\n") + "\n" }
    return (areFirst ? "\n" : ",\n") + entries.joined(separator: ",\n")
  }

  /// What comes after the last entry.
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
  /// Its number in a data set.
  package var identifier: Int
  /// The number of the category of faces in that data set.
  package var category: Int
  /// How the stored picture is turned upright.
  package var orientation = Orientation.up
  /// What would probably show more faces; nil if nothing would.
  package var hint: SearchHint?

  package init(
    report: DetectionReport, faces: [Face], name: String, identifier: Int, category: Int
  ) {
    self.report = report
    self.faces = faces
    self.name = name
    self.identifier = identifier
    self.category = category
  }

  private var size: Size { Size(width: Double(report.width), height: Double(report.height)) }

  /// The picture's regions, for the file beside it.
  ///
  /// - Throws: `ViewSpaceError` if the size is not that of a picture.
  package func sidecar() throws -> XMPSidecar {
    // Turning a size back exchanges its sides just as turning it upright does.
    try XMPSidecar(faces, storedSize: orientation.uprightSize(of: size), orientation: orientation)
  }

  /// The picture's entries in a format, without separators; none for sidecars.
  package func entries(in format: ReportFormat) throws -> [String] {
    switch format {
    case .text: [report.text]
    case .json, .jsonl: [try report.json()]
    case .csv: report.rows
    case .coco:
      try faces.map {
        try COCODetection($0, image: identifier, category: category, fileName: report.image)
          .json()
      }
    case .wider: [widerText(faces, name: name)]
    case .yolo: faces.isEmpty ? [] : [yoloText(faces, size: size)]
    case .xmp: []
    }
  }
}

/// A picture that could not be searched.
package struct FailureReport: Codable, Sendable {
  var image: String
  var error: String

  package init(image: String, error: any Error) {
    self.image = image
    self.error = "\(error)"
  }
}

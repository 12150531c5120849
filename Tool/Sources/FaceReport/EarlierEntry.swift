import FaceDecoding
import Formatting

// Foundation without internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an earlier run wrote about a picture or one of its faces. It is sound if writing it again
/// gives the same bytes.
struct EarlierEntry {
  /// The bytes of the picture's name.
  var name: [UInt8]
  /// The picture's number in a data set.
  var number: Int?
  /// The face's number in a row of CSV: from 1, or 0 if the picture has no face; nil in JSON.
  var face: Int?
  /// Whether the picture could not be searched.
  var hasFailed = false

  /// Reads an object of `--format json` or `jsonl`; nil if it is damaged or is no such object.
  init?(object: ArraySlice<UInt8>) {
    if let report = sound(DetectionReport.self, object) {
      guard report.faces.allSatisfy(\.isWhole), report.view?.hasKnownCoordinates != false
      else { return nil }
      name = Array(report.image.utf8)
    } else if let failure = sound(FailureReport.self, object) {
      name = Array(failure.image.utf8)
      hasFailed = true
    } else {
      return nil
    }
  }

  /// Reads an object of `--format coco`; nil if it is damaged, is no such object, or names no
  /// picture.
  init?(cocoObject object: ArraySlice<UInt8>) {
    guard let detection = sound(COCODetection.self, object), let name = detection.fileName,
      detection.bbox.count == 4, isScore(Double(detection.score))
    else { return nil }
    self.name = Array(name.utf8)
    number = detection.image
  }

  /// Reads a row of `--format csv`; nil if it is damaged or is no such row.
  init?(row: [UInt8]) {
    guard let fields = DetectionReport.fields(of: row) else { return nil }
    func areNumbers(_ range: Range<Int>) -> Bool {
      fields[range].allSatisfy { field in Double(field).map { "\($0)" } == field }
    }
    func areEmpty(_ range: Range<Int>) -> Bool { fields[range].allSatisfy(\.isEmpty) }
    name = Array(fields[0].utf8)
    let numbers = fields[1...3].map { Int($0) }
    guard
      zip(numbers, fields[1...3]).allSatisfy({ $0.map { "\($0)" } ?? "" == $1 }),
      let width = numbers[0], let height = numbers[1], width > 0, height > 0
    else { return nil }
    guard let face = numbers[2] else {
      guard areEmpty(4..<fields.count) else { return nil }
      self.face = 0
      return
    }
    self.face = face
    guard face > 0, areNumbers(4..<9), areNumbers(9..<19) || areEmpty(9..<19),
      let score = Double(fields[4]), isScore(score),
      areNumbers(19..<22) || areEmpty(19..<22), ["", "true"].contains(fields[22])
    else { return nil }
  }
}

private func isScore(_ score: Double) -> Bool { (0...1).contains(score) }

/// The decoded object; nil if encoding it again gives different bytes.
private func sound<T: Codable>(_ type: T.Type, _ object: ArraySlice<UInt8>) -> T? {
  guard let value = try? JSONDecoder().decode(type, from: Data(object)),
    let again = try? value.json(), again.utf8.elementsEqual(object)
  else { return nil }
  return value
}

extension ViewReport {
  fileprivate var hasKnownCoordinates: Bool {
    CoordinateSystem.allCases.contains { $0.name == coordinates }
  }
}

extension DetectionReport.Face {
  /// Whether no number is missing.
  fileprivate var isWhole: Bool {
    isScore(score) && landmarks?.pairs.allSatisfy { $0.count == 2 } != false
  }
}

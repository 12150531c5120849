// SPDX-License-Identifier: Apache-2.0
import YOLOFace
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// The places that a report says are hidden in each frame of a film, perhaps corrected by a person.
struct GivenPlaces {
  private let path: String
  private var reports: [Int: FrameHidingReport] = [:]

  /// The most bytes of a report, and of a line: a frame has a few thousand places at most.
  private static let (mostBytes, longestLine) = (1 << 28, 1 << 20)
  private static let bounds = JSONBounds(depth: 8, values: 1 << 16, members: 64)

  init(_ path: String) throws {
    try self.init(try readFile(path, limit: Self.mostBytes), path: path)
  }

  init(_ bytes: [UInt8], path: String) throws(FileError) {
    self.path = path
    for (number, text) in UntrustedText(bytes).lines {
      var report = try Self.report(text, path: "\(path), line \(number)")
      // It is the film's frame that is named again.
      report.image = nil
      guard reports.updateValue(report, forKey: report.frame) == nil else {
        throw FileError(
          path: path, found: "frame \(report.frame) again in line \(number)",
          expected: "each frame once")
      }
    }
  }

  private static func report(
    _ line: UntrustedText, path: String
  ) throws(FileError) -> FrameHidingReport {
    func failure(_ found: String) -> FileError {
      FileError(
        path: path, found: found,
        expected: "a frame as anonymise --json writes it, with boxes in pixels")
    }
    guard line.count <= longestLine else { throw failure("\(line.count) bytes") }
    let report: FrameHidingReport
    do {
      report = try decodedJSON(FrameHidingReport.self, from: line.bytes, within: bounds)
    } catch {
      guard case .element(let place) = error.place else { throw failure(error.found) }
      throw failure("\(error.found) at \(place)")
    }
    guard (report.hidden + report.kept).allSatisfy({ isPlace($0.box) }) else {
      throw failure("a box that is none in a picture")
    }
    return report
  }

  private static func isPlace(_ box: Box) -> Bool {
    [box.x, box.y].allSatisfy { (-1e6...1e6).contains($0) }
      && [box.width, box.height].allSatisfy { $0 > 0 && $0 <= 1e6 }
  }

  /// Refuses a report with frames that the film, of so many, has not: it is another film's, or one of another rate,
  /// and its places are wrong.
  func requireNoMore(than frames: Int) throws {
    let count = reports.keys.count { !(0..<frames).contains($0) }
    guard count > 0 else { return }
    throw FileError(
      path: path, found: "\(counted(count, "frame")) more than the film has",
      expected: "a line for each of its frames")
  }

  /// What is hidden in a frame; one that the report does not have is an error: its faces would be seen.
  func places(of frame: Frame) throws -> FrameHidingReport {
    guard let report = reports[frame.number] else {
      throw FileError(
        path: path, found: "no frame \(frame.number)", expected: "a line for each frame")
    }
    return report
  }
}

import Files
import Formatting
import YOLOFace

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The places that a report says are hidden in each frame of a film, perhaps corrected by a person.
struct GivenPlaces {
  private let path: String
  private var reports: [Int: FrameHidingReport] = [:]

  /// - Throws: `FileError` where the file is not what `--json` writes.
  init(_ path: String) throws {
    self.path = path
    let lines = try readFile(path, limit: 1 << 28)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines)
    where line.contains(where: { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: " ") }) {
      guard let report = try? JSONDecoder().decode(FrameHidingReport.self, from: Data(line)),
        (report.hidden + report.kept).allSatisfy({ Self.isPlace($0.box) })
      else {
        throw FileError(
          path: path, found: "line \(number)",
          expected: "a frame as anonymise --json writes it, with boxes in pixels")
      }
      guard reports.updateValue(report, forKey: report.frame) == nil else {
        throw FileError(
          path: path, found: "frame \(report.frame) again in line \(number)",
          expected: "each frame once")
      }
    }
  }

  private static func isPlace(_ box: Rectangle) -> Bool {
    [box.x, box.y].allSatisfy { (-1e6...1e6).contains($0) }
      && [box.width, box.height].allSatisfy { $0 > 0 && $0 <= 1e6 }
  }

  /// - Throws: `FileError` where the report has frames that the film, of so many, has not: it is another film's, or
  ///   one of another rate, and its places are wrong.
  func requireNoMore(than frames: Int) throws {
    let count = reports.keys.count { !(0..<frames).contains($0) }
    guard count > 0 else { return }
    throw FileError(
      path: path, found: "\(counted(count, "frame")) more than the film has",
      expected: "a line for each of its frames")
  }

  /// What is hidden in a frame.
  ///
  /// - Throws: `FileError` where the report does not have it: its faces would be seen.
  func places(of frame: Frame) throws -> FrameHidingReport {
    guard let report = reports[frame.number] else {
      throw FileError(
        path: path, found: "no frame \(frame.number)", expected: "a line for each frame")
    }
    return report
  }
}

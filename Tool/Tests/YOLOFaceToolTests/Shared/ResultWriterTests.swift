import FaceReport
import FileSystem
import Files
import Foundation
import TestSupport
import Testing

@testable import YOLOFaceTool

struct ResultWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  /// In a stranger's directory, the sidecar of a picture may lead to a file of the user's.
  @Test(arguments: ["a.xmp", "a.png.xmp", "a.XMP"])
  func writesNoSidecarThroughALink(name: String) throws {
    try prepareDirectory(path("d"))
    try writeFile([1], to: path("d/a.png"))
    try writeFile(Array("mine".utf8), to: path("mine"))
    try FileManager.default.createSymbolicLink(
      atPath: path("d/\(name)"), withDestinationPath: "../mine")
    let outputs = try Outputs(isBesidePictures: true, inputs: [])
    let input = PictureInput(path: path("d/a.png"), name: "a.png")
    for isResuming in [false, true] {
      let writer = try ResultWriter(.xmp, to: nil, isResuming: isResuming, by: outputs)
      let error = #expect(throws: FileError.self) { try writer.hasFile(for: input) }
      #expect(error?.path == path("d/\(name)") && error?.found == "a symbolic link")
    }
    #expect(try readFile(path("mine"), limit: 10) == Array("mine".utf8))
  }
}

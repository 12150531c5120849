// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster

/// `yoloface detect --format xmp`.
struct SidecarTests {
  private let tool = Tool()

  init() throws { try tool.copyPhoto(to: "a.png") }

  /// What `writesBesideThePictureOrToADirectory` checks.
  private static let sidecar = Result {
    let tests = try SidecarTests()
    let run = try tests.tool.run(line: "detect a.png --format xmp").succeeded()
    #expect(run.output.isEmpty)
    return try tests.tool.text("a.xmp")
  }

  /// Expects that the only region has a centre.
  private func expect(
    _ text: String, x: Double, y: Double, at location: SourceLocation = #_sourceLocation
  ) throws {
    for (name, expected) in [("x", x), ("y", y)] {
      let parts = text.components(separatedBy: "stArea:\(name)=\"")
      try #require(parts.count == 2, "\(text)", sourceLocation: location)
      let number = try #require(Double(parts[1].prefix { $0 != "\"" }), sourceLocation: location)
      #expect(abs(number - expected) < 0.0005, sourceLocation: location)
    }
  }

  /// The face's centre is at 225.4, 116.7 in a picture of 512 × 512.
  @Test func writesBesideThePictureOrToADirectory() throws {
    let text = try Self.sidecar.get()
    try expect(text, x: 225.4 / 512, y: 116.7 / 512)
    try tool.expectRuns("detect a.png --format xmp --output out")
    #expect(try tool.text("out/a.xmp") == text)
  }

  /// Exif says that the picture is to be turned by 90° clockwise: the face's centre at 225.4, 116.7 is at
  /// 116.7, 512 - 225.4 as it is stored.
  @Test func regionsAreInTheStoredPicture() throws {
    var bytes = try PNG.encode(Picture.read(path: Tool.astronaut).upright(from: .left))
    let tag: [UInt8] = [1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    let exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + tag + [0, 0, 0, 0]
    // After the header: 8 bytes of signature, 25 of IHDR.
    bytes.insert(contentsOf: pngChunk("eXIf", exif), at: 33)
    try tool.write(Data(bytes), to: "lies.png")
    // Where the sidecar says otherwise than Exif, it counts, and keeps saying it.
    bytes[33 + 8 + exif.count - 7] = 3
    bytes.replaceSubrange(
      33..<45 + exif.count, with: pngChunk("eXIf", Array(bytes[41..<41 + exif.count])))
    try tool.write(Data(bytes), to: "turned.png")
    let turned = "<r:D tiff:Orientation='6' xmlns:tiff='http://ns.adobe.com/tiff/1.0/'/>"
    try tool.write(
      "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\(turned)</r:RDF>",
      to: "turned.png.xmp")
    let run = try tool.run(line: "detect lies.png turned.png --format xmp").succeeded()
    for name in ["lies.xmp", "turned.png.xmp"] {
      try expect(try tool.text(name), x: 116.7 / 512, y: (512 - 225.4) / 512)
    }
    #expect(try tool.text("turned.png.xmp").contains(turned))
    #expect(run.errors.contains("turned.png: the sidecar says 6, Exif says 3"))
  }

  /// A sidecar that cannot be replaced fails before the search; with `--resume` its picture is done.
  @Test func namedRegionsStay() throws {
    let named = try Self.sidecar.get().replacing(
      "<mwg-rs:Type>Face</mwg-rs:Type>",
      with: "<mwg-rs:Type>Face</mwg-rs:Type><mwg-rs:Name>Eileen</mwg-rs:Name>")
    try tool.write(named, to: "a.xmp")
    try tool.expectRuns(
      """
      detect a.png --format xmp | 1 a region that somebody has named
      detect a.png --format xmp --resume
      """)
    #expect(try tool.text("a.xmp") == named)
  }

  @Test func keepsWhatTheFileSays() throws {
    let foreign = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
       <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/>
      </rdf:RDF>
      """
    try tool.write(foreign, to: "a.xmp")
    try tool.expectRuns("detect a.png --format xmp")
    let merged = try tool.text("a.xmp")
    #expect(merged.contains("xmp:Rating=\"4\"") && merged.contains("stArea:x"))
    try tool.expectRuns("detect a.png --format xmp")
    #expect(try tool.text("a.xmp") == merged)
    let resumed = try tool.run(line: "detect a.png --format xmp --resume").succeeded()
    #expect(!resumed.errors.contains("wrote"))
  }

  /// Of the two names that programs give to sidecars, the one that is there is taken.
  @Test func theSidecarThatExistsIsTaken() throws {
    try tool.copyPhoto(to: "a.webp.png")
    let text = try Self.sidecar.get()
    try tool.write(text, to: "a.png.xmp")
    try tool.expectRuns(
      """
      detect a.png --format xmp | 0 wrote a.png.xmp
      detect a.webp.png --format xmp --full-sidecar-names
      """)
    #expect(!tool.exists("a.xmp"))
    for name in ["a.png.xmp", "a.webp.png.xmp"] { #expect(try tool.text(name) == text) }
    let resumed = try tool.run(line: "detect a.webp.png --format xmp --resume").succeeded()
    #expect(!resumed.errors.contains("wrote"))
  }

  /// As digiKam and darktable, and cameras, name them.
  @Test func aSecondSidecarIsNamed() throws {
    for name in ["a.XMP", "a.png.xmp"] {
      try tool.write("<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", to: name)
    }
    let run = try tool.run(line: "detect a.png --format xmp").succeeded()
    for said in ["wrote a.XMP", "a.png.xmp: found a second sidecar"] {
      #expect(run.errors.contains(said))
    }
    #expect(
      try tool.text("a.XMP").contains("stArea:x") && !tool.text("a.png.xmp").contains("stArea"))
  }

  /// A camera's raw file, another picture's whole name, and a copy in another format: their sidecars are not this
  /// picture's.
  @Test func aSidecarOfAnotherPictureStays() throws {
    try tool.copyPhoto(to: "a.CR2", "a.xmp", "a.png.png")
    try tool.expectRuns("detect a.png a.png.png --format xmp | 0 2 pictures: 2 searched")
    #expect(try tool.text("a.png.xmp").contains("stArea:x"))
    #expect(try tool.text("a.png.png.xmp").contains("stArea:x"))
  }

  /// In a stranger's directory, the sidecar of a picture may lead to a file of the user's.
  @Test(arguments: ["a.xmp", "a.png.xmp", "a.XMP"])
  func writesNoSidecarThroughALink(name: String) throws {
    try tool.write("mine", to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: tool.path(name), withDestinationPath: "file")
    try tool.expectRuns(
      """
      detect a.png --format xmp | 1 \(name): found a symbolic link
      detect a.png --format xmp --resume | 1 \(name): found a symbolic link
      """)
    #expect(try tool.text("file") == "mine")
  }

  @Test func aDamagedSidecarStaysAsItIs() throws {
    try tool.copyPhoto(to: "b.png")
    try tool.write("<rdf:RDF", to: "a.xmp")
    try tool.expectRuns("detect a.png b.png --format xmp | 1 a.xmp:1: found")
    #expect(try tool.text("a.xmp") == "<rdf:RDF")
    #expect(try tool.text("b.xmp").contains("mwg-rs:Regions"))
  }

  /// The pictures of other directories have sidecars of their own. Crops are named otherwise than sidecars; a
  /// picture that comes again fails alone.
  @Test func onePictureHasOneSidecar() throws {
    try tool.writeBlankPictures(["d/a.png"])
    try tool.expectRuns(
      """
      detect a.png a.png --format xmp | 1 a.png: found the same picture as a.png, expected each once
      detect a.png d/a.png --format xmp
      detect d d/a.png b.png --format xmp --crop crops | 1 3 pictures
      detect b.png ./b.png d/a.png --format xmp --jobs 1 | 1 3 pictures
      """)
  }
}

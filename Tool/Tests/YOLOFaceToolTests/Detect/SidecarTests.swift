import Foundation
import Raster
import TestSupport
import Testing

/// `yoloface detect --format xmp`.
struct SidecarTests {
  private let tool: Tool

  init() throws {
    tool = Tool()
    try tool.copyPhoto(to: "a.png")
  }

  /// What `writesBesideThePictureOrToADirectory` checks.
  private static let sidecar = Result {
    let tests = try SidecarTests()
    let run = try tests.tool.run("detect", "a.png", "--format", "xmp").succeeded()
    #expect(run.output.isEmpty)
    return try tests.tool.text("a.xmp")
  }

  /// A number of the only region.
  private func area(_ name: String, in text: String) throws -> Double {
    let parts = text.components(separatedBy: "stArea:\(name)=\"")
    try #require(parts.count == 2, "\(text)")
    return try #require(Double(parts[1].prefix { $0 != "\"" }))
  }

  /// The face's centre is at 225.4, 116.7 in a picture of 512 × 512.
  @Test func writesBesideThePictureOrToADirectory() throws {
    let text = try Self.sidecar.get()
    #expect(try abs(area("x", in: text) - 225.4 / 512) < 0.0005)
    #expect(try abs(area("y", in: text) - 116.7 / 512) < 0.0005)
    try tool.run("detect", "a.png", "--format", "xmp", "--output", "out").succeeded()
    #expect(try tool.text("out/a.xmp") == text)
  }

  /// Exif says that the picture is to be turned by 90° clockwise: the face's centre at 225.4, 116.7 is at
  /// 116.7, 512 - 225.4 as it is stored.
  @Test func regionsAreInTheStoredPicture() throws {
    try PNG.write(
      try Picture.read(path: Tool.astronaut).upright(from: .left), to: tool.path("lies.png"))
    var bytes = [UInt8](try tool.data("lies.png"))
    let tag: [UInt8] = [1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    let exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + tag + [0, 0, 0, 0]
    let chunk = pngChunk("eXIf", exif)
    // After the header: 8 bytes of signature, 25 of IHDR.
    bytes.insert(contentsOf: chunk, at: 33)
    try tool.write(Data(bytes), to: "lies.png")
    try tool.run("detect", "lies.png", "--format", "xmp").succeeded()
    let text = try tool.text("lies.xmp")
    #expect(try abs(area("x", in: text) - 116.7 / 512) < 0.0005)
    #expect(try abs(area("y", in: text) - (512 - 225.4) / 512) < 0.0005)
  }

  /// A sidecar that cannot be replaced fails before the search; with `--resume` its picture is done.
  @Test func namedRegionsStay() throws {
    let named = try Self.sidecar.get().replacingOccurrences(
      of: "<mwg-rs:Type>Face</mwg-rs:Type>",
      with: "<mwg-rs:Type>Face</mwg-rs:Type><mwg-rs:Name>Eileen</mwg-rs:Name>")
    try tool.write(named, to: "a.xmp")
    try tool.run("detect", "a.png", "--format", "xmp").failed(
      saying: "a region that somebody has named")
    try tool.run("detect", "a.png", "--format", "xmp", "--resume").succeeded()
    #expect(try tool.text("a.xmp") == named)
  }

  @Test func keepsWhatTheFileSays() throws {
    let foreign = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
       <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/>
      </rdf:RDF>
      """
    try tool.write(foreign, to: "a.xmp")
    try tool.run("detect", "a.png", "--format", "xmp").succeeded()
    let merged = try tool.text("a.xmp")
    #expect(merged.contains("xmp:Rating=\"4\"") && merged.contains("stArea:x"))
    try tool.run("detect", "a.png", "--format", "xmp").succeeded()
    #expect(try tool.text("a.xmp") == merged)
    let resumed = try tool.run("detect", "a.png", "--format", "xmp", "--resume")
    #expect(resumed.status == 0 && !resumed.errors.contains("wrote"))
  }

  /// Of the two names that programs give to sidecars, the one that is there is taken.
  @Test func theSidecarThatExistsIsTaken() throws {
    try tool.copyPhoto(to: "a.webp.png")
    let text = try Self.sidecar.get()
    try tool.write(text, to: "a.png.xmp")
    let again = try tool.run("detect", "a.png", "--format", "xmp").succeeded()
    #expect(again.errors.contains("wrote a.png.xmp") && !tool.exists("a.xmp"))
    #expect(try tool.text("a.png.xmp") == text)
    try tool.run("detect", "a.webp.png", "--format", "xmp", "--full-sidecar-names").succeeded()
    #expect(try tool.text("a.webp.png.xmp") == text)
    let resumed = try tool.run("detect", "a.webp.png", "--format", "xmp", "--resume")
    #expect(resumed.status == 0 && !resumed.errors.contains("wrote"))
  }

  /// As digiKam and darktable, and cameras, name them.
  @Test func aSecondSidecarIsNamed() throws {
    for name in ["a.XMP", "a.png.xmp"] {
      try tool.write("<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", to: name)
    }
    let run = try tool.run("detect", "a.png", "--format", "xmp").succeeded()
    #expect(
      run.errors.contains("wrote a.XMP") && run.errors.contains("a.png.xmp: found a second sidecar")
    )
    #expect(
      try tool.text("a.XMP").contains("stArea:x") && !tool.text("a.png.xmp").contains("stArea"))
  }

  /// A camera's raw file, another picture's whole name, and a copy in another format: their sidecars are not this
  /// picture's.
  @Test func aSidecarOfAnotherPictureStays() throws {
    try tool.copyPhoto(to: "a.CR2", "a.xmp", "a.png.png")
    let run = try tool.run("detect", "a.png", "a.png.png", "--format", "xmp").succeeded()
    #expect(run.errors.contains("2 pictures: 2 searched"))
    #expect(try tool.text("a.png.xmp").contains("stArea:x"))
    #expect(try tool.text("a.png.png.xmp").contains("stArea:x"))
  }

  @Test func aDamagedSidecarStaysAsItIs() throws {
    try tool.copyPhoto(to: "b.png")
    try tool.write("<rdf:RDF", to: "a.xmp")
    try tool.run("detect", "a.png", "b.png", "--format", "xmp").failed(saying: "a.xmp:1: found")
    #expect(try tool.text("a.xmp") == "<rdf:RDF")
    #expect(try tool.text("b.xmp").contains("mwg-rs:Regions"))
  }

  @Test func onePictureHasOneSidecar() throws {
    try tool.run("detect", "a.png", "a.png", "--format", "xmp").failed(
      saying: "a.png: found the same picture as a.png, expected each once")
    // The pictures of other directories have sidecars of their own.
    try tool.writeBlankPictures(["d/a.png"])
    try tool.run("detect", "a.png", "d/a.png", "--format", "xmp").succeeded()
    // Crops are named otherwise than sidecars; a picture that comes again fails alone.
    try tool.run(
      "detect", "d", "d/a.png", "b.png", "--format", "xmp", "--crop", "crops"
    ).failed(saying: "3 pictures")
    try tool.run(
      "detect", "b.png", "./b.png", "d/a.png", "--format", "xmp", "--jobs", "1"
    ).failed(saying: "3 pictures")
  }
}

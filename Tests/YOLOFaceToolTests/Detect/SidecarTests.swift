import Foundation
import Raster
import Testing

/// `yoloface detect --format xmp`.
struct SidecarTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try FileManager.default.copyItem(atPath: Tool.astronaut, toPath: tool.path("a.png"))
  }

  private func contents(_ name: String) throws -> String {
    try String(contentsOfFile: tool.path(name), encoding: .utf8)
  }

  @Test func writesBesideThePictureOrToADirectory() throws {
    let run = try tool.run("detect", "a.png", "--format", "xmp")
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
    // The box of 91 × 121 at 179, 57 in a picture of 512 × 512; its centre is at 224.6, 117.6.
    let text = try contents("a.xmp")
    #expect(text.contains("stArea:x=\"0.438") && text.contains("stArea:y=\"0.229"))
    #expect(try tool.run("detect", "a.png", "--format", "xmp", "--output", "out").status == 0)
    #expect(try contents("out/a.xmp") == text)
  }

  @Test func keepsWhatTheFileSays() throws {
    let foreign = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
       <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/>
      </rdf:RDF>
      """
    try Data(foreign.utf8).write(to: tool.directory.appending(path: "a.xmp"))
    #expect(try tool.run("detect", "a.png", "--format", "xmp").status == 0)
    let merged = try contents("a.xmp")
    #expect(merged.contains("xmp:Rating=\"4\"") && merged.contains("stArea:x"))
    #expect(try tool.run("detect", "a.png", "--format", "xmp").status == 0)
    #expect(try contents("a.xmp") == merged)
    let resumed = try tool.run("detect", "a.png", "--format", "xmp", "--resume")
    #expect(resumed.status == 0 && !resumed.errors.contains("wrote"))
  }

  @Test func aDamagedSidecarStaysAsItIs() throws {
    try FileManager.default.copyItem(atPath: Tool.astronaut, toPath: tool.path("b.png"))
    try Data("<rdf:RDF".utf8).write(to: tool.directory.appending(path: "a.xmp"))
    let run = try tool.run("detect", "a.png", "b.png", "--format", "xmp")
    #expect(run.status == 1 && run.errors.contains("a.xmp:1: found"))
    #expect(try contents("a.xmp") == "<rdf:RDF")
    #expect(try contents("b.xmp").contains("mwg-rs:Regions"))
  }

  @Test func onePictureHasOneSidecar() throws {
    let run = try tool.run("detect", "a.png", "a.png", "--format", "xmp")
    #expect(run.status == 1 && run.errors.contains("same names"))
    // The pictures of other directories have sidecars of their own.
    try tool.writeBlankPictures(["d/a.png"])
    #expect(try tool.run("detect", "a.png", "d/a.png", "--format", "xmp").status == 0)
    #expect(try tool.run("detect", "-", "--format", "xmp").status == 64)
    #expect(try tool.run("detect", "a.png", "--format", "xmp", "--mirror").status == 64)
  }
}

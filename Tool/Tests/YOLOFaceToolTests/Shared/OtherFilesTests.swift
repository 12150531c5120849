import Testing
import YOLOFace

@testable import YOLOFaceTool

struct OtherFilesTests {
  @Test func namesWhatIsNotRead() {
    for (files, message) in [
      ([], nil), (["a.png", "b.PNG", "notes.txt", "a.json", "a.xmp", "heic", "a.pdf"], nil),
      (["a.heic", "b.HEIF", "c.gif", "a.png"], "3 files left out: 2 HEIC, 1 GIF"),
      (["a.mp4"], "1 film left out: give it alone"),
      (["a.MOV", "b.mkv"], "2 films left out: give each alone"),
      (["d/e.dng", "a.mp4"], "1 file left out: 1 raw; 1 film: give it alone"),
    ] as [([String], String?)] {
      let others = OtherFiles()
      for file in files { #expect(others.isRead(file) == file.lowercased().hasSuffix(".png")) }
      #expect(others.message == message)
    }
  }

  @Test(.enabled(if: !Picture.fileSuffixes.contains(".jpg"), "This build reads JPEG."))
  func saysHowToReadThem() {
    let others = OtherFiles()
    for file in ["a.jpg", "b.jfif", "c.JPE", "d.heic", "e.mp4"] { #expect(!others.isRead(file)) }
    #expect(
      others.message
        == "4 files left out: 3 JPEG (this build reads PNG only: swift build --package-path Tool --traits JPEG "
        + "makes one that reads JPEG), 1 HEIC; 1 film: give it alone")
  }

  @Test func anonymiseFailsUnlessTheyAreIgnored() throws {
    let tool = try Tool()
    try tool.writeBlankPictures(["in/a.png", "in/sub/b.heic", "in/c.mp4"])
    let left = "1 file left out: 1 HEIC; 1 film: give it alone"
    let run = try tool.run("anonymise", "in", "-o", "out", "--quiet").failed(saying: left)
    #expect(run.errors.contains("--ignore-others says that this is meant"))
    let accepted = try tool.run("anonymise", "in", "-o", "new", "--ignore-others").succeeded()
    #expect(accepted.errors.contains(left))
    let searched = try tool.run("detect", "in").succeeded()
    #expect(searched.errors.contains(left))
    let frames = try tool.run("anonymise", "in", "-o", "frames", "--film").failed(saying: left)
    #expect(frames.output.contains("0 places hidden"))
    try tool.run("detect", "in/sub").failedUsage(
      saying: "in/sub: found no file *.png, expected some; 1 file left out")
  }
}

import FaceDecoding
import FaceReport
import Foundation
import Raster
import Testing

struct CutOptionsTests {
  private let tool: Tool

  init() throws {
    tool = Tool()
    try PNG.write(try Crowd.picture(), to: tool.path("crowd.png"))
  }

  private func detect(_ arguments: String...) throws -> [DetectionReport.Face] {
    let run = try tool.runAll(["detect", "--json", "--quiet"] + arguments).succeeded()
    #expect(run.errors == "")
    return try run.output.decoded(as: DetectionReport.self).faces
  }

  private func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.path(directory)).sorted()
  }

  @Test func cropsEachFace() throws {
    let faces = try detect(
      "crowd.png", "--crop", "new/faces", "--margin", "0", "--select", "biggest")
    #expect(faces.map(\.crop) == (1...3).map { "new/faces/crowd.\($0).png" })
    #expect(faces.allSatisfy { $0.aligned == nil })
    #expect(try names(in: "new/faces") == ["crowd.1.png", "crowd.2.png", "crowd.3.png"])
    let crowd = try Crowd.picture()
    for (number, face) in faces.enumerated() {
      let part = try Picture.read(path: tool.path("new/faces/crowd.\(number + 1).png"))
      // The position is rounded from the centre, so it may be a pixel off the printed corner.
      let (width, height) = (Int(face.box.width.rounded()), Int(face.box.height.rounded()))
      #expect(part.width == width && part.height == height)
      let (x, y) = (Int(face.box.x.rounded()), Int(face.box.y.rounded()))
      let candidates = try [-1, 0, 1].flatMap { dx in
        try [-1, 0, 1].map { dy in
          try crowd.cropped(x: x + dx, y: y + dy, width: width, height: height)
        }
      }
      #expect(candidates.contains(part))
    }
  }

  @Test func cropsSquaresAndPads() throws {
    _ = try detect(
      "crowd.png", "--select", "biggest", "--max-faces", "1", "--crop", "a", "--margin", "2",
      "--square", "--pad")
    let padded = try Picture.read(path: tool.path("a/crowd.1.png"))
    #expect(padded.width == padded.height)
    // Five times the longer side, about 122.
    #expect((560...660).contains(padded.width))
    #expect(padded[0, 0] == .black)
    _ = try detect(
      "crowd.png", "--select", "biggest", "--max-faces", "1", "--crop", "b", "--margin", "2",
      "--square")
    let clipped = try Picture.read(path: tool.path("b/crowd.1.png"))
    #expect(clipped.height == 400)
    #expect(clipped[0, 0] == (try Crowd.picture()[0, 0]))
  }

  /// The network gives it the landmarks of an upright face, so aligning would leave it upside down.
  @Test func alignsNoFaceThatIsUpsideDown() throws {
    let turned = try Crowd.picture().upright(from: .down)
    try PNG.write(turned, to: tool.path("turned.png"))
    let faces = try detect("turned.png", "--align", "turned", "--crop", "crops")
    #expect(!faces.isEmpty)
    for face in faces {
      #expect(face.upsideDown == true)
      #expect(face.aligned == nil)
      #expect(face.crop != nil)
    }
    #expect(try names(in: "turned").isEmpty)
  }

  @Test func alignsEachFace() throws {
    let faces = try detect("crowd.png", "--align", "aligned")
    #expect(faces.map(\.aligned) == (1...3).map { "aligned/crowd.\($0).png" })
    let pictures = try (1...3).map { try Picture.read(path: tool.path("aligned/crowd.\($0).png")) }
    #expect(pictures.allSatisfy { $0.width == 112 && $0.height == 112 })
    // One face in three sizes, aligned to the same place: similar but for errors of the landmarks.
    for other in pictures[1...] {
      let sum = zip(pictures[0].pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(sum / other.pixels.count < 20)
    }
    _ = try detect("crowd.png", "--align", "large", "--align-size", "200")
    let large = try Picture.read(path: tool.path("large/crowd.1.png"))
    #expect(large.width == 200 && large.height == 200)
  }

  /// In a picture stored on its side or mirrored, without a tag, the cropped face is upright. The
  /// same pixels are searched, so only the rounding of positions in both directions may move an
  /// edge.
  @Test func cropsTheUprightPicture() throws {
    let flags = ["--select", "biggest", "--crop", "crops", "--align", "aligned"]
    try tool.runAll(["detect", "crowd.png"] + flags).succeeded()
    let crowd = try Crowd.picture()
    for orientation in Orientation.allCases where orientation != .up {
      let inverse = [Orientation.right: .left, .left: .right][orientation] ?? orientation
      let name = "stored\(orientation.rawValue)"
      try PNG.write(crowd.upright(from: inverse), to: tool.path("\(name).png"))
      try tool.runAll(
        ["detect", "\(name).png", "--orientation", "\(orientation.rawValue)"] + flags
      ).succeeded()
      for file in ["crops", "aligned"].flatMap({ folder in (1...3).map { (folder, $0) } }) {
        let expected = try Picture.read(path: tool.path("\(file.0)/crowd.\(file.1).png"))
        let found = try Picture.read(path: tool.path("\(file.0)/\(name).\(file.1).png"))
        let isSameSize = found.width == expected.width && found.height == expected.height
        // Levels of 255, on average: a shift by a pixel would make more than 3.
        #expect(isSameSize && meanDifference(found, expected) < 0.5, "\(orientation) \(file)")
      }
    }
    #expect(try names(in: "crops").count == 3 * 8)
  }

  private func meanDifference(_ a: RGBImage, _ b: RGBImage) -> Double {
    let sum = zip(a.pixels, b.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(max(a.pixels.count, 1))
  }

  @Test func theViewDoesNotAffectCrops() throws {
    for (name, flags) in [
      ("plain", []), ("seen", ["--mirror", "--view", "300x200", "--coordinates", "vision"]),
    ] {
      try tool.runAll(
        ["detect", "crowd.png", "--crop", "\(name)/crops", "--align", "\(name)/aligned"] + flags
      ).succeeded()
    }
    for file in try names(in: "plain/crops").flatMap({ ["crops/\($0)", "aligned/\($0)"] }) {
      let plain = try tool.data("plain/\(file)")
      #expect(try tool.data("seen/\(file)") == plain)
    }
  }

  @Test func textNamesTheFiles() throws {
    let run = try tool.run(
      "detect", Tool.astronaut, "--crop", "crops/", "--align", "aligned", "--annotate", "out.png"
    ).succeeded()
    #expect(run.output.hasSuffix("  crop crops/astronaut.1.png  aligned aligned/astronaut.1.png\n"))
    // Nothing is drawn on the crops: they contain none of the annotation's green.
    let crop = try Picture.read(path: tool.path("crops/astronaut.1.png"))
    let green = Color(red: 64, green: 224, blue: 96)
    #expect(
      (0..<crop.height).allSatisfy { y in (0..<crop.width).allSatisfy { crop[$0, y] != green } })
  }

  /// The picture is given again, once below a directory; others have its name elsewhere or in another case.
  @Test(arguments: ["--crop", "--align"])
  func refusesPicturesWhoseFilesWouldCollide(flag: String) throws {
    try tool.writeBlankPictures(["more/crowd.png", "Crowd.PNG"])
    let images = ["crowd.png", "more", "crowd.png", "Crowd.PNG"]
    let run = try tool.runAll(["detect", "--json", flag, "out", "--jobs", "1"] + images).failed()
    #expect(run.output.split(separator: "\n").count == 3, "each has its files")
    #expect(try names(in: "out") == ["crowd.1.png", "crowd.2.png", "crowd.3.png"])
    let refused = run.errors.split(separator: "\n")
      .filter { $0.contains("crowd.png: found the same picture as crowd.png") }
    #expect(refused.count == 1, "\(run.errors)")
  }

  @Test(arguments: ["crowd.png", "/dev/null"])
  func namesADirectoryItCannotUse(directory: String) throws {
    let run = try tool.run("detect", "crowd.png", "--crop", directory).failed(
      saying: "\(directory): found ")
    #expect(run.output == "")
  }

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "detect", "a.png",
      table: """
        --crop a --margin 10 --square --pad
        --margin 0.1 | --margin, --square and --pad say how to crop: give --crop too.
        --square | --margin, --square and --pad say how to crop: give --crop too.
        --pad | --margin, --square and --pad say how to crop: give --crop too.
        --align a --margin 1 | --margin, --square and --pad say how to crop: give --crop too.
        --crop a --margin=-0.1 | --margin -0.1: give a number from 0 to 10.
        --crop a --margin 11 | --margin 11.0: give a number from 0 to 10.
        --align a --align-size 8192
        --align-size 50 | --align-size says how to align: give --align too.
        --crop a --align-size 50 | --align-size says how to align: give --align too.
        --align a --align-size 0 | --align-size 0: give a number from
        --align a --align-size 8193 | --align-size 8193: give a number from
        --crop a --align b
        --crop a --align a | --crop and --align give their files the same names: give two directories.
        """)
    #expect(mistakes == [])
  }
}

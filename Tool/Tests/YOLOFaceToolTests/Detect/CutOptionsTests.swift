// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceDecoding
import YOLOFaceRaster
import YOLOFaceReport

struct CutOptionsTests {
  private let tool = Tool()
  private let crowd: RGBImage

  init() throws {
    crowd = try Crowd.picture()
    try PNG.write(crowd, to: tool.path("crowd.png"))
  }

  private func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.path(directory)).sorted()
  }

  private func picture(_ name: String) throws -> RGBImage {
    try Picture.read(path: tool.path(name))
  }

  @Test func cropsEachFace() throws {
    let faces = try tool.detected("crowd.png --crop new/faces --margin 0 --select biggest").faces
    #expect(faces.map(\.crop) == (1...3).map { "new/faces/crowd.\($0).png" })
    #expect(faces.allSatisfy { $0.aligned == nil })
    #expect(try names(in: "new/faces") == ["crowd.1.png", "crowd.2.png", "crowd.3.png"])
    for face in faces {
      let part = try picture(try #require(face.crop))
      // The position is rounded from the centre, so it may be a pixel off the printed corner.
      let (width, height) = (Int(face.box.width.rounded()), Int(face.box.height.rounded()))
      let (x, y) = (Int(face.box.x.rounded()), Int(face.box.y.rounded()))
      let candidates = try (0..<9).map {
        try crowd.cropped(x: x - 1 + $0 % 3, y: y - 1 + $0 / 3, width: width, height: height)
      }
      #expect(candidates.contains(part))
    }
  }

  @Test func cropsSquaresAndPads() throws {
    let options = "--select biggest --max-faces 1 --margin 2 --square"
    try tool.expectRuns(
      "detect crowd.png \(options) --crop a --pad\ndetect crowd.png \(options) --crop b")
    let padded = try picture("a/crowd.1.png")
    // Five times the longer side, about 122.
    #expect(padded.width == padded.height && (560...660).contains(padded.width))
    #expect(padded[0, 0] == .black)
    let clipped = try picture("b/crowd.1.png")
    #expect(clipped.height == 400 && clipped[0, 0] == crowd[0, 0])
  }

  /// The network gives it the landmarks of an upright face, so aligning would leave it upside down.
  @Test func alignsNoFaceThatIsUpsideDown() throws {
    try PNG.write(crowd.upright(from: .down), to: tool.path("turned.png"))
    let faces = try tool.detected("turned.png --align turned --crop crops").faces
    #expect(!faces.isEmpty)
    #expect(faces.allSatisfy { $0.upsideDown == true && $0.aligned == nil && $0.crop != nil })
    #expect(try names(in: "turned").isEmpty)
  }

  @Test func alignsEachFace() throws {
    let faces = try tool.detected("crowd.png --align aligned").faces
    #expect(faces.map(\.aligned) == (1...3).map { "aligned/crowd.\($0).png" })
    let pictures = try (1...3).map { try picture("aligned/crowd.\($0).png") }
    #expect(pictures.allSatisfy { $0.width == 112 && $0.height == 112 })
    // One face in three sizes, aligned to the same place: similar but for errors of the landmarks.
    for other in pictures[1...] { #expect(meanDifference(pictures[0], other) < 20) }
    try tool.expectRuns("detect crowd.png --align large --align-size 200")
    let large = try picture("large/crowd.1.png")
    #expect(large.width == 200 && large.height == 200)
  }

  private func meanDifference(_ a: RGBImage, _ b: RGBImage) -> Double {
    let sum = zip(a.pixels, b.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(max(a.pixels.count, 1))
  }

  /// In a picture stored on its side or mirrored, without a tag, the cropped face is upright. The
  /// same pixels are searched, so only the rounding of positions in both directions may move an
  /// edge.
  @Test func cropsTheUprightPicture() throws {
    let options = "--select biggest --crop crops --align aligned"
    try tool.expectRuns("detect crowd.png \(options)")
    for orientation in Orientation.allCases where orientation != .up {
      let inverse = [Orientation.right: .left, .left: .right][orientation] ?? orientation
      let name = "stored\(orientation.rawValue)"
      try PNG.write(crowd.upright(from: inverse), to: tool.path("\(name).png"))
      try tool.expectRuns(
        "detect \(name).png --orientation \(orientation.rawValue) \(options)")
      for file in (1...3).flatMap({ ["crops/NAME.\($0).png", "aligned/NAME.\($0).png"] }) {
        let expected = try picture(file.replacing("NAME", with: "crowd"))
        let found = try picture(file.replacing("NAME", with: name))
        let isSameSize = found.width == expected.width && found.height == expected.height
        // Levels of 255, on average: a shift by a pixel would make more than 3.
        #expect(isSameSize && meanDifference(found, expected) < 0.5, "\(orientation) \(file)")
      }
    }
    #expect(try names(in: "crops").count == 3 * 8)
  }

  @Test func theViewDoesNotAffectCrops() throws {
    try tool.expectRuns(
      """
      detect crowd.png --crop plain/crops --align plain/aligned
      detect crowd.png --crop seen/crops --align seen/aligned --mirror --view 300x200 --coordinates vision
      """)
    for file in try names(in: "plain/crops").flatMap({ ["crops/\($0)", "aligned/\($0)"] }) {
      #expect(try tool.data("seen/\(file)") == tool.data("plain/\(file)"))
    }
  }

  @Test func textNamesTheFiles() throws {
    let run = try tool.run(
      line: "detect PHOTO --crop crops/ --align aligned --annotate out.png"
    ).succeeded()
    #expect(run.output.hasSuffix("  crop crops/astronaut.1.png  aligned aligned/astronaut.1.png\n"))
    // Nothing is drawn on the crops: they contain none of the annotation's green.
    let crop = try picture("crops/astronaut.1.png")
    let green = RGBColor(red: 64, green: 224, blue: 96)
    #expect(
      (0..<crop.width * crop.height).allSatisfy { crop[$0 % crop.width, $0 / crop.width] != green })
  }

  /// The picture is given again, once below a directory; others have its name elsewhere or in another case.
  @Test(arguments: ["--crop", "--align"])
  func refusesPicturesWhoseFilesWouldCollide(flag: String) throws {
    try tool.writeBlankPictures(["more/crowd.png", "Crowd.PNG"])
    let run = try tool.run(
      line: "detect --json \(flag) out --jobs 1 crowd.png more crowd.png Crowd.PNG"
    ).failed()
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
    tool.expectUsage(
      of: "detect a.png",
      table: """
        --crop a --margin 10 --square --pad
        --square / --pad / --margin 0.1 / --align a --margin 1 | say how to crop: give --crop too.
        --crop a --margin=-0.1 / 11 | give a number from 0 to 10.
        --align a --align-size 8192
        --align-size 50 / 50 --crop a | --align-size says how to align: give --align too.
        --align a --align-size 0 / 8193 | give a number from
        --crop a --align a | --crop and --align give their files the same names: give two directories.
        """)
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@testable import YOLOFace

struct HidingSearchTests {
  /// The face covers some 24 × 31 pixels of an input of 128, and 60 × 77 of one of 320. Searches in tiles have one
  /// threshold.
  @Test(
    arguments: [
      (128, 0.999, 0.4, 1), (320, 0.999, 0.4, 0), (128, 0.4, 0.999, 0), (320, 0.4, 0.999, 1),
      (128, 0.4, nil, 1),
    ] as [(Int, Float, Float?, Int)])
  func theThresholdDependsOnTheSizeInTheInput(
    longSide: Int, least: Float, leastOfSmall: Float?, count: Int
  ) throws {
    var options = DetectionOptions {
      $0.letterbox = .longSide(longSide)
      ($0.scoreThreshold, $0.smallFaceScoreThreshold) = (least, leastOfSmall)
    }
    for closeLooks in [SearchEffort.once.closeLooks, .refined] {
      options.effort.closeLooks = closeLooks
      #expect(try detector.detect(in: photo, options: options).count == count)
    }
    options.effort = SearchEffort(tiles: 2)
    #expect(try detector.detect(in: photo, options: options).isEmpty == (least > 0.9))
  }

  /// A box of 31 × 33 has fewer pixels than 32 × 32, one of 32 × 32 has not.
  @Test func smallIsAnArea() {
    var options = DetectionOptions { $0.smallFaceScoreThreshold = 0.2 }
    func admits(_ width: Double, _ height: Double) -> Bool {
      options.admits(Face(score: 0.3, box: Box(x: 5, y: 5, width: width, height: height)))
    }
    #expect(admits(31, 33) && admits(10, 100))
    #expect(!admits(32, 32) && !admits(20, 60))
    options.smallFaceScoreThreshold = 0.4
    #expect(!admits(31, 33))
  }

  /// Heads of 17 × 21 pixels of the input, blurred until they score little, count beside one that is sure: not where it
  /// is far away, nor where there is none.
  @Test func smallFacesCountInCompany() throws {
    let head = try photo.cropped(x: 150, y: 30, width: 150, height: 170)
      .resized(width: 33, height: 38, filter: .area)
    let blurred = try head.resized(width: 8, height: 9, filter: .area)
      .resized(width: 33, height: 38)
    var options = DetectionOptions { ($0.effort.looksSmall, $0.scoreThreshold) = (true, 0) }
    func found(sure: Int?, at places: [Int]) throws -> [Face] {
      var scene = RGBImage(width: 640, height: 480, fill: .white)
      if let sure { scene.draw(head, atX: sure, y: 200) }
      for x in places { scene.draw(blurred, atX: x, y: 200) }
      return try detector.detect(in: scene, options: options)
    }
    let score = try #require(try found(sure: nil, at: [300]).first).score
    try #require(score < 0.5)
    try #require(try found(sure: 300, at: []).contains { $0.score > 0.5 })
    options.scoreThreshold = 0.5
    options.smallFaceScoreThreshold = 1
    for (sure, places, threshold, count) in [
      (nil, [300], score * 0.5, 0), (nil, [260, 340], score * 0.5, 0),
      (260, [340], score * 0.5, 1), (20, [600], score * 0.5, 0), (260, [340], 1, 0),
    ] as [(Int?, [Int], Float, Int)] {
      options.crowdScoreThreshold = threshold
      #expect(try found(sure: sure, at: places).count == count)
    }
  }

  @Test func hidingLooksMoreClosely() throws {
    let options = detector.optionsForHiding()
    let usual = DetectionOptions()
    #expect(options.letterbox == .longSide(800))
    for (side, expected) in [(320, 800), (1000, 1024), (1920, 1920), (3840, 3200), (50_000, 3200)] {
      let size = Size2D(width: 90, height: Double(side))
      #expect(detector.optionsForHiding(in: size).letterbox == .longSide(expected))
    }
    #expect(options.scoreThreshold < usual.scoreThreshold)
    let frame = detector.optionsForHiding(isFrame: true)
    #expect(frame.scoreThreshold < options.scoreThreshold)
    #expect(try #require(options.smallFaceScoreThreshold) < options.scoreThreshold)
    var turned = detector.optionsForHiding(effort: SearchEffort(rotations: 4))
    #expect(turned.effort == SearchEffort(rotations: 4, looksSmall: true))
    turned.effort.rotations = 1
    #expect(turned == options)
    let thorough = detector.optionsForHiding(effort: .thorough)
    #expect(thorough.effort == .thorough && thorough.letterbox == nil)
    #expect(thorough.smallFaceScoreThreshold == nil)
    #expect(thorough.scoreThreshold < usual.scoreThreshold)
  }

  /// A network that takes one size keeps it.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func hidingTakesTheOnlySizeOfANetwork() throws {
    let stem = SharedData.path("models/more/ultraface_rfb_320")
    let fixed = try FaceDetector(param: stem + ".param", bin: stem + ".bin")
    #expect(fixed.recipe.letterbox.fixedSize != nil)
    #expect(fixed.optionsForHiding().letterbox == nil)
    #expect(!(try fixed.detect(in: photo, options: fixed.optionsForHiding()).isEmpty))
  }
}

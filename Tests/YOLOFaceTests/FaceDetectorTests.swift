// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@_spi(Tool) import YOLOFace
import YOLOFaceInference
import YOLOFaceKernels
import YOLOFaceNCNN

/// The embedded model on Examples/astronaut.png, a public-domain photo of one face.
struct FaceDetectorTests {
  private func faces(_ change: (inout DetectionOptions) -> Void = { _ in }) throws -> [Face] {
    try detector.detect(in: photo, options: DetectionOptions(change))
  }

  @Test func findsTheFace() throws {
    let faces = try faces()
    let face = try #require(faces.first)
    #expect(faces.count == 1)
    // The face as upstream ncnn finds it with the original weights.
    let golden = Box(corner: Point2D(x: 176, y: 53), opposite: Point2D(x: 275, y: 180))
    #expect(face.box.intersectionOverUnion(with: golden) > 0.7)
    let landmarks = try #require(face.landmarks)
    #expect(landmarks.rightEye.x < landmarks.nose.x && landmarks.nose.x < landmarks.leftEye.x)
    #expect(landmarks.rightEye.y < landmarks.nose.y && landmarks.nose.y < landmarks.rightMouth.y)
    #expect(landmarks.points.allSatisfy { face.box.minX < $0.x && $0.x < face.box.maxX })
  }

  /// Scores and positions agree as printed, and to the bit where multiply-add is fused.
  @Test func findsTheSameInEveryInstructionSet() throws {
    let options = DetectionOptions { $0.scoreThreshold = 0.05 }
    let fused = KernelTable.available.filter(\.fusesMultiplyAdd)
    let found = try KernelTable.available.map { kernels in
      try FaceDetector(instructionSet: kernels.name).detect(in: photo, options: options)
    }
    for faces in found { #expect(faces.count == found[0].count) }
    for (face, other) in zip(found[0], found[found.count - 1]) {
      #expect(abs(face.score - other.score) < 1e-5)
      #expect(abs(face.box.x - other.box.x) < 1e-2 && abs(face.box.maxY - other.box.maxY) < 1e-2)
    }
    for faces in found.prefix(fused.count) { #expect(faces == found[0]) }
  }

  @Test func int8FindsTheFaceTheSameInEveryInstructionSet() throws {
    let found = try KernelTable.available.map { kernels in
      let detector = try FaceDetector(precision: .int8, instructionSet: kernels.name)
      #expect(detector.precision == .int8)
      return try detector.detect(in: photo)
    }
    let (face, fp32) = (try #require(found[0].first), try #require(try faces().first))
    #expect(face.box.intersectionOverUnion(with: fp32.box) > 0.9)
    #expect(abs(face.score - fp32.score) < 0.05)
    for faces in found {
      let other = try #require(faces.first)
      #expect(faces.count == 1)
      #expect(other.box.intersectionOverUnion(with: face.box) > 0.99)
      #expect(abs(other.score - face.score) < 0.005)
    }
  }

  @Test func theEmbeddedFormsAreTheFiles() throws {
    for precision in FaceDetector.Precision.allCases {
      let files = projectPath("Models/\(precision.defaultModelName)")
      let fromFiles = try FaceDetector(param: "\(files).param", bin: "\(files).bin")
      #expect(fromFiles.precision == precision)
      let embedded = try FaceDetector(precision: precision)
      #expect(try fromFiles.detect(in: photo) == embedded.detect(in: photo))
    }
  }

  @Test func followsTheOptions() throws {
    #expect(try faces { $0.scoreThreshold = 0.99 }.isEmpty)
    #expect(try faces { $0.maximumFaces = 0 }.isEmpty)
    let all = try faces { $0.scoreThreshold = 0.05 }
    #expect(all.map(\.score) == all.map(\.score).sorted(by: >))
    let best = try #require(try faces { $0.letterbox = .square(320) }.first)
    #expect(best.box.intersectionOverUnion(with: try #require(faces().first).box) > 0.7)
  }

  /// What is looked at again is the whole box, though its visible part is returned.
  @Test func clippingChangesBoxesAlone() throws {
    let head = try photo.cropped(x: 215, y: 0, width: 250, height: 250)
    var options = DetectionOptions { ($0.effort, $0.scoreThreshold) = (.refined, 0.2) }
    let whole = try detector.detect(in: head, options: options)
    options.clipsToImage = true
    let clipped = try detector.detect(in: head, options: options)
    try #require(whole.contains { $0.box.minX < 0 })
    #expect(clipped.map(\.landmarks) == whole.map(\.landmarks))
    #expect(clipped.map(\.score) == whole.map(\.score))
    #expect(clipped.map(\.box) == whole.map { $0.box.clipped(to: head.size) })
  }

  /// Of a picture stored on its side, 100 × 300 pixels upright.
  @Test func scalesTheUprightPicture() throws {
    let stored = RGBImage(width: 300, height: 100, fill: .black)
    var options = DetectionOptions { $0.letterbox = .exact(width: 64, height: 96) }
    #expect(try abs(detector.scale(ofStored: stored, options: options) - 64.0 / 300) < 1e-12)
    options.orientation = .right
    #expect(try abs(detector.scale(ofStored: stored, options: options) - 96.0 / 300) < 1e-12)
  }

  /// The detector agrees, for each filter, with a picture resized by hand.
  @Test func resizesWithTheChosenFilter() throws {
    let letterbox = try Letterbox(
      imageWidth: photo.width, imageHeight: photo.height, mode: .longSide(160))
    func found(_ filter: ResizeFilter) throws -> [Face] {
      let faces = try faces {
        $0.letterbox = .longSide(160)
        $0.resizeFilter = filter
      }
      let candidates = try detector.candidates(in: photo.letterboxed(letterbox, filter: filter))
      let best = try #require(candidates.max { $0.score < $1.score })
      #expect(faces.first == letterbox.unmap(best))
      return faces
    }
    #expect(try found(.bilinear) != found(.area))
  }

  /// From one detector, or from several side by side.
  @Test(arguments: [false, true])
  func givesTheSameFromSeveralTasks(haveTheirOwn: Bool) async throws {
    let options = DetectionOptions { $0.letterbox = .longSide(320) }
    let alone = try await detector.detect(in: photo, options: options)
    try await withThrowingTaskGroup(of: [Face].self) { group in
      for number in 0..<8 {
        group.addTask {
          let detector = haveTheirOwn ? try FaceDetector(threads: 1 + number % 3) : detector
          let other = RGBImage(width: 64 + number, height: 32)
          _ = try await detector.detect(in: other, options: options)
          return try await detector.detect(in: photo, options: options)
        }
      }
      for try await faces in group { #expect(faces == alone) }
    }
  }

  @Test func refusesOtherNetworks() throws {
    let param = fixture("no-face-model.param")
    #expect(throws: FaceDetectorError.unknownFamily(model: param, found: [], nearest: nil)) {
      try FaceDetector(param: param, bin: fixture("empty.bin"))
    }
  }

  @Test func refusesImpossibleInputSizes() throws {
    for size in [0, -32, 100, 1 << 40] {
      #expect(throws: DetectionError.self) { try faces { $0.letterbox = .longSide(size) } }
    }
  }
}

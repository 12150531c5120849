import Foundation
import TestSupport
import Testing
import YOLOFace

struct FileDetectionTests {
  private let path = SharedData.astronaut

  @Test func everyFormFindsTheSame() async throws {
    let detector = try FaceDetector()
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let image = try Picture.decode(bytes)
    let faces = try await detector.detect(in: image)
    try #require(faces.count == 1)
    #expect(try await detector.detect(at: path) == faces)
    #expect(try await detector.detect(at: URL(filePath: path)) == faces)
    #expect(try await detector.detect(in: bytes) == faces)
    let waiting = try {
      try [
        detector.detect(at: path), detector.detect(at: URL(filePath: path)),
        detector.detect(in: bytes),
      ]
    }()
    #expect(waiting == [faces, faces, faces])
  }

  @Test func errorsNameTheFile() async throws {
    let detector = try FaceDetector()
    await #expect(throws: FileError.self) { try await detector.detect(at: "missing.png") }
    let error = await #expect(throws: PictureError.self) {
      try await detector.detect(at: SharedData.projectRoot.appending(path: "README.md"))
    }
    #expect(error?.source.hasSuffix("README.md") == true)
    var limits = Picture.Limits()
    limits.maximumPixels = 1000
    do {
      _ = try await detector.detect(at: path, limits: limits)
      Issue.record("the picture has 512 × 512 pixels")
    } catch let error as PictureError {
      #expect(error.reason == .tooLarge(.pixels(width: 512, height: 512, limit: 1000)))
    }
  }

  @Test func aCancelledTaskDoesNotBegin() async throws {
    let detector = try FaceDetector()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await detector.detect(at: "missing.png")
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

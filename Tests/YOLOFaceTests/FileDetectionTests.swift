// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceNCNN

@_spi(Tool) @testable import YOLOFace

struct FileDetectionTests {
  private let path = SharedData.astronaut

  @Test func everyFormFindsTheSame() async throws {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let faces = try await detector.detect(in: Picture.decode(bytes))
    try #require(faces.count == 1)
    #expect(try await detector.detect(at: path) == faces)
    #expect(try await detector.detect(at: URL(filePath: path)) == faces)
    #expect(try await detector.detect(in: bytes) == faces)
    func waiting() throws -> [[Face]] {
      try [
        detector.detect(at: path), detector.detect(at: URL(filePath: path)),
        detector.detect(in: bytes),
      ]
    }
    #expect(try waiting() == [faces, faces, faces])
  }

  @Test func errorsNameTheFile() async throws {
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
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await detector.detect(at: "missing.png")
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// Its path would be another file's on this machine, or none.
  @Test(arguments: ["https://x/y.png", "y.png", "data:,y.png", "file://x/y.png"])
  func refusesAURLThatIsNoFiles(text: String) async throws {
    let url = try #require(URL(string: text))
    let errors = [
      await #expect(throws: FileError.self) { try await detector.detect(at: url) },
      #expect(throws: FileError.self) { try { try detector.detect(at: url) }() },
    ]
    for error in errors {
      #expect(error?.path == text)
      #expect(error?.expected.contains("download it first") == true)
    }
  }

  @Test func readsAPictureWhenItsTurnHasCome() async throws {
    let detector = try FaceDetector()
    final class Flag: Sendable { let isSet = Atomic(false) }
    let over = Flag()
    let task = detector.turns.take {
      detector.turns.take {
        let task = Task {
          defer { over.isSet.store(true, ordering: .relaxed) }
          return try await detector.detect(at: "missing.png")
        }
        usleep(20_000)
        let isEarly = over.isSet.load(ordering: .relaxed)
        #expect(!isEarly, "both turns are taken")
        return task
      }
    }
    await #expect(throws: FileError.self) { try await task.value }
  }

  /// Steps are noted while the engine runs, on the thread of the run.
  @Test func refusesASearchWithinARun() throws {
    let detector = try FaceDetector()
    var errors: [any Error] = []
    _ = try detector.facesAtOnce(in: Picture.read(path: path), options: DetectionOptions()) {
      stage in
      guard case .ran = stage, errors.isEmpty else { return }
      #expect(throws: DetectionError.self) {
        do { _ = try detector.detect(at: path) } catch {
          errors.append(error)
          throw error
        }
      }
    }
    guard case .network(let error) = errors.first as? DetectionError else {
      return #expect(Bool(false), "found \(errors)")
    }
    #expect(error.reason == .nested)
  }
}

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
    let missing = await #expect(throws: FileDetectionError.self) {
      try await detector.detect(at: "missing.png")
    }
    guard case .file(let error) = missing else { return #expect(Bool(false)) }
    #expect(error.path == "missing.png" && missing?.description == error.description)
    let text = await #expect(throws: FileDetectionError.self) {
      try await detector.detect(at: SharedData.projectRoot.appending(path: "README.md"))
    }
    guard case .picture(let error) = text else { return #expect(Bool(false)) }
    #expect(error.source.hasSuffix("README.md"))
    var limits = Picture.Limits()
    limits.maximumPixels = 1000
    await #expect(
      throws: FileDetectionError.picture(
        PictureError(
          source: path, reason: .tooLarge(.pixels(width: 512, height: 512, limit: 1000))))
    ) { try await detector.detect(at: path, limits: limits) }
    var options = DetectionOptions()
    options.letterbox = .longSide(-1)
    await #expect {
      try await detector.detect(at: path, options: options)
    } throws: { error in
      if case .search(.value) = error as? FileDetectionError { true } else { false }
    }
  }

  /// A caller need not catch what cannot be thrown: this compiles.
  @Test func throwsOneType() {
    do throws(FileDetectionError) {
      _ = try detector.detect(at: path)
      _ = try detector.detect(at: URL(filePath: path))
      _ = try detector.detect(in: [])
      Issue.record("no bytes are no picture")
    } catch {
      guard case .picture = error else { return #expect(Bool(false), "\(error)") }
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
      await #expect(throws: FileDetectionError.self) { try await detector.detect(at: url) },
      #expect(throws: FileDetectionError.self) { try { try detector.detect(at: url) }() },
    ]
    for error in errors {
      guard case .file(let error) = error else { return #expect(Bool(false)) }
      #expect(error.path == text)
      #expect(error.expected.contains("download it first"))
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
    await #expect(throws: FileDetectionError.self) { try await task.value }
  }

  /// Steps are noted while the engine runs, on the thread of the run.
  @Test func refusesASearchWithinARun() throws {
    let detector = try FaceDetector()
    var errors: [any Error] = []
    _ = try detector.facesAtOnce(in: Picture.read(path: path), options: DetectionOptions()) {
      stage in
      guard case .ran = stage, errors.isEmpty else { return }
      #expect(throws: FileDetectionError.self) {
        do { _ = try detector.detect(at: path) } catch {
          errors.append(error)
          throw error
        }
      }
    }
    guard case .search(.network(let error)) = errors.first as? FileDetectionError else {
      return #expect(Bool(false), "found \(errors)")
    }
    #expect(error.reason == .nested)
  }
}

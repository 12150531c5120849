import TestSupport
import Testing
import YOLOFace

/// Errors as code that imports only YOLOFace catches them.
struct ReexportsTests {
  @Test func areDistinct() throws {
    let astronaut = SharedData.astronaut
    do {
      _ = try FaceDetector(param: astronaut, bin: astronaut)
      Issue.record("a picture is no model")
    } catch let error as ModelError {
      #expect(error.reason == .wrongFile)
    }
    do {
      _ = try FaceDetector(param: "missing.param", bin: "missing.bin")
      Issue.record("the files are missing")
    } catch let error as FileError {
      #expect(error.path == "missing.param")
    }
    let input = RGBImage(width: 100, height: 32, fill: .black)
    let detector = try FaceDetector()
    do throws(DetectionError) {
      _ = try detector.candidates(in: input)
      Issue.record("100 is no multiple of 32")
    } catch {
      guard case .network(let error) = error else { throw error }
      #expect(error.reason == .shape)
    }
  }
}

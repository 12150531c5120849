// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace

/// Errors as code that imports only YOLOFace catches them.
struct ReexportsTests {
  @Test func areDistinct() throws {
    let picture = SharedData.astronaut
    let wrong = #expect(throws: ModelError.self) { try FaceDetector(param: picture, bin: picture) }
    #expect(wrong?.reason == .wrongFile)
    let missing = #expect(throws: FileError.self) {
      try FaceDetector(param: "missing.param", bin: "missing.bin")
    }
    #expect(missing?.path == "missing.param")
    let misfit = #expect(throws: DetectionError.self) {
      try detector.candidates(in: RGBImage(width: 100, height: 32))
    }
    guard case .network(let error)? = misfit else { return #expect(Bool(false), "\(misfit)") }
    #expect(error.reason == .shape, "100 is no multiple of 32")
  }
}

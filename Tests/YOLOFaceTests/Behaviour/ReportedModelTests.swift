// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace

/// Forms of the default model's files that upstream ncnn runs, as people have them.
@Suite(.enabled(if: hasReportedModels, "needs the models in ../shared/reports"))
struct ReportedModelTests {
  /// Two layers of one name, blobs of four axes, and kinds behind the maps that need not be run: the faces
  /// are the same.
  @Test(arguments: ["dup_split_name", "pnnx_4d_head", "squeeze_tail", "unknown_tail"])
  func findsTheFaces(name: String) throws {
    let detector = try FaceDetector(
      param: SharedData.path("reports/models/\(name).param"), bin: "\(modelPath).bin")
    #expect(detector.engine.network.warnings.isEmpty)
    let faces = try detector.detect(in: photo)
    let expected = try YOLOFaceTests.detector.detect(in: photo)
    try #require(faces.count == 1 && expected.count == 1)
    #expect(abs(faces[0].score - expected[0].score) < 1e-4)
    #expect(faces[0].box.intersectionOverUnion(with: expected[0].box) > 0.999)
  }

  @Test func warnsOfBytesBehindTheWeights() throws {
    try withTemporaryFolder { folder in
      let bin = folder.appending(path: "longer.bin")
      let bytes = try Data(contentsOf: URL(filePath: "\(modelPath).bin")) + Data(count: 4800)
      try bytes.write(to: bin)
      let detector = try FaceDetector(
        param: SharedData.path("reports/models/trailing_memorydata.param"), bin: bin.path)
      #expect(
        detector.engine.network.warnings == [
          "\(bin.path), byte \(bytes.count - 4800): 4800 bytes after the last weights are not read"
        ])
      #expect(try detector.detect(in: photo).count == 1)
    }
  }
}

private let hasReportedModels = !SharedData.names(in: "reports/models").isEmpty

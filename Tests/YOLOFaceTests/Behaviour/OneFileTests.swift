// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
@_spi(Tool) import YOLOFaceNCNN

/// `Examples/OneFile` against the engine, which shares no line with it.
private enum OneFile {
  static let compiler = Programs.path(ofAny: "swiftc")
  static let source = projectPath("Examples/OneFile/yoloface.swift")

  /// The command that the head of the file names, in words.
  static var command: [String] {
    get throws {
      let lines = try String(contentsOfFile: source, encoding: .utf8).split(separator: "\n")
      let line = try #require(lines.first { $0.hasPrefix("//     swiftc ") })
      return line.split(separator: " ").dropFirst(2).map(String.init)
    }
  }
}

@Suite(.enabled(if: OneFile.compiler != nil, "needs swiftc on the path"))
struct OneFileTests {
  @Test func agreesWithTheInterpreterAndTheDetector() throws {
    try withTemporaryFolder { folder in
      let program = folder.appending(path: "onefile")
      let compiler = URL(filePath: try #require(OneFile.compiler))
      let compilation = try Programs.run(
        compiler, try OneFile.command.dropLast() + [program.path, "-swift-version", "6"])
      try #require(compilation.status == 0 && compilation.output.isEmpty, "\(compilation.output)")
      let run = try Programs.run(
        program, ["Models/yoloface-n-0.5", SharedData.astronaut, "320", folder.path])
      #expect(run.status == 0)

      let network = try Network.embedded()
      let input = try NPY.read(path: folder.appending(path: "data.npy").path)
      let names = network.layers.flatMap(\.outputs)
      let blobs = try Interpreter(network).run(["data": input], extracting: names)
      #expect(names.count == 251)
      for name in names {
        let blob = try NPY.read(path: folder.appending(path: "\(name).npy").path)
        #expect(blob.shape == blobs[name]?.shape)
        let difference = largestDifference(of: blob.values, from: blobs[name]?.values ?? [])
        #expect(difference < 1e-4, "\(name) differs by \(difference)")
      }

      let face = try #require(
        try detector.detect(in: photo, options: .init { $0.letterbox = .longSide(320) }).first)
      let numbers = run.output.matches(of: /-?\d+\.\d+/).compactMap { Double($0.output) }
      let expected =
        [Double(face.score), face.box.x, face.box.y, face.box.width, face.box.height]
        + (face.landmarks?.points ?? []).flatMap { [$0.x, $0.y] }
      #expect(numbers.count == expected.count && expected.count == 15)
      // The engine's letterbox rounds to whole levels twice, and the line to tenths.
      for (number, expected) in zip(numbers, expected) {
        #expect(abs(number - expected) < (expected < 1 ? 0.001 : 0.1), "\(number), not \(expected)")
      }
    }
  }
}

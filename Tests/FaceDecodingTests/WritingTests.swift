// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceDecoding

struct WritingTests {
  /// What `yoloface detect --json` printed of the picture in `Examples`.
  private let written = """
    {"box":{"height":123.375,"width":94.198,"x":178.333,"y":54.383},"landmarks":{"leftEye":[247.346,102.907],\
    "leftMouth":[245.883,141.519],"nose":[224.219,128.308],"rightEye":[203.651,100.514],\
    "rightMouth":[201.444,139.509]},"pose":{"pitch":-14.7,"roll":2.87,"yaw":0.11},"score":0.91818}
    """

  private func json(_ face: Face) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(face), as: UTF8.self)
  }

  private func read(_ json: String) throws -> Face {
    try JSONDecoder().decode(Face.self, from: Data(json.utf8))
  }

  @Test func readsAndWritesTheJSONOfTheTool() throws {
    let face = try read(written)
    #expect(face.box == Box(x: 178.333, y: 54.383, width: 94.198, height: 123.375))
    #expect(face.landmarks?.leftMouth == Point2D(x: 245.883, y: 141.519))
    #expect(face.score == 0.91818 && !face.isMarkedUpsideDown)
    let withoutPose = written.replacing(/"pose":{[^}]*},/, with: "")
    #expect(try json(face) == withoutPose)
  }

  @Test func losesNothing() throws {
    var face = Face(score: 0.1 + 0.2, box: Box(x: 1.0 / 3, y: 0, width: 2, height: 1e-9))
    #expect(try !json(face).contains("upsideDown") && !json(face).contains("landmarks"))
    #expect(try read(json(face)) == face)
    face.isMarkedUpsideDown = true
    #expect(try read(json(face)) == face)
  }

  @Test func describesInALine() throws {
    var face = try read(written)
    #expect("\(face)" == "score 0.918 box 178.333,54.383 94.198 × 123.375")
    face.isMarkedUpsideDown = true
    #expect("\(face)" == "score 0.918 box 178.333,54.383 94.198 × 123.375 upside down")
    #expect(
      face.landmarks?.description.hasPrefix("rightEye 203.651,100.514 leftEye 247.346,102.907 ")
        == true)
  }
}

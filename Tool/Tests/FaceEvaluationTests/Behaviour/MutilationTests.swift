// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceEvaluation

/// Valid files with bytes changed, removed and cut off are read or refused, and never trap.
struct MutilationTests {
  private func mutilated(_ text: String, _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[place] = Array("<>/0-.eE\" \n{}[],".utf8).randomElement(using: &generator)!
      case 2: bytes.remove(at: place)
      default: bytes.removeLast(min(place, bytes.count - 1))
      }
      if bytes.isEmpty { bytes = [0] }
    }
    return bytes
  }

  @Test func neverTraps() {
    let wider =
      "a/b.jpg\n2\n1 2 3 4 0 0 0 1 0 0\n5 6 7 8 0 0 0 0 0 0\nc.jpg\n0\n0 0 0 0 0 0 0 0 0 0\n"
    let voc =
      "<annotation><size><width>9</width><height>8</height></size><object><difficult>1</difficult>"
      + "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object>"
      + "</annotation>"
    let coco =
      #"{"images":[{"id":7,"file_name":"a.jpg","width":64,"height":48}],"#
      + #""annotations":[{"image_id":7,"bbox":[1,2,3.5,4],"iscrowd":1}]}"#
    let labels = #"{"b.webp":{"width":64,"height":48,"faces":[[1,2,3,11,22.5]]}}"#
    let readers: [(String, ([UInt8]) throws -> Void)] = [
      (wider, { _ = try WIDERGroundTruth.read($0, source: "") }),
      (
        "# a/b.jpg\n1 2 3 4\n# c.jpg\n\(Array(repeating: "5", count: 20).joined(separator: " "))\n",
        { _ = try RetinaFaceGroundTruth.read($0, source: "") }
      ),
      ("a.jpg\n1 2\nb.jpg\n\n", { _ = try WIDERSubset($0, name: "", source: "") }),
      ("0 0.5 0.5 0.25 0.5\n", { _ = try YOLOGroundTruth.read($0, source: "", name: "") }),
      (voc, { _ = try VOCGroundTruth.read($0, source: "", name: "") }),
      (coco, { _ = try JSONGroundTruth.read($0, source: "") }),
      (labels, { _ = try JSONGroundTruth.read($0, source: "") }),
      (
        "filename,xmin,ymin,xmax,ymax\n\"a \"\"b\"\".png\",1,2,3,4\n",
        { _ = try CSVGroundTruth.read($0, source: "") }
      ),
      (
        #"[{"image":"a.png","faces":[{"score":1,"box":{"x":1,"y":2,"width":3,"height":4}}]}]"#,
        { _ = try JSONGroundTruth.read($0, source: "") }
      ),
    ]
    var generator = SeededGenerator(seed: 5)
    for (text, read) in readers {
      #expect(throws: Never.self) { try read(Array(text.utf8)) }
      var refused = 0
      for _ in 0..<2000 {
        do { try read(mutilated(text, &generator)) } catch {
          #expect(error is GroundTruthError, "\(error)")
          refused += 1
        }
      }
      #expect(refused > 200, "most harm is noticed")
    }
  }
}

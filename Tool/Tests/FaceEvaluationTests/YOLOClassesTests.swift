// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceEvaluation

struct YOLOClassesTests {
  /// As labelling tools, darknet and PyYAML write them.
  @Test(arguments: [
    ("classes.txt", "face\r\nother: one\r\n", [0: "face", 1: "other: one"]),
    ("obj.names", "face\nperson", [0: "face", 1: "person"]),
    ("data.yaml", "nc: 2\nnames: ['face', \"no face\"]\nval: images", [0: "face", 1: "no face"]),
    ("data.yaml", "names:\n- face\n- 'a: b'\ntrain: x\n- y", [0: "face", 1: "a: b"]),
    ("data.yaml", "names:\n  0: face\n  12: person\nnc: 2", [0: "face", 12: "person"]),
    ("data.yaml", "names: {1: face,\n  0: a}\n", [1: "face", 0: "a"]),
    ("data.yaml", "names: [a,\n  b\n]", [0: "a", 1: "b"]),
    ("data.yaml", "names:", [:]), ("data.yaml", "names: [", [:]), ("data.yaml", "nc: 1", [:]),
    ("data.yaml", "", [:]),
  ])
  func readsNames(file: String, text: String, names: [Int: String]) throws {
    #expect(try YOLOClasses.read(Array(text.utf8), source: file) == names)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceTool

struct FrameOrderTests {
  @Test(arguments: [
    // As a directory and a shell list them.
    (["f0.png", "f1.png", "f10.png", "f11.png", "f2.png"], [0, 1, 4, 2, 3]),
    (["1/2.png", "10/1.png", "2/10.png", "2/9.png"], [0, 3, 2, 1]),
    (["a-1.png", "a-10.png", "a-2.png", "a.png", "b.png"], [0, 2, 1, 3, 4]),
    (["f01.png", "f010.png", "f1.png", "f9.png"], [0, 2, 3, 1]),
    // Two directories in a person's order, and pictures in one.
    (["b/1.png", "b/10.png", "b/2.png", "a/1.png", "a/10.png", "a/2.png"], [0, 2, 1, 3, 5, 4]),
    (["f3.png", "f2.png", "f10.png"], [0, 1, 2]),
    (["99999999999999999999.png", "9999999999999999999a.png"], [1, 0]),
  ])
  func numbersCount(paths: [String], order: [Int]) {
    #expect(inOrderOfNumbers(paths) == order.map { paths[$0] })
  }

  @Test func gapsAreSaid() {
    let said =
      "2 frames missing by the numbers in the names, the first behind d/f4.png: the film goes on as if there "
      + "were none"
    #expect(gaps(in: ["f1", "f2", "f3", "f4", "f7", "f8"].map { "d/\($0).png" }) == said)
    for even in [
      ["f1", "f2", "f3"], ["f10", "f20", "f30"], ["a", "b"], ["f1", "g5", "g6"], ["f1"], [],
    ] {
      #expect(gaps(in: even) == nil)
    }
    // Times, no numbers of frames.
    #expect(gaps(in: ["1700000000123.png", "1700000000163.png", "1700000000204.png"]) == nil)
  }
}

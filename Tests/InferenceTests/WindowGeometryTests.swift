// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

struct WindowGeometryTests {
  /// Of 60, 15 parts of 4 leave one of two threads 32, 20 parts of 3 leave it 30.
  @Test(arguments: [
    (total: 60, limit: 4, part: 3), (30, 4, 3), (120, 4, 4), (240, 4, 4), (15, 2, 2), (8, 1, 1),
    (8, 8, 4), (1, 1, 1), (0, 3, 3),
  ])
  func partsAreEven(total: Int, limit: Int, part: Int) {
    #expect(total.evenPart(upTo: limit) == part)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFace

@Suite struct FamilySignatureTests {
  /// Made from the maps.
  @Test(arguments: [
    (
      FaceFamily.scrfd,
      "2, 8 and 20 channels, or 2 and 8, at strides 8, 16, 32; or 1, 4 and 10 channels, or 1 and 4, at strides 8, 16, 32, 64, 128"
    ),
    (
      .ultraFace,
      "6, 12 and 30 channels, or 6 and 12, at strides 8, 64, and 4, 8 and 20 channels, or 4 and 8, at strides 16, 32"
    ),
    (.centerFace, "1, 2, 2 and 10 channels, or 1, 2 and 2, at stride 4"),
    (.yolo5, "18 channels at strides 8, 16, 32, and anchors as constants behind them"),
    (.ssd, "one output, of DetectionOutput with two classes"),
    (.yolo3, "one output, of Yolov3DetectionOutput with one class"),
    (
      .dbFace,
      "1, 4 and 10 channels, or 1 and 4, at stride 4, with the points, and the sides of boxes by an exponential function"
    ),
    (
      .yuNet2021, "51 channels at strides 8, 64, and 34 channels at strides 16, 32, joined or not"
    ),
  ])
  func saysWhichMapsAFamilyHas(family: FaceFamily, signature: String) {
    #expect(family.signature == signature)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceNCNN

@testable import YOLOFaceQuantization

struct EqualizationTests {
  /// What is int8 already keeps its scales.
  @Test(arguments: [("", "", 1), (" 8=1", "", 0), ("", " 8=1", 0)])
  func pairsConvolutionsInFloatingPoint(first: String, second: String, count: Int) throws {
    let scales: (String) -> [Float] = { $0.isEmpty ? [] : [1, 1] }
    let network = try network(
      """
      Input data 0 1 data
      Convolution a 1 1 data a 0=1 1=1 6=1\(first)
      Convolution b 1 1 a b 0=1 1=1 6=1\(second)
      """, weights: [[0, 1] + scales(first), [0, 1] + scales(second)])
    #expect(Equalization.pairs(in: network).count == count)
  }
}

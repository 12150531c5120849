// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFace
import YOLOFaceInference
import YOLOFaceNCNN

@testable import YOLOFaceExplanation

struct FeatureMapsTests {
  private func gray(_ maps: FeatureMaps) throws -> [UInt8] {
    let pixels = try Picture.decode(bytes(maps.png)).pixels
    return stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] }
  }

  private static let (small, large) = (Float.leastNonzeroMagnitude, Float.greatestFiniteMagnitude)

  /// Numbers of one channel, and their grey values. Half of the smallest number is 0, twice the largest infinite.
  private static let cases: [([Int], [Float], [UInt8])] = [
    ([1, 2, 2], [-1, 0, 1, 2], [0, 85, 170, 255]), ([3], [1, 2, 3], [0, 128, 255]),
    ([1, 1, 4], [.nan, -.infinity, 5, 5], [0, 0, 0, 0]),
    ([1, 1, 2], [0, small], [0, 255]), ([1, 1, 3], [-small, 0, small], [0, 128, 255]),
    ([1, 1, 3], [small, .nan, -small], [255, 0, 0]),
    ([1, 1, 2], [0, large], [0, 255]), ([1, 1, 3], [-large, 0, large], [0, 128, 255]),
    ([1, 1, 3], [large, .nan, -large], [255, 0, 0]),
  ]

  @Test(arguments: cases)
  func grayRunsFromTheLowestToTheHighest(shape: [Int], values: [Float], gray: [UInt8]) throws {
    let maps = try FeatureMaps(of: Tensor(shape: shape, values: values), pixels: 100)
    let rows = shape.count == 3 ? shape[1] : 1
    #expect(maps.channels == 1 && maps.shown == 1)
    #expect((maps.width, maps.height) == (values.count / rows, rows))
    let finite = values.filter(\.isFinite).sorted()
    #expect(floats(maps.ranges) == [finite[0], finite[finite.count - 1]])
    #expect(try self.gray(maps) == gray)
  }

  @Test func largeBlobsAreShrunkToMeans() throws {
    // 3 × 3 in squares of 2 × 2, those at the edges cut off.
    let tensor = try Tensor(shape: [1, 3, 3], values: [0, 4, 8, 0, 4, 0, 10, 20, 16])
    let maps = try FeatureMaps(of: tensor, pixels: 4)
    #expect((maps.reduction, maps.width, maps.height) == (2, 2, 2))
    // Means 2, 4, 15, 16.
    #expect(floats(maps.ranges) == [2, 16])
    #expect(try gray(maps) == [0, 36, 237, 255])
  }
}

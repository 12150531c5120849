// SPDX-License-Identifier: Apache-2.0
import Testing

@_spi(Tool) @testable import YOLOFaceNCNN

@Suite struct WeightArrayTests {
  #if !(os(macOS) && arch(x86_64))
    @Test func everyHalf() {
      for bits in UInt16.min...UInt16.max {
        let decoded = float(half: bits)
        let truth = Float(Float16(bitPattern: bits))
        // The quiet bit of a NaN may differ.
        #expect(decoded.isNaN ? truth.isNaN : decoded.bitPattern == truth.bitPattern)
      }
    }
  #endif

  @Test func largestDifferenceOfAnyWeight() {
    func difference(_ one: [Float], _ other: [Float]) -> Double? {
      WeightArray.largestDifference(
        [WeightArray(.untagged([1])), WeightArray(.float32(one))],
        [WeightArray(.untagged([1])), WeightArray(.float32(other))])
    }
    #expect(difference([1, 2, -3], [1, 1.5, -5]) == 2)
    #expect(difference([1, 2], [1, 2]) == nil)
    #expect(difference([1, 2], [1, 2, 3]) == nil)
    #expect(difference([.nan, 1], [.nan, 1.25]) == 0.25)
    let limit = Double(Float.greatestFiniteMagnitude)
    #expect(difference([1, 2], [.nan, 5]) == limit)
    #expect(difference([.infinity], [-.infinity]) == limit)
    // Stored in another way, of the same value.
    #expect(
      WeightArray.largestDifference(
        [WeightArray(.float16([0x3C00]))], [WeightArray(.float32([1]))]) == nil)
  }

  @Test func countsAndFloats() {
    let table = (0..<256).map { Float($0) / 2 }
    let arrays: [(WeightArray.Storage, [Float])] = [
      (.untagged([1, 2]), [1, 2]), (.float32([3]), [3]), (.keptFloat32([4, 5]), [4, 5]),
      (.float16([0x3C00, 0xC000, 0x3800]), [1, -2, 0.5]), (.int8([-128, 0, 127]), [-128, 0, 127]),
      (.table(tag: 7, values: table, indices: [255, 0, 2]), [127.5, 0, 1]), (.float32([]), []),
    ]
    for (storage, floats) in arrays {
      #expect(WeightArray(storage).floats == floats)
      #expect(WeightArray(storage).count == floats.count)
    }
  }

  @Test func halvesByHand() {
    let table: [(UInt16, Float)] = [
      (0x0000, 0), (0x3C00, 1), (0xBC00, -1), (0x3555, 0x1.554p-2), (0x4248, 3.140625),
      (0x7BFF, 65504), (0xFBFF, -65504), (0x0400, 0x1p-14), (0x0001, 0x1p-24),
      (0x03FF, 0x1.FF8p-15),
      (0x8001, -0x1p-24), (0x7C00, .infinity), (0xFC00, -.infinity),
    ]
    for (bits, value) in table { #expect(float(half: bits) == value) }
    #expect(float(half: 0x8000).bitPattern == 0x8000_0000)
    #expect(float(half: 0x7E00).isNaN)
    #expect(float(half: 0xFC01).isNaN)
  }
}

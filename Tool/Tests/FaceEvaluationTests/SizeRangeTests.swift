import FaceEvaluation
import Testing

struct SizeRangeTests {
  /// A box of 8 × 32 has the same area as one of 16 × 16.
  @Test func theSizeIsTheRootOfTheArea() {
    let boxes = [
      rectangle(0, 0, 15.9, 16), rectangle(0, 0, 8, 32), rectangle(0, 0, 32, 32),
      rectangle(0, 0, 95, 97), rectangle(0, 0, 96, 96),
    ]
    let classes = boxes.map { box in SizeRange.classes.firstIndex { $0.contains(box) } }
    #expect(classes == [0, 1, 2, 2, 3])
    #expect(boxes.allSatisfy { SizeRange.all.contains($0) })
  }

  @Test func everySizeIsInOneClass() {
    for side in stride(from: 0.0, to: 200, by: 0.25) {
      let count = SizeRange.classes.count { $0.contains(rectangle(0, 0, side, side)) }
      #expect(count == 1)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct PixelKernelsTests {
  private let memory = Memory()

  @Test(arguments: KernelTable.available)
  func convertsBytesAndSubtractsTheMean(_ table: KernelTable) throws {
    for mean in [SIMD3<Float>.zero, SIMD3(104, 117.5, 0)] {
      for count in [0, 1, 3, 12, 15, 16, 17, 24, 48, 51, 65, 96, 256, 333]
      where mean == .zero || count % 3 == 0 {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0) }
        let output = memory.output(count)
        table.convertBytes(memory.place(bytes), count, mean, output.start)
        #expect(try output.values() == bytes.indices.map { Float(bytes[$0]) - mean[$0 % 3] })
      }
    }
  }

  @Test(arguments: KernelTable.available)
  func gathersPixels(_ table: KernelTable) throws {
    let lanes = table.lanes
    let row = memory.numbers(5 * lanes)
    let columns = [4, 0, 0, 3, 1, 2, 4]
    let output = memory.output(columns.count * lanes)
    table.gatherPixels(
      row, UnsafeBufferPointer(start: memory.place(columns), count: columns.count), output.start)
    let expected = columns.flatMap { column in (0..<lanes).map { row[column * lanes + $0] } }
    #expect(try output.values() == expected)
  }
}

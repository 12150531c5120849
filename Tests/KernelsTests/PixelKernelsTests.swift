import Inference
import NCNN
import Kernels
import Testing

struct PixelKernelsTests {
  @Test(arguments: KernelTable.available)
  func convertsBytes(_ table: KernelTable) throws {
    let memory = Memory()
    defer { memory.free() }
    for count in [0, 1, 3, 15, 16, 17, 65, 256] {
      let bytes = (0..<count).map { UInt8(255 - $0) }
      let output = memory.output(count)
      table.convertBytes(memory.place(bytes), count, .zero, output.start)
      #expect(try output.values() == bytes.map(Float.init))
    }
  }

  @Test(arguments: KernelTable.available)
  func subtractsTheMean(_ table: KernelTable) throws {
    let memory = Memory()
    defer { memory.free() }
    let mean = SIMD3<Float>(104, 117.5, 0)
    for count in [3, 12, 24, 48, 51, 96, 333] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0) }
      let output = memory.output(count)
      table.convertBytes(memory.place(bytes), count, mean, output.start)
      #expect(try output.values() == bytes.indices.map { Float(bytes[$0]) - mean[$0 % 3] })
    }
  }

  @Test(arguments: KernelTable.available)
  func gathersPixels(_ table: KernelTable) throws {
    let memory = Memory()
    defer { memory.free() }
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

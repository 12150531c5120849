// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct BytePixelKernelsTests {
  private let memory = Memory()

  /// The bytes of blocks of 16 channels, and a pixel that must not be overwritten.
  private func quantize(
    _ table: KernelTable, _ numbers: [Float], scale: Float
  ) -> UnsafeMutablePointer<UInt8> {
    let pixels = numbers.count / 16
    let offsets = (0..<16 / table.lanes).map { $0 * pixels * table.lanes * 4 }
    let output = memory.place([UInt8](repeating: 0xA5, count: 16 * (pixels + 1)))
    table.bytes.quantize(
      (UnsafeRawPointer(memory.place(numbers)), UnsafePointer(memory.place(offsets))), scale, 127,
      pixels, output)
    return output
  }

  @Test(arguments: KernelTable.available)
  func roundsHalfAwayFromZero(_ table: KernelTable) throws {
    // Times 2: ties, and what is out of range.
    let numbers: [Float] = [
      0, 0.25, -0.25, 0.75, -0.75, 1.25, -1.25, 0.2, -0.2, 31.3, -31.3, 63.25, -63.25, 64, -64,
      3e38, -.infinity, .nan, .infinity,
    ]
    let expected: [Int] = [
      0, 1, -1, 2, -2, 3, -3, 0, 0, 63, -63, 127, -127, 127, -127, 127, -127, -127, 127,
    ]
    for pixels in [1, 3, 4, 5, 9] {
      let output = quantize(table, (0..<16 * pixels).map { numbers[$0 % numbers.count] }, scale: 2)
      for pixel in 0..<pixels {
        for channel in 0..<16 {
          let index =
            (channel / table.lanes * pixels + pixel) * table.lanes + channel % table.lanes
          #expect(Int(output[16 * pixel + channel]) == expected[index % numbers.count] + 127)
        }
      }
      #expect((0..<16).allSatisfy { output[16 * pixels + $0] == 0xA5 })
    }
  }

  /// Numbers times a scale on either side of each tie, as close as floats can be. Those that a fused
  /// multiplication and addition, or adding a half, would take to the wrong side are among them.
  @Test(arguments: KernelTable.available)
  func roundsWhatIsNearATie(_ table: KernelTable) {
    for scale in [1, 127.39034, 0.3, 2, 1000.1, 3.7e-3] as [Float] {
      var numbers: [Float] = [0.8752625]
      for tie in stride(from: Float(0.5), to: 128, by: 1) {
        var number = tie / scale
        for _ in 0..<4 { number = number.nextDown }
        for _ in 0..<9 {
          numbers += [number, -number]
          number = number.nextUp
        }
      }
      numbers += [Float](repeating: 0, count: 16 - numbers.count % 16)
      let output = quantize(table, numbers, scale: scale)
      let wrong = numbers.indices.filter { index in
        let (block, rest) = index.quotientAndRemainder(dividingBy: numbers.count / 16 * table.lanes)
        let (pixel, lane) = rest.quotientAndRemainder(dividingBy: table.lanes)
        let expected = max(-127, min(numbers[index] * scale, 127)).rounded() + 127
        return Float(output[16 * pixel + block * table.lanes + lane]) != expected
      }
      #expect(wrong.isEmpty, "\(scale): \(wrong.prefix(3).map { numbers[$0] })")
    }
  }

  @Test(arguments: KernelTable.available)
  func looksUpBytes(_ table: KernelTable) {
    let entries = (0..<256).map { UInt8($0 * 3 % 256) }
    for count in [1, 63, 64, 65, 200] {
      let bytes = (0..<count).map { UInt8($0 * 5 % 256) }
      let output = memory.place([UInt8](repeating: 0, count: count))
      table.bytes.lookUp(memory.place(bytes), count, memory.place(entries), output)
      #expect((0..<count).allSatisfy { output[$0] == entries[Int(bytes[$0])] })
    }
  }

  @Test(arguments: KernelTable.available)
  func takesTheLargest(_ table: KernelTable) {
    var random = SeededGenerator(seed: 5)
    for (kernel, stride, left) in [(2, 2, 0), (3, 1, 1), (3, 2, 1), (5, 1, 2)] {
      let columns = 13
      let values = (0..<2).map { _ in
        (0..<columns * 16).map { _ in UInt8(random.integer(0...255)) }
      }
      let outputs = (columns + 2 * left - kernel) / stride + 1
      let rows = memory.place(values.map { UnsafePointer(memory.place($0)) })
      let output = memory.place([UInt8](repeating: 0, count: outputs * 16))
      table.bytes.pool(
        UnsafeBufferPointer(start: rows, count: 2),
        WindowColumns(
          input: columns, output: outputs, kernel: kernel, stride: stride, padLeft: left), output)
      for x in 0..<outputs {
        let inside = max(0, x * stride - left)..<min(columns, x * stride - left + kernel)
        for channel in 0..<16 {
          let expected = inside.flatMap { column in values.map { $0[16 * column + channel] } }.max()
          #expect(output[16 * x + channel] == expected)
        }
      }
    }
  }
}

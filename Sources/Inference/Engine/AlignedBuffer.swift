/// Memory of fp32 numbers that begins at a cache line.
///
/// Unchecked: the owner sees to it that threads write to different places.
final class AlignedBuffer: @unchecked Sendable {
  /// The first element.
  let start: UnsafeMutablePointer<Float>
  /// The number of elements.
  let count: Int

  /// Makes room for so many elements, all zero.
  init(count: Int) {
    self.count = count
    let bytes = max(count, 1) * MemoryLayout<Float>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    start = memory.initializeMemory(as: Float.self, repeating: 0, count: max(count, 1))
  }

  /// Makes a copy of an array.
  convenience init(_ values: [Float]) {
    self.init(count: values.count)
    values.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      start.update(from: first, count: buffer.count)
    }
  }

  deinit { start.deallocate() }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// Memory for numbers, aligned to a cache line.
///
/// Unchecked: the owner makes sure that threads write to different places.
final class AlignedBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
  let start: UnsafeMutablePointer<Element>
  let count: Int
  var byteCount: Int { count * MemoryLayout<Element>.size }

  /// Allocates elements without clearing them: a run writes each before reading it, and clearing
  /// would take as long as a small run.
  init(count: Int) {
    self.count = count
    let bytes = max(count, 1) * MemoryLayout<Element>.stride
    let hugePage = 2 << 20
    let isLarge = bytes >= 2 * hugePage
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: bytes, alignment: isLarge ? hugePage : 64)
    useLargePages(memory, bytes: bytes)
    start = memory.bindMemory(to: Element.self, capacity: max(count, 1))
  }

  convenience init(repeating value: Element, count: Int) {
    self.init(count: count)
    start.update(repeating: value, count: count)
  }

  convenience init(_ values: [Element]) {
    self.init(count: values.count)
    values.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      start.copyBytes(from: first, count: buffer.count)
    }
  }

  deinit { start.deallocate() }
}

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
  /// Copies elements as bytes. `update(from:count:)` copies one by one in Embedded Swift.
  @inline(__always)
  func copyBytes(from source: UnsafePointer<Pointee>, count: Int) {
    UnsafeMutableRawPointer(self).copyMemory(
      from: source, byteCount: count * MemoryLayout<Pointee>.stride)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The memory of a run, which all executors of an engine use, one at a time: as much as the largest of their
/// plans needs.
final class RunMemory {
  /// The blocks, see `Plan.arenaSize`.
  private(set) var arena = AlignedBuffer<Float>(count: 0)
  /// Each thread's own.
  private(set) var scratch: [AlignedBuffer<Float>] = []

  func reserve(arena elements: Int, scratch scratchElements: Int, threads: Int) {
    if arena.count < elements { arena = AlignedBuffer(count: elements) }
    if scratch.count < threads || scratch.contains(where: { $0.count < scratchElements }) {
      scratch = (0..<threads).map { _ in AlignedBuffer(count: scratchElements) }
    }
  }
}

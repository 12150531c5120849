// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// What a run does, decided once for a network and an input shape: steps over blocks of one arena.
///
/// A block holds L neighbouring channels of a blob, rows × columns × L. A blob is a list of places,
/// a block and a lane for each of its channels; Concat, Slice, Split and ShuffleChannel only make
/// other lists.
struct Plan {
  /// Channels in a block.
  var lanes: Int
  /// The steps in the order in which they run.
  var steps: [Step] = []
  /// The number of elements of each block.
  var blockSizes: [Int] = []
  /// Where each block begins in the arena; blocks that are never live together may share elements.
  var blockOffsets: [Int] = []
  /// The first to the last step that needs each block; an end of `steps.count` means after the run,
  /// nil that no step needs it.
  var blockLifetimes: [ClosedRange<Int>?] = []
  /// Elements of the arena.
  var arenaSize = 0
  /// The longest run of zeros that steps read: for two blocks of biases, or a row of a blob.
  var zeroCount = 0
  /// Elements of scratch memory that each thread needs.
  var scratchSize = 0
  /// Elements that a plain layer needs while it is computed.
  var plainScratchSize = 0
  /// Bytes of the packed weights, biases and tables of all steps.
  var weightBytes = 0
  /// Blocks that int8 kernels write, or read as fp32: their offsets become a kernel's.
  var targets: [Int] = []
  /// The sources of all convolutions, see `ConvolutionRun`.
  var sources: [Int] = []
  /// Those whose offsets are relative to a block.
  var relativeSources: [RelativeSource] = []
  /// Shapes of the blobs that fallback steps and the caller see as tensors.
  var tensorShapes: [[Int]] = []
  /// The most elements that tensors have at one time.
  var tensorElements = 0
  /// Where the caller's input tensors go.
  var inputTensors: [String: Int] = [:]
  /// Where each blob that still exists is.
  var values: [String: Value] = [:]
  /// For each gated output what it was reduced to; nil for those that are computed whole.
  var gated: [ReducedOutput?] = []

  /// A source whose offset is relative to a block.
  struct RelativeSource {
    var source, block: Int
    /// Bytes of an element of the block.
    var elementSize: Int
  }

  /// The gates of an output, and what computes all values of a group at a single cell.
  struct ReducedOutput {
    var gates: BlockedBlob
    /// The blocks that hold a group's values; lanes behind them in the last one are undefined.
    var blocksPerGroup: Int
    var compute:
      (_ executor: Executor, _ group: Int, _ cell: Int, _ output: UnsafeMutablePointer<Float>) ->
        Void
  }

  /// Where a blob is: in blocks, in a tensor, or in both.
  struct Value {
    var shape: [Int]
    var blocked: BlockedBlob?
    var tensor: Int?
  }

  /// One step; its tasks are independent of each other.
  struct Step {
    /// What a profile says of it, without a time.
    var profile: StepTime
    /// The number of tasks into which the step is divided for the threads.
    var taskCount: Int
    /// Blocks that it reads and writes.
    var reads, writes: [Int]
    /// Tensors that it reads and writes.
    var tensorReads, tensorWrites: [Int]
    /// Tensors that no later step reads, and that are freed before its only task begins.
    var released: [Int] = []
    /// Does a task, see `StepKind.run`.
    var run: (_ executor: Executor, _ task: Int, _ scratch: UnsafeMutablePointer<Float>) -> Void
  }

  func bytes(ofTensors tensors: [Int]) -> Int {
    Set(tensors).reduce(0) { $0 + tensorShapes[$1].reduce(1, *) } * MemoryLayout<Float>.size
  }
}

extension Plan {
  /// Gives every block a place in the arena, the largest first, each at the lowest offset that is
  /// free while it is live; those that are kept survive the run.
  mutating func placeBlocks(keeping kept: Set<Int>) {
    var lifetimes = [ClosedRange<Int>?](repeating: nil, count: blockSizes.count)
    for (index, step) in steps.enumerated() {
      for block in step.reads + step.writes {
        lifetimes[block] = (lifetimes[block]?.lowerBound ?? index)...index
      }
    }
    for block in kept {
      lifetimes[block] = (lifetimes[block]?.lowerBound ?? 0)...steps.count
    }
    blockLifetimes = lifetimes
    blockOffsets = [Int](repeating: 0, count: blockSizes.count)
    // Sorted by offset.
    var placed: [(offset: Int, end: Int, lifetime: ClosedRange<Int>)] = []
    var last: (size: Int, lifetime: ClosedRange<Int>, index: Int)?
    let order = blockSizes.indices.sorted { (blockSizes[$1], $0) < (blockSizes[$0], $1) }
    for block in order {
      guard let lifetime = lifetimes[block] else { continue }
      let size = alignedSize(block)
      // Another block of a blob fits nowhere before the last one.
      var (offset, index) = (0, 0)
      if let last, last.size == size, last.lifetime == lifetime {
        (offset, index) = (placed[last.index].end, last.index + 1)
      }
      for other in placed[index...] where other.lifetime.overlaps(lifetime) {
        if other.offset >= offset + size { break }
        offset = max(offset, other.end)
      }
      while index < placed.count, placed[index].offset < offset { index += 1 }
      placed.insert((offset, offset + size, lifetime), at: index)
      last = (size, lifetime, index)
      blockOffsets[block] = offset
      arenaSize = max(arenaSize, offset + size)
    }
  }

  /// A block's elements, rounded up to whole cache lines.
  func alignedSize(_ block: Int) -> Int { (blockSizes[block] + 15) & ~15 }
}

/// A blob of C × H × W in blocks.
struct BlockedBlob: Hashable {
  /// Where a channel is.
  struct Place: Hashable {
    var block, lane: Int
  }

  var rows: Int
  var columns: Int
  /// A place for each channel; no two are the same.
  var channels: [Place]

  /// The blocks that hold its channels, each once, in the order of their first channel.
  var blocks: [Int] {
    var (blocks, seen): ([Int], Set<Int>) = ([], [])
    // Neighbours are mostly in one block: they cost no look-up.
    for place in channels where place.block != blocks.last && seen.insert(place.block).inserted {
      blocks.append(place.block)
    }
    return blocks
  }

  /// The place of each channel, by the position of its block in `blocks`.
  var sourceChannels: [SourceChannel] {
    var positions: [Int: Int] = [:]
    var last = (block: -1, position: -1)
    return channels.map { place in
      if place.block != last.block {
        last = (place.block, positions[place.block] ?? positions.count)
        positions[place.block] = last.position
      }
      return SourceChannel(block: last.position, lane: place.lane)
    }
  }
}

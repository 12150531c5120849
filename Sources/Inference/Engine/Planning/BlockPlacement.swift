extension Plan {
  /// Gives every block a place in the arena, the largest first, each at the lowest offset that is
  /// free while it is live.
  ///
  /// - Parameter kept: blocks that must survive the run.
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
    var placed: [Int] = []
    let order = blockSizes.indices.sorted {
      (blockSizes[$1], $0) < (blockSizes[$0], $1)
    }
    for block in order {
      guard let lifetime = lifetimes[block] else { continue }
      let neighbours = placed.filter { lifetimes[$0]?.overlaps(lifetime) ?? false }
        .sorted { blockOffsets[$0] < blockOffsets[$1] }
      var offset = 0
      for other in neighbours where blockOffsets[other] < offset + alignedSize(block) {
        offset = max(offset, blockOffsets[other] + alignedSize(other))
      }
      blockOffsets[block] = offset
      arenaSize = max(arenaSize, offset + alignedSize(block))
      placed.append(block)
    }
  }

  /// A block's elements, rounded up to whole cache lines.
  func alignedSize(_ block: Int) -> Int { (blockSizes[block] + 15) & ~15 }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// What a run keeps in memory: the blocks of its arena, and the steps between which each is needed.
///
/// A block holds neighbouring channels of a blob, one for each lane of a vector.
@_spi(Tool) public struct MemoryPlan: Encodable, Sendable {
  /// A block and its place.
  public struct Block: Encodable, Sendable {
    /// The name of the step that writes it.
    public var writtenBy: String
    /// What kind of step that is.
    public var kind: String
    /// Its first byte in the arena.
    public var offset: Int
    /// Its size, in whole cache lines.
    public var bytes: Int
    /// The step that writes it.
    public var firstStep: Int
    /// The last step that reads it; the last of all where the block outlives the run.
    public var lastStep: Int
    /// Whether it is still live after the run, as part of the result.
    public var outlivesRun: Bool
  }

  /// A step and what exists while it runs.
  public struct Step: Encodable, Sendable {
    /// The name of its layer, or of one of them where several were fused.
    public var name: String
    /// What it is: `convolution 1x1`, `pooling` and so on.
    public var kind: String
    /// The names of all layers that it computes.
    public var layers: [String]
    /// The bytes of all live blocks.
    public var liveBytes: Int
  }

  /// The instruction set.
  public var instructionSet: String
  /// The steps in the order in which they run.
  public var steps: [Step]
  /// The blocks by their first step, then by their offset.
  public var blocks: [Block]
  /// The size of the arena.
  public var arenaBytes: Int
  /// The bytes that the blocks would take if none shared memory with another.
  public var unsharedBytes: Int
  /// The most bytes that are live at once: no arena could be smaller.
  public var peakBytes: Int
  /// The bytes of the packed weights and biases; like the next two, outside the arena.
  public var weightBytes: Int
  /// The bytes of each thread's scratch memory.
  public var scratchBytes: Int
  /// The bytes of blobs that are not in blocks, such as a caller's inputs.
  public var tensorBytes: Int
}

extension MemoryPlan {
  init(_ plan: Plan, instructionSet: String) {
    let elementBytes = MemoryLayout<Float>.stride
    self.instructionSet = instructionSet
    blocks = zip(plan.blockSizes.indices, plan.blockLifetimes).compactMap {
      (block, lifetime) -> Block? in
      guard let lifetime, plan.steps.indices.contains(lifetime.lowerBound) else { return nil }
      let writer = plan.steps[lifetime.lowerBound].profile
      return Block(
        writtenBy: writer.name, kind: writer.kind,
        offset: elementBytes * plan.blockOffsets[block],
        bytes: elementBytes * plan.alignedSize(block), firstStep: lifetime.lowerBound,
        lastStep: min(lifetime.upperBound, plan.steps.count - 1),
        outlivesRun: lifetime.upperBound == plan.steps.count)
    }.sorted { ($0.firstStep, $0.offset) < ($1.firstStep, $1.offset) }
    var changes = [Int](repeating: 0, count: plan.steps.count + 1)
    for block in blocks {
      changes[block.firstStep] += block.bytes
      changes[block.lastStep + 1] -= block.bytes
    }
    var liveBytes = 0
    steps = zip(plan.steps, changes).map { step, change in
      liveBytes += change
      let profile = step.profile
      return Step(
        name: profile.name, kind: profile.kind, layers: profile.layers, liveBytes: liveBytes)
    }
    arenaBytes = elementBytes * plan.arenaSize
    unsharedBytes = blocks.reduce(0) { $0 + $1.bytes }
    peakBytes = steps.reduce(0) { max($0, $1.liveBytes) }
    weightBytes = plan.weightBytes
    scratchBytes = elementBytes * plan.scratchSize
    tensorBytes = elementBytes * plan.tensorShapes.reduce(0) { $0 + $1.reduce(1, *) }
  }
}

extension Engine {
  /// What `run` keeps in memory for inputs of these shapes, which it must be able to run.
  @_spi(Tool) public func memoryPlan(
    _ shapes: [String: [Int]], extracting wanted: [String]
  ) throws(InferenceError) -> MemoryPlan {
    let request = PlanRequest(shapes: shapes, outputs: wanted)
    return MemoryPlan(try plan(request), instructionSet: instructionSet)
  }

  /// What a run on a picture of this size, which `prepare` must accept, keeps in memory.
  @_spi(Tool) public func memoryPlan(rows: Int, columns: Int) throws(InferenceError) -> MemoryPlan {
    let request = try pictureRequest(rows: rows, columns: columns)
    return MemoryPlan(try plan(request), instructionSet: instructionSet)
  }
}

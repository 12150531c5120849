// SPDX-License-Identifier: Apache-2.0
import Synchronization
import YOLOFaceKernels
import YOLOFaceNCNN

/// The memory of a plan and the threads that run it.
///
/// Unchecked: the owner runs one at a time; within a run, the tasks of a step write to different
/// places, and `ThreadPool.meet` separates the steps.
final class Executor: @unchecked Sendable {
  let plan: Plan
  /// See `Plan.ownElements`, which no longer counts the sources here.
  let ownElements: Int
  let kernels: KernelTable
  private let threads: ThreadPool
  private let memory: RunMemory
  var arena: AlignedBuffer<Float> { memory.arena }
  /// Offsets in bytes of the blocks that int8 kernels write.
  let targets: AlignedBuffer<Int>
  /// Zeros for the biases of convolutions that have none, and for rows above and below a blob.
  let zeros: AlignedBuffer<Float>
  private let nextTask: UnsafeMutablePointer<Atomic<Int>>
  private let sourceBuffer: AlignedBuffer<Int>
  /// Tensors of inputs, outputs and fallback steps, by the plan's numbers.
  var tensors: [Tensor]
  private(set) var picture: UnsafePointer<UInt8>?
  private var timer: ((Int) -> Void)?
  /// `work`, made once: making a closure for every run would allocate.
  private var body: @Sendable (Int) -> Void = { _ in }

  init(
    _ plan: consuming Plan, kernels: KernelTable, threads: ThreadPool,
    memory: RunMemory = RunMemory()
  ) {
    self.kernels = kernels
    self.threads = threads
    self.memory = memory
    memory.reserve(arena: plan.arenaSize, scratch: plan.scratchSize, threads: threads.count)
    targets = AlignedBuffer(plan.targets.map { plan.blockOffsets[$0] * MemoryLayout<Float>.size })
    zeros = AlignedBuffer(repeating: 0, count: plan.zeroCount)
    tensors = plan.tensorShapes.map { Tensor(unfilled: $0) }
    nextTask = .allocate(capacity: max(1, plan.steps.count))
    for index in 0..<max(1, plan.steps.count) { (nextTask + index).initialize(to: Atomic(0)) }
    sourceBuffer = AlignedBuffer(plan.sources)
    for relative in plan.relativeSources {
      sourceBuffer.start[relative.source] +=
        plan.blockOffsets[relative.block] * MemoryLayout<Float>.size / relative.elementSize
    }
    ownElements = plan.ownElements
    plan.sources = []
    plan.relativeSources = []
    self.plan = plan
    let executor = Unmanaged.passUnretained(self)
    body = { thread in executor._withUnsafeGuaranteedRef { $0.work(thread: thread) } }
  }

  deinit {
    nextTask.deinitialize(count: max(1, plan.steps.count))
    nextTask.deallocate()
  }

  /// Runs all steps, on 8-bit RGB of the planned size if the plan takes a picture.
  ///
  /// The calling thread calls `timer` after each step. The clock is read once between two steps, so that
  /// their times add up to the whole; the time of `timer` itself counts towards the next step.
  func run(picture: UnsafePointer<UInt8>? = nil, timer: ((StepTime) -> Void)? = nil) {
    self.picture = picture
    if let timer {
      let steps = plan.steps
      let clock = ContinuousClock()
      var last = clock.now
      self.timer = { index in
        let now = clock.now
        var step = steps[index].profile
        step.time = now - last
        last = now
        timer(step)
      }
    }
    for index in plan.steps.indices { nextTask[index].store(0, ordering: .relaxed) }
    threads.run(body)
    self.picture = nil
    self.timer = nil
  }

  /// Takes tasks of a step until none is left, then goes to the next step.
  private func work(thread: Int) {
    for index in plan.steps.indices {
      let count = plan.steps[index].taskCount
      // Taken once: threads that retained it for each task would wait for each other.
      let run = plan.steps[index].run
      while true {
        let task = nextTask[index].add(1, ordering: .relaxed).oldValue
        if task >= count { break }
        if count == 1 {
          for tensor in plan.steps[index].released { tensors[tensor].values = [] }
        }
        run(self, task, memory.scratch[thread].start)
      }
      threads.meet()
      if thread == 0 { timer?(index) }
    }
  }

  /// Some of the sources of all convolutions, see `ConvolutionRun`.
  func sources(_ range: Range<Int>) -> UnsafeBufferPointer<Int> {
    UnsafeBufferPointer(start: sourceBuffer.start + range.lowerBound, count: range.count)
  }

  /// The first element of a block.
  func address(_ block: Int) -> UnsafeMutablePointer<Float> {
    arena.start + plan.blockOffsets[block]
  }

  /// The elements of a blob as C × H × W.
  func values(of blob: BlockedBlob) -> [Float] {
    let size = blob.rows * blob.columns
    return [Float](unsafeUninitializedCapacity: blob.channels.count * size) { values, count in
      forEachRun(of: blob) { channel, pixels, source in
        for pixel in pixels { values[channel * size + pixel] = source[pixel * plan.lanes] }
      }
      count = values.count
    }
  }

  /// Calls a function with every channel of a blob and where it begins, some pixels at a time, so that a
  /// block's pixels stay in the L1 cache for all of its channels.
  func forEachRun(
    of blob: BlockedBlob,
    _ body: (_ channel: Int, _ pixels: Range<Int>, _ start: UnsafeMutablePointer<Float>) -> Void
  ) {
    let size = blob.rows * blob.columns
    for first in stride(from: 0, to: size, by: 64) {
      let pixels = first..<min(first + 64, size)
      for (channel, place) in blob.channels.enumerated() {
        body(channel, pixels, address(place.block) + place.lane)
      }
    }
  }
}

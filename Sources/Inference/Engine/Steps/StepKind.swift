// SPDX-License-Identifier: Apache-2.0

/// What the tasks of a step do. Each kind of step is a type of its own, which states all that a plan, a
/// profile and the executor need of it.
protocol StepKind {
  /// The kind's name in a profile.
  var kind: String { get }
  /// The blocks of the arena that are read.
  var reads: [Int] { get }
  /// The blocks of the arena that are written.
  var writes: [Int] { get }
  /// The tensors that are read.
  var tensorReads: [Int] { get }
  /// The tensors that are written.
  var tensorWrites: [Int] { get }
  /// The number of tasks, which are independent of each other.
  var taskCount: Int { get }
  /// The bytes that are read and written outside of the arena, each once: weights, tensors, a picture.
  func outerBytes(_ plan: Plan) -> Int
  /// Does a task.
  ///
  /// - Parameter scratch: memory of the thread's own, `Plan.scratchSize` elements.
  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>)
}

extension StepKind {
  var tensorReads: [Int] { [] }
  var tensorWrites: [Int] { [] }
  func outerBytes(_ plan: Plan) -> Int { 0 }
}

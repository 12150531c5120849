// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// The caller's picture as a tensor, for layers that need one.
struct PictureStep: StepKind {
  let normalization: Normalization
  let tensor: Int

  var kind: String { "picture" }
  var tensorWrites: [Int] { [tensor] }
  var reads: [Int] { [] }
  var writes: [Int] { [] }
  var taskCount: Int { 1 }

  /// A byte and a float for each element.
  func outerBytes(_ plan: Plan) -> Int {
    plan.bytes(ofTensors: [tensor]) / MemoryLayout<Float>.size * (1 + MemoryLayout<Float>.size)
  }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    guard let picture = executor.picture else { return }
    let pixels = executor.tensors[tensor].rows * executor.tensors[tensor].columns
    executor.tensors[tensor].values = []
    executor.tensors[tensor].values = normalization.planes(of: picture, pixels: pixels)
  }
}

/// A tensor copied to blocks.
struct PackStep: StepKind {
  let tensor: Int
  let blob: BlockedBlob

  var kind: String { "pack" }
  var tensorReads: [Int] { [tensor] }
  var reads: [Int] { [] }
  var writes: [Int] { blob.blocks }
  var taskCount: Int { 1 }

  func outerBytes(_ plan: Plan) -> Int { plan.bytes(ofTensors: [tensor]) }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let size = blob.rows * blob.columns
    executor.tensors[tensor].values.withUnsafeBufferPointer { values in
      executor.forEachRun(of: blob) { channel, pixels, target in
        for pixel in pixels {
          target[pixel * executor.plan.lanes] = values[channel * size + pixel]
        }
      }
    }
  }
}

/// Blocks copied to a tensor.
struct UnpackStep: StepKind {
  let blob: BlockedBlob
  let tensor: Int

  var kind: String { "unpack" }
  var tensorWrites: [Int] { [tensor] }
  var reads: [Int] { blob.blocks }
  var writes: [Int] { [] }
  var taskCount: Int { 1 }

  func outerBytes(_ plan: Plan) -> Int { plan.bytes(ofTensors: [tensor]) }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    executor.tensors[tensor].values = []
    executor.tensors[tensor].values = executor.values(of: blob)
  }
}

/// A layer on tensors: the interpreter's, or one whose arithmetic on rows is the kernels'.
struct LayerStep: StepKind {
  typealias Function =
    @Sendable (_ inputs: [Tensor], _ shapes: [[Int]], _ kernels: KernelTable)
    throws(InferenceError) -> [Tensor]

  let kind: String
  let inputs, outputs: [Int]
  /// The memory of the weights that it reads.
  let weightBytes: Int
  let apply: Function

  var tensorReads: [Int] { inputs }
  var tensorWrites: [Int] { outputs }
  var reads: [Int] { [] }
  var writes: [Int] { [] }
  var taskCount: Int { 1 }

  func outerBytes(_ plan: Plan) -> Int { plan.bytes(ofTensors: inputs + outputs) + weightBytes }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    // The last run's values would be in memory beside the new ones.
    for tensor in outputs { executor.tensors[tensor].values = [] }
    let results = try? apply(
      inputs.map { executor.tensors[$0] }, outputs.map { executor.plan.tensorShapes[$0] },
      executor.kernels)
    guard let results else { preconditionFailure("the shapes have been inferred") }
    for (tensor, result) in zip(outputs, results) { executor.tensors[tensor] = result }
  }
}

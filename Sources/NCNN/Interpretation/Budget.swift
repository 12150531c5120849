// SPDX-License-Identifier: Apache-2.0

/// What a run may take, of which the caller may allow more.
public enum RunLimit: Hashable, Sendable {
  /// The elements of blobs and weights at one time: `maximumElements`.
  case elements
  /// The steps of arithmetic: `maximumWork`.
  case work

  /// 1 GiB of elements of four bytes.
  public static let defaultElements = 1 << 28
  /// A little more than the largest usual detectors need for 640 × 640.
  public static let defaultWork: Int64 = 140_000_000_000
  /// What `maximumWork` is divided by for plain arithmetic, which is slower than the kernels by about this factor.
  public static let plainPart: Int64 = 16
}

/// Counts the memory and the arithmetic of a run before it begins.
package struct Budget {
  let maximumElements: Int
  let maximumWork: Int64
  private var elements: Int64 = 0
  private var work: Int64 = 0
  /// For each output of a Split, the blob whose storage it shares.
  private var owners: [String: String] = [:]
  /// For each owner, the number of live blobs that share its storage.
  private var sharers: [String: Int] = [:]

  package init(maximumElements: Int, maximumWork: Int64) {
    self.maximumElements = maximumElements
    self.maximumWork = maximumWork
  }

  /// Follows a run from layer to layer, up to the first that would exceed a limit.
  package mutating func check(
    _ schedule: Schedule, of network: Network, shapes: [String: [Int]]
  ) throws(InferenceError) {
    for (step, index) in schedule.layers.enumerated() {
      let layer = network.layers[index]
      let inputs = layer.inputs.map { shapes[$0] ?? [] }
      let outputs = layer.outputs.map { shapes[$0] ?? [] }
      do throws(InferenceError) {
        add(layer, outputs)
        let cost = layer.operation.arithmetic().cost(inputs: inputs, outputs: outputs)
        let needed = elements + cost.scratchElements
        guard needed <= maximumElements else {
          throw InferenceError(
            .elements, found: "\(needed) elements in blobs", most: Int64(maximumElements))
        }
        let (sum, overflow) = work.addingReportingOverflow(cost.steps)
        guard !overflow, sum <= maximumWork else {
          throw InferenceError(
            .work, found: "\(overflow ? .max : sum) steps of arithmetic", most: maximumWork)
        }
        work = sum
      } catch {
        throw error.at(layer)
      }
      for name in schedule.lastUses[step] { remove(name, shapes[name] ?? []) }
    }
  }

  private mutating func add(_ layer: Layer, _ shapes: [[Int]]) {
    for (name, shape) in zip(layer.outputs, shapes) {
      if layer.isSplit {
        let owner = owners[layer.inputs[0]] ?? layer.inputs[0]
        owners[name] = owner
        sharers[owner, default: 0] += 1
      } else {
        sharers[name] = 1
        elements += product(shape)
      }
    }
  }

  private mutating func remove(_ name: String, _ shape: [Int]) {
    let owner = owners[name] ?? name
    sharers[owner, default: 0] -= 1
    if sharers[owner] == 0 { elements -= product(shape) }
  }
}

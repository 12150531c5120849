// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
import YOLOFaceKernels
import YOLOFaceNCNN

/// Interprets bytes as a model: the text of a `.param` file, a zero byte, a byte that says how to
/// run it, and a `.bin` file, which is padded with zeros.
///
/// What is accepted is written and read again, and run by the interpreter and the engine, which must
/// agree on what they refuse, on the shapes, and on the values where these have bounds.
public func fuzzModel(_ bytes: [UInt8]) {
  let param = bytes.prefix { $0 != 0 }
  let rest = bytes.dropFirst(param.count + 1)
  let mode = RunMode(bits: rest.first ?? 0)
  guard var network = try? Network(param: Array(param), source: "fuzz.param"),
    network.layers.reduce(0, { $0 + $1.parameterCount }) <= 1 << 14,
    load(Array(rest.dropFirst()), into: &network)
  else { return }
  checkWriting(network)

  let declared = ShapeInference(partial: network, inputs: [:]).shapes
  var inputs: [String: Tensor] = [:]
  for name in network.inputs {
    guard let tensor = mode.tensor(declared[name] ?? mode.shape) else { return }
    inputs[name] = tensor
  }
  let wanted = mode.wantsAllBlobs ? network.layers.flatMap(\.outputs) : network.outputs
  guard var interpreter = try? Interpreter(network) else { return }
  interpreter.maximumElements = 1 << 16
  interpreter.maximumWork = 1 << 21
  guard let expected = try? interpreter.run(inputs, extracting: wanted) else { return }
  do {
    let engine = try Engine(
      network, threads: mode.threads, instructionSet: mode.instructionSet)
    let found = try engine.run(inputs, extracting: wanted)
    precondition(
      found.mapValues(\.shape) == expected.mapValues(\.shape), "the engine makes other shapes")
    let bounds = ValueBounds(network, inputs: inputs)
    for (blob, tensor) in found {
      guard let bound = bounds[blob], let values = expected[blob]?.values
      else { continue }
      for (value, plain) in zip(tensor.values, values) {
        // Winograd's sums are the least exact.
        precondition(
          abs(value - plain) <= 1e-4 * Float(bound),
          "the engine computes \(value) for \(blob), the interpreter \(plain), of at most \(bound)")
      }
    }
    if inputs.count == 1, let shape = inputs.first?.value.shape, shape.count == 3, shape[0] == 3 {
      try visitGroups(of: engine, expected, rows: shape[1], columns: shape[2])
    }
  } catch let error as InferenceError where error.reason == .limit {
    // The engine allocates whole blocks, so it may need more memory.
  } catch {
    preconditionFailure("the engine refuses what the interpreter runs: \(error)")
  }
}

/// Treats each output with three axes as a gated one, and visits its groups.
private func visitGroups(
  of engine: Engine, _ outputs: [String: Tensor], rows: Int, columns: Int
) throws {
  let picture = (0..<3 * rows * columns).map { UInt8(truncatingIfNeeded: 37 * $0) }
  for (blob, tensor) in outputs where tensor.shape.count == 3 {
    let (groups, cells, width) = (tensor.shape[0], tensor.shape[1], tensor.shape[2])
    let gate = min(4, width - 1)
    let gated = try Engine(
      engine.network, gated: [GatedOutput(blob: blob, groups: groups, width: width, gate: gate)],
      threads: engine.threadCount, instructionSet: engine.instructionSet)
    try gated.run(picture: picture, rows: rows, columns: columns) { outputs in
      var count = 0
      outputs.forEachGroup(of: 0, from: -1) { group, cell, values in
        precondition(group < groups && cell < cells, "a group outside the blob")
        precondition(values.count == width && values[gate] >= -1, "a group of too low a gate")
        count += 1
      }
      precondition(count <= groups * cells, "a group is visited twice")
    }.get()
  }
}

/// Reads weights from bytes, with zeros behind them where there are too few, and without what is left over: where that
/// is most of them, they are refused.
private func load(_ bytes: [UInt8], into network: inout Network) -> Bool {
  let filled = bytes + [UInt8](repeating: 0, count: 1 << 17)
  do throws(ModelError) {
    try network.loadWeights(filled, source: "fuzz.bin")
    return true
  } catch {
    guard case .byte(let end) = error.position, end < filled.count else { return false }
    return (try? network.loadWeights(Array(filled[..<end]), source: "fuzz.bin")) != nil
  }
}

private func checkWriting(_ network: Network) {
  let written = network.weightBytes()
  var again = network
  guard (try? again.loadWeights(written, source: "again.bin")) != nil else {
    preconditionFailure("weights that were written cannot be read")
  }
  precondition(again.weightBytes() == written, "weights that were written are read differently")
}

/// How a model is run, from the bits of one byte.
private struct RunMode {
  let bits: UInt8

  /// The shape of an input that declares none.
  var shape: [Int] { [[3, 16, 24], [1, 16, 5], [20, 3, 4], [6]][Int(bits & 3)] }
  var wantsAllBlobs: Bool { bits & 4 != 0 }
  var threads: Int { bits & 64 == 0 ? 1 : 2 }
  var instructionSet: String {
    KernelTable.available[Int(bits >> 3 & 3) % KernelTable.available.count].name
  }

  /// Small numbers; some of them are not finite, if the bits say so.
  func tensor(_ shape: [Int]) -> Tensor? {
    let count = shape.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
    guard (1...1 << 14).contains(count) else { return nil }
    let extremes: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude]
    let odd = bits & 32 == 0 ? [] : extremes
    let values = (0..<count).map { index in
      index % 5 < odd.count ? odd[index % 5] : Float(index % 7) - 3
    }
    return try? Tensor(shape: shape, values: values)
  }
}

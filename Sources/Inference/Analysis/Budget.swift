import NCNN

/// Counts what a run would hold in memory and compute, before it does.
struct Budget {
  let maximumElements: Int
  let maximumWork: Int64
  /// Elements of all blobs that exist.
  private var elements: Int64 = 0
  private var work: Int64 = 0
  /// For the outputs of Split the blob whose storage they share.
  private var owners: [String: String] = [:]
  /// How many blobs that exist share a storage, by its owner.
  private var sharers: [String: Int] = [:]

  init(maximumElements: Int, maximumWork: Int64) {
    self.maximumElements = maximumElements
    self.maximumWork = maximumWork
  }

  /// Goes through a run.
  ///
  /// - Throws: `InferenceError` at the layer that would exceed a limit.
  mutating func check(
    _ schedule: Schedule, of network: Network, shapes: [String: [Int]]
  ) throws(InferenceError) {
    for (step, index) in schedule.layers.enumerated() {
      let layer = network.layers[index]
      let inputs = layer.inputs.map { shapes[$0] ?? [] }
      let outputs = layer.outputs.map { shapes[$0] ?? [] }
      do throws(InferenceError) {
        add(layer, outputs)
        try require(elements: elements + layer.operation.scratchElements(inputs))
        try spend(layer.operation.work(inputs: inputs, outputs: outputs))
      } catch {
        throw error.at(layer)
      }
      for name in schedule.lastUses[step] { remove(name, shapes[name] ?? []) }
    }
  }

  private mutating func add(_ layer: Layer, _ shapes: [[Int]]) {
    for (name, shape) in zip(layer.outputs, shapes) {
      if case .split = layer.operation {
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

  private func require(elements: Int64) throws(InferenceError) {
    guard elements <= maximumElements else {
      throw InferenceError(
        .limit, found: "\(elements) elements in blobs", expected: "at most \(maximumElements)")
    }
  }

  private mutating func spend(_ steps: Int64) throws(InferenceError) {
    let (sum, overflow) = work.addingReportingOverflow(steps)
    guard !overflow, sum <= maximumWork else {
      throw InferenceError(
        .limit, found: "\(overflow ? .max : sum) steps of arithmetic",
        expected: "at most \(maximumWork)")
    }
    work = sum
  }
}

extension Operation {
  /// Elements of the copy that exists only while the operation is computed.
  fileprivate func scratchElements(_ inputs: [[Int]]) -> Int64 {
    guard case .convolution(let convolution) = self else { return 0 }
    return convolution.borderedElements(inputs[0])
  }

  /// About how many multiply-adds the operation takes; what only moves an element counts as one.
  ///
  /// Below 2⁶², since a shape has less than 2³¹ elements, a layer at most 2²⁸ weights, and a file
  /// fewer than 2²³ bytes.
  fileprivate func work(inputs: [[Int]], outputs: [[Int]]) -> Int64 {
    let elements = outputs.reduce(0) { $0 + product($1) }
    let exponential: Int64 = 16
    return switch self {
    case .input, .split: 0
    case .convolution(let convolution):
      multiplyAdds(output: outputs[0]) + convolution.borderedElements(inputs[0])
        + elements * (convolution.activation.isExponential ? exponential : 1)
    case .innerProduct(let product):
      multiplyAdds(output: outputs[0])
        + elements * (product.activation.isExponential ? exponential : 1)
    case .pooling(let pooling): pooling.windowElements(input: inputs[0], output: outputs[0])
    case .interp(let interp):
      switch interp.method {
      case .nearest: elements
      case .bilinear: elements * 4
      case .bicubic: elements * 16
      }
    case .groupNorm: elements * 4
    case .sigmoid, .swish, .softmax, .elu, .gelu, .mish, .unaryOp: elements * exponential
    case .reduction: product(inputs[0]) * exponential
    case .binaryOp(let operation):
      elements * (operation.arithmetic.isExponential ? exponential : 1)
    case .eltwise: elements * Int64(inputs.count)
    default: elements
    }
  }
}

extension Activation {
  fileprivate var isExponential: Bool { self == .sigmoid || self == .mish }
}

extension BinaryOp.Arithmetic {
  fileprivate var isExponential: Bool {
    switch self {
    case .power, .powerReversed, .arcTangent, .arcTangentReversed: true
    default: false
    }
  }
}

extension Convolution {
  /// Elements of the copy of the input with its border; 0 where there is none.
  fileprivate func borderedElements(_ input: [Int]) -> Int64 {
    guard input.count > 1 else { return 0 }
    let (rows, columns) = (input[input.count - 2], input[input.count - 1])
    let size = border.sizes(rows: rows, columns: columns, window: window, stride: stride)
    return size == (rows, columns) ? 0 : product([inputChannels, size.rows, size.columns])
  }
}

extension Pooling {
  /// Elements of all windows together.
  fileprivate func windowElements(input: [Int], output: [Int]) -> Int64 {
    let area: Int64 =
      switch windows {
      case .global: product([input[1], input[2]])
      case .adaptive: product([input[1] / output[1] + 2, input[2] / output[2] + 2])
      case .sliding(let kernel, _, _, _): product([kernel.width, kernel.height])
      }
    // Sides of kernels are at most 2²⁰; a window of 2³⁰ elements is refused whatever the output.
    return product(output) * min(area, 1 << 30)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceKernels

/// The activations with an exponential, in every available instruction set, against Double.
struct VectorActivationTests {
  private let memory = Memory()

  static let instructionSets = KernelTable.available.map(\.name)

  /// Every exponent with up to 256 significands, and [−117, 117] in steps of 1/1024 or more, in both signs.
  static let numbers: [Float] = {
    var numbers: [Float] = []
    let count = Rounds.few(32, of: 256)
    for exponent: UInt32 in 0..<255 {
      for significand in stride(from: UInt32(0), to: 256, by: 256 / count) {
        let bits: UInt32 = exponent << 23 | significand << 15 | significand &* 127
        numbers.append(Float(bitPattern: bits))
      }
    }
    for step in stride(from: 0, through: 120_000, by: 256 / count) {
      numbers.append(Float(step) / 1024)
    }
    return numbers + numbers.map { -$0 }
  }()

  /// Where e⁻ˣ reaches 2¹²⁶, to which kernels may clamp it.
  private static let end = -126 * log(2.0)

  private func apply(
    _ instructionSet: String, _ activation: VectorActivation, to values: [Float]
  ) throws -> [Float] {
    let table = try KernelTable.selected(instructionSet)
    let pixels = (values.count + table.lanes - 1) / table.lanes
    let padded = values + [Float](repeating: 0, count: pixels * table.lanes - values.count)
    let output = memory.output(padded.count)
    table.activate(memory.place(padded), pixels, activation, output.start)
    return Array(try output.values().prefix(values.count))
  }

  /// The relative error that the kernels guarantee: 4 · 10⁻⁶ in the divisor, four roundings, and
  /// the effect on the power of rounding −log₂e and its product with x.
  private func bound(_ x: Double) -> Double { 4e-6 + 4 * 0x1p-24 + abs(x) * 0x1.4p-24 }

  @Test(arguments: instructionSets)
  func sigmoidIsWithinItsBound(instructionSet: String) throws {
    let results = try apply(instructionSet, .sigmoid, to: Self.numbers)
    for (number, result) in zip(Self.numbers, results) {
      let x = Double(number)
      let expected = 1 / (1 + exp(-x))
      let limit = x < Self.end ? 0x1p-126 : expected * bound(min(x, 0))
      try #require(
        abs(Double(result) - expected) <= limit * 1.000001, "σ(\(number)) is \(result)")
    }
  }

  @Test(arguments: instructionSets)
  func swishIsWithinItsBound(instructionSet: String) throws {
    let results = try apply(instructionSet, .swish, to: Self.numbers)
    let folded = try apply(instructionSet, .foldedSwish, to: Self.numbers)
    for (index, number) in Self.numbers.enumerated() {
      let x = Double(number)
      try requireSwish(results[index], x, bound: bound(min(x, 0)))
      // The product with −log₂e has been rounded before: the power's bound is that for x = 0.
      try requireSwish(folded[index], x / -log2(M_E), bound: bound(0))
    }
  }

  /// The kernel with half as many lanes has its own exponential.
  @Test(arguments: instructionSets)
  func swishOfHalfAsManyLanesIsWithinItsBound(instructionSet: String) throws {
    let table = try KernelTable.selected(instructionSet)
    guard let convolve = table.convolveHalf else { return }
    let numbers = Self.numbers
    let lanes = table.lanes / 2
    // Each pixel's value is the one source of all lanes, with a weight of 1.
    let input = numbers.flatMap { [$0] + [Float](repeating: 0, count: table.lanes - 1) }
    let output = memory.output(numbers.count * lanes)
    convolve(
      ConvolutionRun(
        input: memory.place(input),
        sources: UnsafeBufferPointer(start: memory.place([0]), count: 1), step: table.lanes,
        weights: memory.place([Float](repeating: 1, count: lanes)),
        bias: memory.place([Float](repeating: 0, count: lanes)), output: output.start,
        blockStride: 0, pixels: numbers.count, activation: .swish))
    let results = try output.values()
    for (pixel, number) in numbers.enumerated() {
      let x = Double(number)
      for lane in 0..<lanes {
        try requireSwish(results[pixel * lanes + lane], x, bound: bound(min(x, 0)))
      }
    }
  }

  @Test(arguments: instructionSets)
  func exponentialIsWithinItsBound(instructionSet: String) throws {
    let numbers = Self.numbers.filter { abs($0) < 200 }
    let results = try apply(instructionSet, .exponential, to: numbers)
    for (number, result) in zip(numbers, results) {
      let x = Double(number)
      let expected = min(exp(x), 0x1p127)
      try #require(
        abs(Double(result) - expected) <= max(expected * bound(x), 0x1.8p-126),
        "e^\(number) is \(result)")
    }
  }

  private func value(of function: VectorActivation, at x: Double) -> Double {
    switch function {
    case .tanh: return tanh(x)
    case .gelu: return x / 2 * erfc(-x * 0.5.squareRoot())
    case .mish: return x * tanh(log1p(exp(x)))
    default:
      let cubic = x + 0.044715 * x * x * x
      return x / 2 * (1 + tanh(0.79788452 * cubic))
    }
  }

  /// Functions whose exponential is a part of a sum: the error of that part, of 4 · 10⁻⁶ of it, and roundings.
  @Test(arguments: instructionSets, [VectorActivation.tanh, .gelu, .mish, .fastGELU])
  func functionIsWithinItsBound(instructionSet: String, function: VectorActivation) throws {
    let numbers = Self.numbers.filter { abs($0) < 1e4 }
    let results = try apply(instructionSet, function, to: numbers)
    for (number, result) in zip(numbers, results) {
      let expected = value(of: function, at: Double(number))
      let limit = 4e-6 * max(abs(expected), min(1, abs(Double(number)))) + 0x1p-149
      try #require(
        abs(Double(result) - expected) <= limit,
        "\(function) of \(number) is \(result), not \(expected)")
    }
  }

  /// Where the power is clamped, the error is 89 · 2⁻¹²⁶, and among subnormal numbers their
  /// spacing.
  private func requireSwish(_ result: Float, _ x: Double, bound: Double) throws {
    // From here on the product with −log₂e is infinite.
    if x * log2(M_E) >= 0x1.ffffffp127 { return try #require(result == .infinity) }
    let expected = x / (1 + exp(-x))
    let error = abs(Double(result) - expected)
    let limit = x < Self.end ? 89 * 0x1p-126 : abs(expected) * bound
    try #require(
      error <= limit * 1.000001 + 0x1p-149, "Swish of \(x) is \(result), not \(expected)")
  }

  /// All numbers, including those at which the power is clamped.
  @Test(arguments: [
    VectorActivation.relu, .leakyReLU(slope: 0.1), .clip(minimum: -1, maximum: 6), .sigmoid,
    .swish, .foldedSwish, .hardSigmoid(alpha: 0.2, beta: 0.5), .hardSwish(alpha: 0.2, beta: 0.5),
    .exponential, .tanh, .mish, .gelu, .fastGELU,
  ])
  func isBitIdenticalWithFusedMultiplyAdd(activation: VectorActivation) throws {
    let tables = KernelTable.available.filter(\.fusesMultiplyAdd)
    let results = try tables.map { try apply($0.name, activation, to: Self.numbers) }
    for (table, result) in zip(tables, results).dropFirst() {
      #expect(haveSameBits(result, results[0]), "\(table.name)")
    }
  }

  @Test(arguments: instructionSets)
  func limitsAreAsDocumented(instructionSet: String) throws {
    let ends: [Float] = [.infinity, -.infinity, .nan, 0, -0.0]
    let swish = try apply(instructionSet, .swish, to: ends)
    // The plain layer computes −∞ / ∞, which is NaN.
    #expect(swish[0] == .infinity && (-0x1p-120...0).contains(swish[1]) && swish[2].isNaN)
    #expect(swish[3] == 0 && swish[4] == 0)
    let sigmoid = try apply(instructionSet, .sigmoid, to: ends)
    #expect(abs(sigmoid[0] - 1) <= 1e-6 && (0...0x1p-125).contains(sigmoid[1]))
    #expect(sigmoid[2].isNaN || (0...1).contains(sigmoid[2]))
    #expect(abs(sigmoid[3] - 0.5) <= 2e-6 && sigmoid[3] == sigmoid[4])
  }

  @Test(
    arguments: instructionSets,
    [
      VectorActivation.relu, .leakyReLU(slope: 0.1), .clip(minimum: -1, maximum: 6),
      .hardSigmoid(alpha: 0.2, beta: 0.5), .hardSwish(alpha: 0.2, beta: 0.5), .exponential, .tanh,
      .mish, .gelu,
    ])
  func keepsNaN(instructionSet: String, activation: VectorActivation) throws {
    let results = try apply(instructionSet, activation, to: [.nan, -.nan, 1])
    #expect(results[0].isNaN && results[1].isNaN && !results[2].isNaN)
  }
}

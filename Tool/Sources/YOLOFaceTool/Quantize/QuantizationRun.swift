// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceEvaluation
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceQuantization

/// The stages of `yoloface quantize`, each with its progress. A signal ends any of them with its exit status.
struct QuantizationRun {
  let network: Network
  let recipe: ModelRecipe
  let read: (String) throws -> RGBImage
  /// Nil for the recipe's own size.
  let longSide: Int?
  let threads: Int
  let instructionSet: String?
  private let progress = Progress()

  /// Runs both passes over the pictures, and returns the paths of those that both could read.
  func calibrate(on paths: [String]) throws -> (calibration: Calibration, paths: [String]) {
    var calibration = try Calibration(
      network, outputs: recipe.heads.flatMap(\.blobs), threads: threads,
      instructionSet: instructionSet)
    let found = try add(paths, to: &calibration, "finding magnitudes")
    try calibration.beginCounting()
    let counted = try add(found, to: &calibration, "counting")
    return (calibration, counted)
  }

  /// Runs one pass; the paths of the pictures that could be read. The others are reported.
  private func add(
    _ paths: [String], to calibration: inout Calibration, _ stage: String
  ) throws -> [String] {
    var readable: [String] = []
    for (number, path) in paths.enumerated() {
      try show("\(stage): \(number) of \(paths.count) pictures")
      let input: RGBImage
      do { input = try letterboxed(path, mode) } catch {
        progress.clear()
        printError("\(error)")
        continue
      }
      try calibration.add([recipe.input: try recipe.tensor(input)])
      readable.append(path)
    }
    progress.clear()
    guard !readable.isEmpty else { throw ExitCode.failure }
    return readable
  }

  /// The pictures on which networks are compared, evenly spread over all.
  func trials(among paths: [String], count: Int) throws -> Trials {
    let count = min(count, paths.count)
    let inputs = try (0..<count).map { number in
      try show("preparing \(number) of \(count) trials")
      return try letterboxed(
        paths[(2 * number + 1) * paths.count / (2 * count)], number % 2 == 0 ? mode : halfMode)
    }
    progress.clear()
    return try Trials(inputs, of: self)
  }

  /// Leaves those layers in floating point that cost more than the tolerance.
  func quantize(
    _ calibration: Calibration, _ trials: Trials, tolerance: Double
  ) throws -> QuantizationResult {
    var quantizer = try Quantizer(calibration, inputs: [recipe.input: trials.shape])
    let first = try trials.difference(of: try quantizer.quantized()).whole
    var errors: [Int: Double] = [:]
    for (number, layer) in quantizer.layers.enumerated() {
      try show("measuring layers: \(number) of \(quantizer.layers.count)")
      errors[layer] = try trials.difference(of: try quantizer.quantized(onlyLayer: layer)).whole
    }
    quantizer.floatLayers = Set(errors.filter { $0.value > tolerance }.keys)
    progress.clear()
    return QuantizationResult(
      quantizer: quantizer, errors: errors, firstError: first,
      difference: try trials.difference(of: try quantizer.quantized()))
  }

  private var mode: Letterbox.Mode {
    longSide.map { .longSide($0) } ?? recipe.letterbox.standardMode
  }

  /// Half of the long side, if the network takes it.
  private var halfMode: Letterbox.Mode {
    guard recipe.letterbox.fixedSize == nil else { return mode }
    if case .area(let area) = mode { return .area(max(1, area / 4)) }
    return .longSide(recipe.letterbox.roundedUp(max(1, mode.longSide / 2)))
  }

  private func letterboxed(_ path: String, _ mode: Letterbox.Mode) throws -> RGBImage {
    let image = try read(path)
    return try image.letterboxed(
      try Letterbox(
        imageWidth: image.width, imageHeight: image.height, mode: mode, style: recipe.letterbox))
  }

  private func show(_ text: String) throws {
    if Interruption.signalNumber != nil { progress.clear() }
    try Interruption.check()
    progress.show(text)
  }
}

struct QuantizationResult {
  var quantizer: Quantizer
  /// By layer, the error if it alone is int8.
  var errors: [Int: Double]
  /// The error of the whole before layers stayed in floating point.
  var firstError: Double
  var difference: CandidateDifference
}

/// Pictures on which a network is compared with the original.
struct Trials {
  private let run: QuantizationRun
  private let inputs: [(tensor: Tensor, size: (width: Int, height: Int))]
  /// For each input, the candidates of each head.
  private var references: [[[Candidate]]] = []

  var shape: [Int] { inputs[0].tensor.shape }
  var count: Int { inputs.count }

  init(_ inputs: [RGBImage], of run: QuantizationRun) throws {
    self.run = run
    // Pictures of one size share a plan.
    self.inputs = try inputs.sorted { ($0.width, $0.height) < ($1.width, $1.height) }.map {
      (try run.recipe.tensor($0), ($0.width, $0.height))
    }
    references = try candidates(of: run.network)
  }

  func difference(of network: Network) throws -> CandidateDifference {
    var difference = CandidateDifference()
    for (reference, found) in zip(references, try candidates(of: network)) {
      for (one, other) in zip(reference, found) { difference.add(one, other) }
    }
    return difference
  }

  private func candidates(of network: Network) throws -> [[[Candidate]]] {
    let recipe = run.recipe
    let engine = try Engine(
      network, threads: run.threads, instructionSet: run.instructionSet)
    let blobs = recipe.heads.flatMap(\.blobs)
    // Lower than what counts, so that a candidate that counts in one network is rarely missing in the other.
    let threshold = ScoreThreshold(CandidateDifference.leastScore / 16)
    return try inputs.map { input in
      let outputs = try engine.run([recipe.input: input.tensor], extracting: blobs)
      return try recipe.heads.map { head in
        let values = head.blobs.map { (outputs[$0]?.shape ?? [], outputs[$0]?.values ?? []) }
        let grid = head.grid(inputWidth: input.size.width, inputHeight: input.size.height)
        return try head.candidates(in: values, grid, threshold: threshold)
      }
    }
  }
}

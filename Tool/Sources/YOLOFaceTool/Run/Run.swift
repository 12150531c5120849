// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFaceFileSystem
import YOLOFaceFormatting
@_spi(Tool) import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceUntrusted

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs an ncnn network on NumPy arrays and writes blobs.",
    discussion: """
      Arrays are .npy files of float32 with one to four axes, as C × H × W. Before three axes or more, one of a \
      single element is the batch, and is left out: a blob of four axes that begins with such a one needs two.

      Supported layer kinds: \(LayerOperation.kinds.sorted().joined(separator: ", ")). Unsupported variants, such as pooling \
      of fewer than three axes, are refused with an error that names the line. Int8 blobs are written as their \
      integers.

      Examples:
        yoloface run model.param model.bin --input data=in.npy --extract out --output-directory blobs
        yoloface run model.param model.bin --input data=in.npy --extract-all --output-directory blobs

      How long it takes, of 50 runs on two threads:
        yoloface run model.param model.bin --input data=in.npy --extract out --threads 2 --iterations 50

      One layer by the engine and by plain arithmetic, to compare in NumPy:
        yoloface run model.param model.bin --input data=in.npy --extract stem_c1 --output-directory fast
        yoloface run model.param model.bin --input data=in.npy --extract stem_c1 --output-directory plain --plain
      """)

  @Argument(help: "The .param file.", completion: .file(extensions: ["param"]))
  var param: String

  @Argument(help: "The .bin file.", completion: .file(extensions: ["bin"]))
  var bin: String

  @Option(
    help: ArgumentHelp(
      "An input, or any other blob, and the array it takes; may be repeated.", valueName: "name=npy"
    ))
  var input: [String] = []

  @Option(
    help: ArgumentHelp(
      "Names of blobs to write, comma-separated; may be repeated.", valueName: "names"))
  var extract: [String] = []

  @Flag(help: "Write every blob of the network.")
  var extractAll = false

  @Option(
    help: "The directory for the blobs, which are written as NAME.npy and replace older ones.",
    completion: .directory)
  var outputDirectory = "."

  @Flag(help: "Run layer by layer in plain arithmetic instead of with the fast engine.")
  var plain = false

  @Option(parsing: .unconditional, help: "Threads that share the fast engine's work.")
  var threads = 1

  @Option(help: "The instruction set; by default the fastest that this machine supports.")
  var isa: InstructionSetName?

  @Option(
    parsing: .unconditional,
    help: "Run the fast engine so many times more, and print how long that takes.")
  var iterations = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The most memory that blobs and weights may take at one time, in MiB.", valueName: "mebibytes"
    ))
  var maxMemory = 1024

  @Option(
    help: ArgumentHelp(
      """
      The most steps of arithmetic, in thousand millions (10⁹); layers without a kernel, and --plain, may \
      take a sixteenth.
      """, valueName: "number"))
  var maxWork = Int(RunLimit.defaultWork / 1_000_000_000)

  func validate() throws {
    try requireNumber("--max-memory", maxMemory, in: 1...65_536)
    try requireNumber("--max-work", maxWork, in: 1...1_000_000)
    try requireNumber("--threads", threads, in: threadCounts)
    try requireNumber("--iterations", iterations, in: 0...100_000)
    guard !plain || threads == 1 && isa == nil && iterations == 0 else {
      throw ValidationError(
        "--plain uses one thread and no SIMD kernels: leave out --threads, --isa and --iterations.")
    }
    guard extract.isEmpty == extractAll else {
      throw ValidationError("Give --extract with names of blobs, or --extract-all.")
    }
    for text in extract
    where text.split(separator: ",", omittingEmptySubsequences: false).contains("") {
      throw ValidationError("--extract \(text): give comma-separated names of blobs.")
    }
    var names: Set<Substring> = []
    for text in input {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else {
        throw ValidationError("--input \(text): give it as NAME=FILE.npy.")
      }
      guard names.insert(parts[0]).inserted else {
        throw ValidationError("--input \(text): \(parts[0]) already has an array: give one.")
      }
    }
  }

  func run() throws {
    let start = ContinuousClock.now
    let network = try Network(param: param, bin: bin)
    printWarnings(of: network)
    let arrays = input.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let fed = network.feeding(arrays.map { $0[0] })
    let names =
      extractAll
      ? network.blobs(leftIn: fed.cut(to: network.outputs))
      : extract.flatMap { $0.split(separator: ",").map(String.init) }
    let paths = try outputPaths(of: names)
    let outputs = try Outputs(
      documents: paths.map(\.path), directories: [outputDirectory],
      inputs: [param, bin] + arrays.map { $0[1] })
    var inputs: [String: Tensor] = [:]
    for array in arrays { inputs[array[0]] = try NPY.read(path: array[1]) }
    var times = Times(start: start)
    let blobs = try blobs(names, of: fed, inputs, &times)
    for (name, path) in paths {
      guard let blob = blobs[name] else { continue }
      try outputs.write(NPY.encode(blob), to: path)
      try printLine(printable("\(name) \(blob.shape.map(String.init).joined(separator: " × "))"))
    }
    if iterations > 0 { try printLine(times.text) }
  }

  /// Milliseconds from before the network is read to its first results, and of each further run.
  private struct Times {
    let start: ContinuousClock.Instant
    var first = 0.0
    var further: [Double] = []

    var text: String {
      let statistics = BenchReport.Statistics(further)
      let numbers = [first, statistics.min, statistics.median, statistics.p90]
        .map { fixed($0, decimals: 3) }
      return
        "\(numbers[0]) ms with loading; \(counted(further.count, "further run")): "
        + "\(numbers[1]) ms at least, \(numbers[2]) median, \(numbers[3]) p90"
    }
  }

  private func blobs(
    _ names: [String], of network: Network, _ inputs: [String: Tensor], _ times: inout Times
  ) throws -> [String: Tensor] {
    let elements = maxMemory << 20 / MemoryLayout<Float>.size
    let work = Int64(maxWork) * 1_000_000_000
    do throws(InferenceError) {
      guard plain else {
        let engine = try Engine(
          network, threads: threads, instructionSet: isa?.rawValue, maximumElements: elements,
          maximumWork: work)
        let blobs = try engine.run(inputs, extracting: names)
        times.first = (ContinuousClock.now - times.start).seconds * 1000
        for _ in 0..<iterations {
          let start = ContinuousClock.now
          _ = try engine.run(inputs, extracting: names)
          times.further.append((ContinuousClock.now - start).seconds * 1000)
        }
        return blobs
      }
      var interpreter = try Interpreter(network)
      interpreter.maximumElements = elements
      interpreter.maximumWork = work / RunLimit.plainPart
      return try interpreter.run(inputs, extracting: names)
    } catch {
      switch error.limit {
      case .elements: throw Failure("\(error); --max-memory allows more")
      case .work: throw Failure("\(error); --max-work allows more")
      case nil: throw error
      }
    }
  }

  /// The file of each blob, in the order of the names; slashes become underscores.
  private func outputPaths(of names: [String]) throws -> [(name: String, path: String)] {
    var owners: [UntrustedText: UntrustedText] = [:]
    return try names.compactMap { name in
      let fileName = withoutSlashes(name) + ".npy"
      if let owner = owners.updateValue(UntrustedText(name), forKey: UntrustedText(fileName)) {
        guard owner == UntrustedText(name) else {
          throw Failure(
            "found blobs \(owner) and \(name), both for \(fileName), expected names that differ without "
              + "slashes; extract them one by one")
        }
        return nil
      }
      return (name, "\(outputDirectory)/\(fileName)")
    }
  }
}

extension Network {
  /// The names of the blobs that another form of the network has as well.
  fileprivate func blobs(leftIn other: Network) -> [String] {
    let left = Set(other.layers.flatMap(\.outputs))
    return layers.flatMap(\.outputs).filter(left.contains)
  }
}

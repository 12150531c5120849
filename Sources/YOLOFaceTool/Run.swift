import ArgumentParser
import Files
import Inference
import NCNN

/// `yoloface run`: any network, any blob.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs any ncnn network on NumPy arrays and writes blobs.",
    discussion: """
      Arrays are .npy files of float32, C × H × W.

      Examples:
        yoloface run model.param model.bin --input data=in.npy --extract out --output-directory blobs
        yoloface run model.param model.bin --input data=in.npy --extract-all --output-directory blobs
      """)

  @Argument(help: "The .param file.")
  var param: String

  @Argument(help: "The .bin file.")
  var bin: String

  @Option(
    help: ArgumentHelp(
      "An input blob and the array it takes; may be repeated.", valueName: "name=npy"))
  var input: [String] = []

  @Option(help: ArgumentHelp("Names of blobs to write, parted by commas.", valueName: "names"))
  var extract: String?

  @Flag(help: "Write every blob of the network.")
  var extractAll = false

  @Option(help: "Where the blobs are written, as NAME.npy.")
  var outputDirectory = "."

  @Flag(help: "Run layer by layer in plain arithmetic instead of the fast engine.")
  var plain = false

  func validate() throws {
    guard (extract != nil) != extractAll else {
      throw ValidationError("Give --extract with names of blobs, or --extract-all.")
    }
    for text in input where text.split(separator: "=", maxSplits: 1).count != 2 {
      throw ValidationError("--input \(text): give it as NAME=FILE.npy.")
    }
  }

  func run() throws {
    try reportingErrors {
      let network = try Network(param: param, bin: bin)
      var inputs: [String: Tensor] = [:]
      for text in input {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        inputs[parts[0]] = try NPY.read(path: parts[1])
      }
      let names =
        extract?.split(separator: ",").map(String.init) ?? network.layers.flatMap(\.outputs)
      let blobs =
        plain
        ? try Interpreter(network).run(inputs, extracting: names)
        : try Engine(network).run(inputs, extracting: names)
      for name in names {
        guard let blob = blobs[name] else { continue }
        let fileName = name.split(separator: "/", omittingEmptySubsequences: false).joined(
          separator: "_")
        try NPY.write(blob, path: "\(outputDirectory)/\(fileName).npy")
        try printLine("\(name) \(blob.shape.map(String.init).joined(separator: " × "))")
      }
    }
  }
}

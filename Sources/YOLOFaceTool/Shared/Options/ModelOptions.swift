import ArgumentParser
import YOLOFace

/// The options that choose a model other than the embedded one, and what it runs on.
struct ModelOptions: ParsableArguments {
  @Option(help: "The .param file of another model; the embedded one is the default.")
  var param: String?

  @Option(help: "The .bin file of that model.")
  var bin: String?

  @Option(help: "The instruction set; the fastest that this machine has is the default.")
  var isa: InstructionSetName?

  func validate() throws {
    if (param == nil) != (bin == nil) {
      throw ValidationError("--param and --bin go together: give both or neither.")
    }
  }

  /// The files that the model is read from.
  var files: [String?] { [param, bin] }

  func detector(threads: Int) throws -> FaceDetector {
    guard let param, let bin else {
      return try FaceDetector(threads: threads, instructionSet: isa?.rawValue)
    }
    return try FaceDetector(
      param: param, bin: bin, threads: threads, instructionSet: isa?.rawValue)
  }
}

/// The instruction sets that there are kernels for, of which a machine need not have all.
enum InstructionSetName: String, ExpressibleByArgument, CaseIterable {
  case avx512, avx2, baseline
}

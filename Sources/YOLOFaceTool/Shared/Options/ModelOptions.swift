import ArgumentParser
import YOLOFace

/// The options that choose a model other than the embedded one, and the instruction set.
struct ModelOptions: ParsableArguments {
  @Option(help: "The .param file of another model; by default the embedded model is used.")
  var param: String?

  @Option(help: "The .bin file of that model.")
  var bin: String?

  @Option(help: "The instruction set; by default the fastest that this machine supports.")
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

/// The instruction sets that have kernels; a machine may not support all of them.
enum InstructionSetName: String, ExpressibleByArgument, CaseIterable {
  case avx512vnni, avx512, avx2, baseline
}

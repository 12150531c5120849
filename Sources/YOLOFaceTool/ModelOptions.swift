import ArgumentParser
import YOLOFace

/// The options that choose a model other than the embedded one.
struct ModelOptions: ParsableArguments {
  @Option(help: "The .param file of another model; the embedded one is the default.")
  var param: String?

  @Option(help: "The .bin file of that model.")
  var bin: String?

  func validate() throws {
    if (param == nil) != (bin == nil) {
      throw ValidationError("--param and --bin go together: give both or neither.")
    }
  }

  func detector(threads: Int = 1, instructionSet: String? = nil) throws -> FaceDetector {
    guard let param, let bin else {
      return try FaceDetector(threads: threads, instructionSet: instructionSet)
    }
    return try FaceDetector(
      param: param, bin: bin, threads: threads, instructionSet: instructionSet)
  }
}

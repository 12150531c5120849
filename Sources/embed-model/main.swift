import Foundation

// embed-model PARAM BIN INT8-PARAM INT8-BIN OUTPUT: writes a Swift file that holds the files as
// base64.
//
// A string literal compiles in a second; SwiftPM's own .embedInCode writes an array of numbers,
// which takes the compiler minutes.

let arguments = CommandLine.arguments
guard arguments.count == 6 else {
  fatalError("usage: embed-model PARAM BIN INT8-PARAM INT8-BIN OUTPUT")
}
func base64(_ path: String) throws -> String {
  try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
}
let source = """
  /// The files of the default model, as base64.
  enum EmbeddedModel {
    static let param: StaticString = "\(try base64(arguments[1]))"
    static let bin: StaticString = "\(try base64(arguments[2]))"
    static let int8Param: StaticString = "\(try base64(arguments[3]))"
    static let int8Bin: StaticString = "\(try base64(arguments[4]))"
  }

  """
// A file that does not change is not compiled again.
if (try? String(contentsOfFile: arguments[5], encoding: .utf8)) != source {
  try source.write(toFile: arguments[5], atomically: true, encoding: .utf8)
}

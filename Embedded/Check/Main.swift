// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// Runs the engine where nothing else of this project runs: `check cases FILE`, or
/// `check run PARAM BIN INPUT CHANNELS ROWS COLUMNS BLOBS OUTPUT`.
@_cdecl("main")
public func main(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>>) -> Int32 {
  let words = (1..<max(1, Int(count))).map { String(cString: arguments[$0]) }
  do throws(Refusal) {
    switch words.first {
    case "cases" where words.count == 2: try checkCases(of: try contents(of: words[1]))
    case "run" where words.count == 9: try run(Array(words.dropFirst()))
    default:
      throw Refusal(
        message: "usage: check cases FILE | check run PARAM BIN INPUT C H W BLOBS OUTPUT")
    }
    return 0
  } catch {
    print(error.message)
    return 1
  }
}

/// The bytes of a file.
func contents(of path: String) throws(Refusal) -> [UInt8] {
  guard let file = fopen(path, "rb") else { throw Refusal(message: "\(path) cannot be read") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<Int(count)]
  }
}

import Files
import Foundation
import TestSupport
import Testing

struct NewFileTests {
  @Test func leavesNothingWhenNobodyHoldsIt() throws {
    try withTemporaryFolder { folder in
      func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
      }
      var file = try NewFile(folder.appending(path: "a").path)
      #expect(try names().count == 1)
      file = try NewFile(folder.appending(path: "b").path)
      #expect(try names().count == 1)
      try file.finish()
      #expect(try names() == ["b"])
    }
  }
}

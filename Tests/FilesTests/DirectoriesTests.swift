import Files
import Foundation
import TestSupport
import Testing

struct DirectoriesTests {
  @Test func createsWhatIsMissing() throws {
    try withTemporaryFolder { folder in
      for name in ["a", "a", "b/c//d/", "."] {
        let path = folder.appending(path: name).path
        try prepareDirectory(path)
        try writeFile([1], to: "\(path)/file")
      }
    }
  }

  @Test func refusesWhatIsNoDirectory() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "file").path
      try writeFile([1], to: path)
      for path in [path, path + "/below", ""] {
        let error = #expect(throws: FileError.self) { try prepareDirectory(path) }
        #expect(error?.path == path)
      }
    }
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func refusesWhatIsReadOnly() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "locked").path
      #expect(mkdir(path, 0o500) == 0)
      let error = #expect(throws: FileError.self) { try prepareDirectory(path) }
      #expect(error?.found == "Permission denied")
    }
  }
}

import Foundation
import TestSupport
import Testing

/// `Scripts/collect-notices` on a build directory with one package and a few modules.
@Suite(.enabled(if: Python.exists, Python.explanation))
struct CollectNoticesTests {
  /// Checks Server/NOTICE, which cannot match such a build, against what was linked.
  private func check(linking modules: [String]) throws -> Programs.Run {
    var result = Programs.Run()
    try withTemporaryFolder { folder in
      func write(_ text: String, to path: String) throws {
        try writeText(text, to: folder.appending(path: path))
      }
      try write(
        modules.map { "/old.build/\($0).build/a.swift.o\n" }.joined(),
        to: "machine/debug/yoloface-server.product/Objects.LinkFileList")
      try write(
        #".target(name: "Elsewhere", path: "Sources/other"), .product(name: "Foreign")"#,
        to: "checkouts/package/Package.swift")
      result = try Python.run(
        "Scripts/collect-notices", ["--check", "--build-folder", folder.path])
    }
    return result
  }

  @Test func refusesModulesWithoutAPackage() throws {
    let run = try check(linking: ["NCNN", "YOLOFaceServer", "Elsewhere", "Foreign"])
    #expect(run.status == 1)
    #expect(run.output.contains("has the linked modules Foreign;"), "\(run.output)")
  }

  @Test func namesPackagesThatAreNotLinked() throws {
    let leftOut = "package is not in the program: left out"
    #expect(try check(linking: ["NCNN"]).output.contains(leftOut))
    let run = try check(linking: ["NCNN", "Elsewhere"])
    #expect(!run.output.contains(leftOut))
    #expect(run.output.contains("NOTICE is stale"), "\(run.output)")
  }
}

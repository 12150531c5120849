// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The README's lists of modules, and the rules of CONTRIBUTING for the names of files.
struct TreeTests {
  /// The tool's tests are an exception: they run whole commands, and are named after what they
  /// test.
  @Test func testsHaveTheStemsOfSources() throws {
    for package in ["", "Tool/"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: Self.path("\(package)Tests"))
      let modules = names.filter { $0.hasSuffix("Tests") && $0 != "YOLOFaceToolTests" }
        .map { $0.dropLast(5) }
      #expect(modules.count > 5)
      for module in modules {
        let sources = Set(Self.files("\(package)Sources/\(module)").map(Self.stem))
        guard !sources.isEmpty else { continue }
        let others = Self.files("\(package)Tests/\(module)Tests").filter { file in
          file.hasSuffix("Tests.swift") && !file.hasPrefix("Behaviour/")
            && !sources.contains(String(Self.stem(file).dropLast(5)))
        }
        #expect(others.isEmpty, "no file of \(package)Sources/\(module) has their stems: \(others)")
      }
    }
  }

  @Test(arguments: ["", "Tool/"])
  func theReadmeListsEveryModule(package: String) throws {
    let readme = try String(contentsOfFile: Self.path("README.md"), encoding: .utf8)
    let lines = readme.components(separatedBy: "\n\(package)Sources/\n").last?
      .components(separatedBy: "\n\(package)Tests/").first?.components(separatedBy: "\n")
    // A line of a module's begins with its name; the columns are two spaces apart.
    let listed = try #require(lines).filter { !$0.hasPrefix("   ") }
      .compactMap { $0.dropFirst(2).components(separatedBy: "  ").first }
      .flatMap { $0.components(separatedBy: ", ") }
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: Self.path("\(package)Sources")
    ).filter { !$0.hasPrefix(".") }
    #expect(Set(listed) == Set(modules))
  }

  /// `swift test` in the engine's package and `Scripts/test` in the tool's run the same tests of the engine.
  @Test func bothManifestsListTheEnginesTests() throws {
    func names(in manifest: String, after word: Regex<Substring>) throws -> Set<Substring> {
      let text = try String(contentsOfFile: Self.path(manifest), encoding: .utf8)
      return Set(text.split(separator: word).dropFirst().map { $0.prefix { $0 != "\"" } })
    }
    let engine = try names(in: "Package.swift", after: /\.testTarget\(\s*name: "/)
    #expect(engine.count > 5)
    #expect(try names(in: "Tool/Package.swift", after: /\n    engineTests\(\s*"/) == engine)
  }

  private static func path(_ name: String) -> String {
    SharedData.projectRoot.appending(path: name).path
  }

  /// The Swift files below a directory; none if it does not exist.
  private static func files(_ directory: String) -> [String] {
    (FileManager.default.enumerator(atPath: path(directory)).map { $0.compactMap { $0 as? String } }
      ?? []).filter { $0.hasSuffix(".swift") }
  }

  private static func stem(_ file: String) -> String {
    URL(filePath: file).deletingPathExtension().lastPathComponent
  }
}

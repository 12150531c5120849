// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct ArticleTests {
  private static let modules = Programs.buildDirectory.appending(path: "Modules")
  private static let hasModules = FileManager.default.fileExists(atPath: modules.path)

  @Test(.enabled(if: hasModules, "needs modules where SwiftPM's own build system puts them"))
  func codeCompiles() throws {
    let articles = try Article.all()
    #expect(articles.count > 15)
    try withTemporaryFolder { folder in
      var files: [String] = []
      for program in articles.flatMap(\.programs) {
        let file = folder.appending(path: "program\(files.count).swift")
        try Data(program.utf8).write(to: file)
        files.append(file.path)
      }
      let moduleMaps = ["CYOLOFaceModel", "CYOLOFacePNG", "CYOLOFaceJPEG", "CYOLOFaceWebP"]
        .map { Programs.buildDirectory.appending(path: "\($0).build/module.modulemap").path }
        .filter { FileManager.default.fileExists(atPath: $0) }
      let run = try Programs.run(
        URL(fileURLWithPath: "/usr/bin/env"),
        [
          "swiftc", "-typecheck", "-wmo", "-parse-as-library", "-swift-version", "6",
          "-I", Self.modules.path,
        ] + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + files)
      #expect(run.status == 0, "\(run.output)")
    }
  }

  /// Pages link to each other's files; `Scripts/document` turns these links into the site's
  /// addresses.
  @Test func linksLeadToPages() throws {
    for article in try Article.all() {
      let folder = SharedData.projectRoot.appending(path: article.path).deletingLastPathComponent()
      for link in article.lines.joined(separator: "\n").matches(of: /\]\(([^):#]+\.md)\)/) {
        let target = folder.appending(path: String(link.1)).standardizedFileURL
        #expect(FileManager.default.fileExists(atPath: target.path), "\(article.path): \(link.1)")
      }
    }
  }

  /// The tutorial's blocks make up the program in `Snippets`, which is compiled and run.
  @Test func tutorialIsTheSnippet() throws {
    let tutorial = try Article(path: "Sources/YOLOFace/YOLOFace.docc/BuildingADetector.md")
    let snippet = try Article(path: "Snippets/BuildADetector.swift")
    let code = tutorial.blocks.map { tutorial.lines[$0].joined(separator: "\n") }
      .joined(separator: "\n\n")
    let program = snippet.lines.drop { $0.hasPrefix("//") || $0.isEmpty }
    #expect(code + "\n" == program.joined(separator: "\n"))
  }
}

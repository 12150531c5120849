// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Turns the pages in Tool/Sources/Explanation, their engine and their pictures into Swift source files, so that a
/// binary needs no other file.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let pages = target.directoryURL
    let examples = context.package.directoryURL.deletingLastPathComponent()
      .appending(path: "Examples")
    let sources = ["Page", "Playground", "Engine"].map { pages.appending(path: $0) }
    let inputs = try (sources + [examples]).flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    let tool = try context.tool(named: "embed-page").url
    let files = [
      ("Page", sources[0], "page.html"), ("Playground", sources[1], "playground.html"),
      ("Engine", sources[2], "engine.wasm.gz"), ("Portrait", examples, "astronaut.png"),
      ("Crowd", examples, "crowd.png"), ("Cat", examples, "cat.png"),
    ]
    return files.map { name, folder, file in
      let output = context.pluginWorkDirectoryURL.appending(path: "Embedded\(name).swift")
      return .buildCommand(
        displayName: "Embedding \(file)", executable: tool,
        arguments: [folder.path, file, "Embedded\(name)", output.path],
        inputFiles: inputs, outputFiles: [output])
    }
  }
}

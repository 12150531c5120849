import Foundation
import PackagePlugin

/// Turns the pages in Tool/Sources/Explanation and their engine into Swift source files, so that a binary needs no other file.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folders = ["Page", "Playground", "Engine"].map { target.directoryURL.appending(path: $0) }
    let inputs = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    let tool = try context.tool(named: "embed-page").url
    let files = [
      ("Page", "page.html"), ("Playground", "playground.html"), ("Engine", "engine.wasm.gz"),
    ]
    return files.map { name, file in
      let output = context.pluginWorkDirectoryURL.appending(path: "Embedded\(name).swift")
      return .buildCommand(
        displayName: "Embedding \(file)", executable: tool,
        arguments: [
          target.directoryURL.appending(path: name).path, file, "Embedded\(name)", output.path,
        ],
        inputFiles: inputs, outputFiles: [output])
    }
  }
}

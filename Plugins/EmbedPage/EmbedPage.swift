import Foundation
import PackagePlugin

/// Turns the pages in Sources/Explanation into Swift source files, so that a binary needs no other file.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folders = ["Page", "Playground"].map { target.directoryURL.appending(path: $0) }
    let inputs = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    let tool = try context.tool(named: "embed-page").url
    return folders.map { folder in
      let name = folder.lastPathComponent
      let output = context.pluginWorkDirectoryURL.appending(path: "Embedded\(name).swift")
      return .buildCommand(
        displayName: "Embedding \(name.lowercased()).html", executable: tool,
        arguments: [folder.path, "\(name.lowercased()).html", "Embedded\(name)", output.path],
        inputFiles: inputs, outputFiles: [output])
    }
  }
}

import Foundation
import PackagePlugin

/// Turns the report page in Sources/Explanation/Page into a Swift source file, so that a binary
/// needs no other file.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Page")
    let inputs = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedPage.swift")
    return [
      .buildCommand(
        displayName: "Embedding the page of a report",
        executable: try context.tool(named: "embed-page").url,
        arguments: [folder.path, output.path], inputFiles: inputs, outputFiles: [output])
    ]
  }
}

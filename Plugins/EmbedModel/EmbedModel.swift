import PackagePlugin

/// Turns the default model under Models/, in each precision, into a Swift source file, so that a
/// binary needs no other file.
@main
struct EmbedModel: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let models = context.package.directoryURL.appending(path: "Models")
    let inputs = ["yoloface-n-0.5", "yoloface-n-0.5-int8"].flatMap { name in
      ["param", "bin"].map { models.appending(path: "\(name).\($0)") }
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedModel.swift")
    return [
      .buildCommand(
        displayName: "Embedding the default model",
        executable: try context.tool(named: "embed-model").url,
        arguments: (inputs + [output]).map(\.path), inputFiles: inputs, outputFiles: [output])
    ]
  }
}

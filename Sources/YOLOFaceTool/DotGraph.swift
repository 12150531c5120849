/// A network in Graphviz' language (<https://graphviz.org/doc/info/lang.html>): a box for each layer,
/// an ellipse for each output, an edge for each blob that is read.
///
/// Layers whose output has no shape, since something before or in them cannot be run, are dashed.
func dotGraph(_ report: InspectReport) -> String {
  var lines = [
    "digraph \(quoted([report.model])) {", "  node [shape=box, fontname=\"Helvetica\"]",
    "  edge [fontname=\"Helvetica\", fontsize=10]",
  ]
  // Names of the file's own stand in labels only; nodes go by numbers.
  var producers: [String: (node: String, blob: InspectReport.Blob)] = [:]
  for (number, layer) in report.layers.enumerated() {
    for blob in layer.outputs { producers[blob.name] = ("layer\(number)", blob) }
  }
  func edge(from blob: String, to node: String) -> String? {
    producers[blob].map { "  \($0.node) -> \(node) [label=\(quoted($0.blob.words))]" }
  }
  for (number, layer) in report.layers.enumerated() {
    var words = [layer.kind, layer.name]
    if let shape = layer.outputs.first?.shape { words.append(shape.text) }
    if layer.parameters > 0 { words.append("\(layer.parameters) parameters") }
    let style = layer.outputs.allSatisfy { $0.shape != nil } ? "" : ", style=dashed"
    lines.append("  layer\(number) [label=\(quoted(words))\(style)]")
  }
  for (number, layer) in report.layers.enumerated() {
    lines += layer.inputs.compactMap { edge(from: $0, to: "layer\(number)") }
  }
  for (number, blob) in report.outputs.enumerated() {
    lines.append("  output\(number) [label=\(quoted(blob.words)), shape=ellipse]")
    if let edge = edge(from: blob.name, to: "output\(number)") { lines.append(edge) }
  }
  return (lines + ["}"]).joined(separator: "\n")
}

extension InspectReport.Blob {
  fileprivate var words: [String] { [name] + (shape.map { [$0.text] } ?? []) }
}

/// A label of several lines. Graphviz reads backslashes and HTML's entities in it.
private func quoted(_ lines: [String]) -> String {
  let escaped = lines.map { line in
    // Not by `Character`: a quote and an accent that follows are one other character.
    line.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "&": text += "&amp;"
      case "\n", "\r": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
  return "\"\(escaped.joined(separator: "\\n"))\""
}

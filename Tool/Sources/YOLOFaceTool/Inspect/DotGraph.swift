import Formatting

/// A network in Graphviz's DOT language (<https://graphviz.org/doc/info/lang.html>): a box for each layer, an ellipse
/// for each output, an edge for each blob that is read. A layer is dashed if its output has no shape because it or a
/// layer before it cannot be run.
func dotGraph(_ report: InspectReport, _ put: (String) throws -> Void) rethrows {
  try put("digraph \(quoted([report.model])) {")
  try put("  node [shape=box, fontname=\"Helvetica\"]")
  try put("  edge [fontname=\"Helvetica\", fontsize=10]")
  // Names from the file appear only in labels; nodes are numbered.
  var producers: [String: (layer: Int, blob: InspectReport.Blob)] = [:]
  for (number, layer) in report.layers.enumerated() {
    for blob in layer.outputs { producers[blob.name] = (number, blob) }
  }
  func putEdge(from blob: String, to node: String) throws {
    guard let producer = producers[blob] else { return }
    try put("  layer\(producer.layer) -> \(node) [label=\(quoted(producer.blob.words))]")
  }
  for (number, layer) in report.layers.enumerated() {
    var words = [layer.kind, layer.name]
    if let shape = layer.outputs.first?.shape { words.append(shape.text) }
    if !layer.attributes.isEmpty { words.append(layer.attributes.joined(separator: ", ")) }
    if layer.parameters > 0 { words.append("\(layer.parameters) parameters") }
    let style = layer.outputs.allSatisfy { $0.shape != nil } ? "" : ", style=dashed"
    try put("  layer\(number) [label=\(quoted(words))\(style)]")
  }
  for (number, layer) in report.layers.enumerated() {
    for blob in layer.inputs { try putEdge(from: blob, to: "layer\(number)") }
  }
  for (number, blob) in report.outputs.enumerated() {
    try put("  output\(number) [label=\(quoted(blob.words)), shape=ellipse]")
    try putEdge(from: blob.name, to: "output\(number)")
  }
  try put("}")
}

extension InspectReport.Blob {
  fileprivate var words: [String] { [name] + (shape.map { [$0.text] } ?? []) }
}

/// A label of several lines, with backslashes and HTML entities escaped, so that Graphviz shows them as they are.
private func quoted(_ lines: [String]) -> String {
  let escaped = lines.map { line in
    // By scalars: a quote and a combining accent after it are a single `Character`.
    line.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "&": text += "&amp;"
      case "\n", "\r": text += "\\n"
      default: text += printable(String(scalar))
      }
    }
  }
  return "\"\(escaped.joined(separator: "\\n"))\""
}

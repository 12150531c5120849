// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting

/// A network in Graphviz's DOT language (<https://graphviz.org/doc/info/lang.html>), from left to right: a box for each
/// group of layers or for each layer, an ellipse for each output, an edge for each blob that is read, of a group's each
/// shape once. What has an output without a shape, because it or a layer before it cannot be run, is dashed.
func dotGraph(_ report: InspectReport, _ put: (String) throws -> Void) rethrows {
  let isFolded = report.layers.count > 50
  try put("digraph \(quoted([report.model])) {")
  try put("  rankdir=LR")
  try put("  node [shape=box, fontname=\"Helvetica\"]")
  try put("  edge [fontname=\"Helvetica\", fontsize=10]")
  // Names from the file appear only in labels; nodes are numbered.
  let groups = isFolded ? layerGroups(report) : report.layers.indices.map { ("", [$0]) }
  var nodes = report.layers.map { _ in 0 }
  for (node, group) in groups.enumerated() {
    for index in group.layers { nodes[index] = node }
    let layers = group.layers.map { report.layers[$0] }
    let (parameters, products) = layers.reduce((0, Int64(0))) {
      ($0.0 + $1.parameters, $0.1 + $1.multiplyAdds)
    }
    let sums = [
      counted(layers.count, "layer"), "\(parameters) parameters", "\(products) multiply-adds",
    ]
    let words = isFolded ? [group.title] + sums : layers[0].words
    let isWhole = layers.allSatisfy { $0.outputs.allSatisfy { $0.shape != nil } }
    try put("  node\(node) [label=\(quoted(words))\(isWhole ? "" : ", style=dashed")]")
  }
  var edges: Set<[String]> = []
  for (number, layer) in report.layers.enumerated() {
    for name in layer.inputs {
      guard let (source, blob) = report.producers[name] else { continue }
      let (from, to) = (nodes[source], nodes[number])
      let words = isFolded ? [blob.shape?.text ?? ""] : blob.words
      if isFolded, from == to || !edges.insert(["\(from) \(to)"] + words).inserted { continue }
      try put("  node\(from) -> node\(to) [label=\(quoted(words))]")
    }
  }
  for (number, blob) in report.outputs.enumerated() {
    try put("  output\(number) [label=\(quoted(blob.words)), shape=ellipse]")
    guard let source = report.producers[blob.name]?.layer else { continue }
    try put("  node\(nodes[source]) -> output\(number)")
  }
  try put("}")
}

extension InspectReport.Layer {
  fileprivate var words: [String] {
    [kind, name] + (outputs.first?.shape.map { [$0.text] } ?? [])
      + (attributes.isEmpty ? [] : [attributes.joined(separator: ", ")])
      + (parameters > 0 ? ["\(parameters) parameters"] : [])
  }
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

// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

extension Graph {
  /// Removes Split layers: their outputs become second names of their input.
  func eliminatingSplits() -> Graph {
    var graph = self
    graph.nodes = []
    for var node in nodes {
      node.inputs = node.inputs.map(graph.resolved)
      if case .copies = node.lowering {
        for output in node.outputs { graph.aliases[output] = node.inputs[0] }
      } else {
        graph.nodes.append(node)
      }
    }
    graph.wanted = Set(wanted.map(graph.resolved))
    return graph
  }
}

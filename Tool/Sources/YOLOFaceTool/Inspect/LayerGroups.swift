// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// The layers of a network folded as the page of `explain` does, in parts.js: by stride, and by part. The backbone only
/// gets coarser; the neck begins with the first layer that makes maps larger; a head with the last convolution before
/// an output. Groups and their layers come in the order in which they run.
func layerGroups(_ report: InspectReport) -> [(title: String, layers: [Int])] {
  let layers = report.layers
  let sources = layers.map { $0.inputs.compactMap { report.producers[$0]?.layer } }
  func following(_ isFirst: (Int) -> Bool) -> [Bool] {
    var found = layers.map { _ in false }
    for index in report.order {
      found[index] = isFirst(index) || sources[index].contains { found[$0] }
    }
    return found
  }
  let inputRows = report.inputs.first?.shape?.dropFirst().first ?? 0
  var strides = layers.map { layer -> Int? in
    guard let shape = layer.outputs.first?.shape, shape.count == 3, shape[1] > 0, inputRows > 0
    else { return nil }
    return Int(exp2(log2(Double(inputRows) / Double(shape[1])).rounded()))
  }
  func isLast(_ index: Int) -> Bool {
    layers[index].kind.contains("onvolution") || layers[index].kind == "InnerProduct"
  }
  var isHead = layers.map { _ in false }
  for output in report.outputs {
    var open = report.producers[output.name].map { [$0.layer] } ?? []
    while let index = open.popLast() {
      if isHead[index] { continue }
      isHead[index] = true
      if isLast(index) { continue }
      // Its rows may be a list of boxes.
      strides[index] = nil
      open += sources[index]
    }
  }
  let rises = following { index in
    ["Interp", "Deconvolution", "DeconvolutionDepthWise", "PixelShuffle"]
      .contains(layers[index].kind)
  }
  let finest = layers.indices.compactMap { rises[$0] ? strides[$0] : nil }.min() ?? 1
  let sinks = following { index in
    guard rises[index], let stride = strides[index], stride > finest else { return false }
    return sources[index].contains { rises[$0] && (strides[$0] ?? stride) < stride }
  }
  var groups: [(title: String, layers: [Int])] = []
  var places: [String: Int] = [:]
  for index in report.order {
    strides[index] = strides[index] ?? sources[index].first.flatMap { strides[$0] }
    let part = sinks[index] ? "neck, down again" : rises[index] ? "neck" : "backbone"
    let title = "\(isHead[index] ? "heads" : part), stride \(strides[index] ?? 1)"
    let place = places[title] ?? groups.count
    if place == groups.count { groups.append((title, [])) }
    places[title] = place
    groups[place].layers.append(index)
  }
  return groups
}

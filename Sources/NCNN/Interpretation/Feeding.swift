// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

extension Network {
  /// The network to which the caller gives blobs of these names, whatever makes them in the file.
  ///
  /// An Input takes the place of a layer all of whose blobs are given, and stands beside one that makes others,
  /// too. Inputs that only the given blobs depend on need not be given; names that the network lacks change
  /// nothing.
  public func feeding(_ names: some Sequence<String>) -> Network {
    let given = Set(names.map { UntrustedText($0) })
    var result = self
    result.layers = []
    var places: [Range<Int>] = []
    for layer in layers {
      let first = result.layers.count
      result.layers += layer.isInput ? [layer] : layer.feeding(given, file: source)
      places.append(first..<result.layers.count)
    }
    result.executionOrder = executionOrder.flatMap { places[$0] }
    return result
  }
}

extension Layer {
  /// The layer, or what takes its place where some of its blobs are given. What it still computes of them gets a
  /// name that no file can have.
  fileprivate func feeding(_ given: Set<UntrustedText>, file: String) -> [Layer] {
    let fed = outputs.filter { given.contains(UntrustedText($0)) }
    guard let first = fed.first else { return [self] }
    let input = Layer(
      kind: "Input", name: first, inputs: [], outputs: fed, parameters: Parameters(), file: file,
      line: line)
    guard fed.count < outputs.count else { return [input] }
    var rest = self
    rest.outputs = outputs.map { given.contains(UntrustedText($0)) ? "\($0) computed" : $0 }
    return [input, rest]
  }
}

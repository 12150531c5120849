// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
@_spi(Tool) import YOLOFaceNCNN

/// The blobs of a network in sets: blobs are in the same set where only data movement lies between them, so that one
/// scale lets all of them stay in int8. The halves of ShuffleNet's units, for example, join all units of a stage.
public struct BlobSets: Sendable {
  private var numbers: [String: Int] = [:]
  /// For each set, the blobs that data movement does not make, in the network's order; the others repeat their numbers.
  public private(set) var sources: [[String]] = []

  /// Joins the blobs of a network.
  public init(_ network: Network) {
    var sets = DisjointSets()
    for layer in network.layers where layer.operation.traits.movesNumbers {
      let blobs = layer.inputs + layer.outputs
      for blob in blobs { sets.join(blob, blobs[0]) }
    }
    for index in network.executionOrder {
      let layer = network.layers[index]
      for blob in layer.outputs {
        let root = sets.root(of: blob)
        let number = numbers[root] ?? sources.count
        if number == sources.count { sources.append([]) }
        numbers[root] = number
        numbers[blob] = number
        if !layer.operation.traits.movesNumbers { sources[number].append(blob) }
      }
    }
  }

  /// The set of a blob, an index into `sources`; nil where the network has no such blob.
  public subscript(blob: String) -> Int? { numbers[blob] }
}

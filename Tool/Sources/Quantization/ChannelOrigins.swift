// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceNCNN

/// Where the channels of each blob were computed, before data movement mixed them.
///
/// The engine holds channels in blocks as their layers compute them, and moves none: its sums go
/// over neighbours in the blob that they come from.
struct ChannelOrigins {
  struct Origin: Hashable {
    var blob: String
    var channel: Int
  }

  private var origins: [String: [Origin]] = [:]

  init(_ network: Network, shapes: [String: [Int]]) {
    func channels(_ blob: String) -> Int { shapes[blob].map { $0.count == 3 ? $0[0] : 1 } ?? 1 }
    for index in network.executionOrder {
      let layer = network.layers[index]
      let read = layer.inputs.flatMap { origins[$0] ?? [] }
      let counts = layer.outputs.map(channels)
      if let moved = layer.operation.traits.channels.moved(read, counts) {
        for (blob, channels) in zip(layer.outputs, moved) { origins[blob] = channels }
      } else {
        for (blob, count) in zip(layer.outputs, counts) {
          origins[blob] = (0..<count).map { Origin(blob: blob, channel: $0) }
        }
      }
    }
  }

  /// The channels of a blob that are added up together, up to four: neighbours in the blob itself,
  /// and neighbours in the blobs that they come from.
  func groups(_ blob: String) -> [[Int]] {
    let channels = origins[blob] ?? []
    let blocks = Dictionary(grouping: channels.indices) {
      Origin(blob: channels[$0].blob, channel: channels[$0].channel / 4)
    }
    return quartets(channels.count) + blocks.values.sorted { $0[0] < $1[0] }
  }
}

extension LayerTraits.Channels {
  /// The channels of each output where the layer moves whole channels; nil where it does not.
  fileprivate func moved(
    _ channels: [ChannelOrigins.Origin], _ counts: [Int]
  ) -> [[ChannelOrigins.Origin]]? {
    switch self {
    case .new: return nil
    case .kept, .joined:
      return counts.allSatisfy { $0 == channels.count } ? counts.map { _ in channels } : nil
    case .cut:
      var start = 0
      let parts = counts.map { count in
        defer { start += count }
        return Array(channels[min(start, channels.count)..<min(start + count, channels.count)])
      }
      return parts.map(\.count) == counts ? parts : nil
    case .shuffled(let groups, let isReversed):
      guard channels.count % groups == 0 else { return nil }
      let group = isReversed ? channels.count / groups : groups
      let width = channels.count / group
      return [channels.indices.map { channels[$0 % group * width + $0 / group] }]
    }
  }
}

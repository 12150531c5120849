// SPDX-License-Identifier: Apache-2.0
extension FaceFamily {
  /// The maps by which it is recognised, for people to read.
  var signature: String {
    forms.map { form in
      var parts: [(channels: [Int], strides: [Int])] = []
      for level in form {
        let channels = maps[0].map { $0.channels(in: level) }
        if let part = parts.firstIndex(where: { $0.channels == channels }) {
          parts[part].strides.append(level.stride)
        } else {
          parts.append((channels, [level.stride]))
        }
      }
      return parts.map { channels, strides in
        let others =
          maps[0].last?.key == .points ? ", or \(channels.dropLast().listed(" and "))," : ""
        return
          "\(channels.listed(" and ")) channels\(others) at stride\(strides.count > 1 ? "s" : "") "
          + strides.listed(", ")
      }.joined(separator: ", and ")
    }.joined(separator: "; or ") + note
  }

  /// The family one of whose forms shares the largest part of its maps with a network, its signature and the maps
  /// that the network lacks; nil where none shares any.
  static func nearest(to maps: [OutputMap]) -> String? {
    var best: (share: Double, family: FaceFamily, lacking: [(stride: Int, channels: [Int])])?
    for family in allCases {
      for form in family.forms {
        var count = 0
        let lacking = form.map { level in
          var found = maps.filter { $0.stride == level.stride }.map { $0.channels }
          let lacking = family.maps[0].map { $0.channels(in: level) }.filter { channels in
            guard let index = found.firstIndex(of: channels) else { return true }
            found.remove(at: index)
            count += 1
            return false
          }
          return (stride: level.stride, channels: lacking)
        }
        let share = Double(count) / Double(form.count * family.maps[0].count)
        if share > best?.share ?? 0 { best = (share, family, lacking) }
      }
    }
    return best.map { best in
      let lacking = best.lacking.filter { !$0.channels.isEmpty }.map { level in
        "\(level.channels.listed(", ")) channels at stride \(level.stride)"
      }
      return "\(best.family.name), \(best.family.signature)"
        + (lacking.isEmpty ? "" : "; missing are maps of \(lacking.joined(separator: ", "))")
    }
  }
}

extension Collection<Int> {
  /// The numbers with commas between them, and a word before the last.
  fileprivate func listed(_ word: String) -> String {
    let texts = map { "\($0)" }
    guard let last = texts.last, texts.count > 1 else { return texts.joined() }
    return texts.dropLast().joined(separator: ", ") + word + last
  }
}

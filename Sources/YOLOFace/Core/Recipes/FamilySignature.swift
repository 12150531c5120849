extension FaceFamily {
  /// The channels of the maps of a form's level, in each way in which it may have them.
  private func channels(of level: FamilyRecipe.Level) -> [[Int]] {
    let count = level.anchors?.count ?? level.proposals ?? 1
    var ways: [[Int]] = []
    for list in maps {
      for maps in [list, list.filter { $0.key != .points }] {
        let channels = maps.map { count * $0.channels }
        if !ways.contains(channels) { ways.append(channels) }
      }
    }
    return ways
  }

  /// The maps by which it is recognised, for people to read.
  var signature: String {
    forms.map { form in
      var parts: [(ways: [[Int]], strides: [Int])] = []
      for level in form {
        let ways = channels(of: level)
        if let part = parts.firstIndex(where: { $0.ways == ways }) {
          parts[part].strides.append(level.stride)
        } else {
          parts.append((ways, [level.stride]))
        }
      }
      return parts.map { part in
        part.ways[0].listed(" and ") + " channels, "
          + part.ways.dropFirst().map { "or \($0.listed(" and ")), " }.joined()
          + "at stride\(part.strides.count > 1 ? "s" : "") \(part.strides.listed(", "))"
      }.joined(separator: ", and ")
    }.joined(separator: "; or ") + note
  }

  /// The family one of whose forms shares the largest part of its maps with a network, its signature and the maps
  /// that the network lacks; nil where none shares any.
  static func nearest(to maps: [OutputMap]) -> String? {
    var best: (share: Double, family: FaceFamily, lacking: [(stride: Int, channels: [Int])])?
    for family in allCases {
      for form in family.forms {
        let wanted = form.map { (stride: $0.stride, channels: family.channels(of: $0)[0]) }
        let lacking = wanted.map { level in
          var found = maps.filter { $0.stride == level.stride }.map { $0.channels }
          let lacking = level.channels.filter { channels in
            guard let index = found.firstIndex(of: channels) else { return true }
            found.remove(at: index)
            return false
          }
          return (stride: level.stride, channels: lacking)
        }
        func count(_ levels: [(stride: Int, channels: [Int])]) -> Double {
          Double(levels.reduce(0) { $0 + $1.channels.count })
        }
        let share = 1 - count(lacking) / count(wanted)
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

extension [Int] {
  /// The numbers with commas between them, and a word before the last.
  fileprivate func listed(_ word: String) -> String {
    let texts = map { "\($0)" }
    guard let last = texts.last, texts.count > 1 else { return texts.joined() }
    return texts.dropLast().joined(separator: ", ") + word + last
  }
}

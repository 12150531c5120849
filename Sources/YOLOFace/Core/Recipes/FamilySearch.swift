// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceInference
import YOLOFaceNCNN

extension FamilyRecipe {
  /// The recipe of a network of a known family, whatever its blobs are called.
  ///
  /// - Returns: nil where the maps that its outputs come from are not those of any family.
  public static func recognizing(_ network: Network) -> FamilyRecipe? {
    for family in FaceFamily.allCases {
      if let recipe = family.recognize(network) { return recipe }
    }
    let maps = OutputMaps(of: network)
    let levels = Dictionary(grouping: maps.maps, by: { $0.stride }).sorted { $0.key < $1.key }
      .map { MapLevel(stride: $0.key, maps: $0.value) }
    guard let largest = levels.last?.stride, network.inputs.count == 1 else { return nil }
    var recipe: FamilyRecipe?
    for family in FaceFamily.allCases where recipe == nil {
      recipe = family.recipe(of: network, levels)
    }
    if let size = maps.fixedSize {
      recipe?.size = .fixed(Letterbox.InputSize(width: size.columns, height: size.rows))
    } else if case .multiples = recipe?.size {
      recipe?.size = .multiples(of: max(32, largest))
    } else if case .fixed(_, let isStretched) = recipe?.size, let declared = network.declaredSize {
      recipe?.size = .fixed(declared, isStretched: isStretched)
    }
    return recipe
  }
}

/// The maps of one stride.
struct MapLevel {
  var stride: Int
  /// In the order of the network's outputs.
  var maps: [OutputMap]

  var channels: [Int] { maps.map { $0.channels }.sorted() }

  /// A form's level with the names of these maps; nil where other maps are found.
  fileprivate func named(
    _ maps: [FaceFamily.Map], in form: FamilyRecipe.Level
  ) -> FamilyRecipe.Level? {
    var (level, others) = (form, self.maps)
    for map in maps {
      if let index = others.firstIndex(where: { $0.channels == map.channels(in: form) }) {
        level[map.key] = others.remove(at: index).blob
      } else if map.key != .points {
        return nil
      }
    }
    return others.isEmpty ? level : nil
  }
}

extension FaceFamily {
  /// The recipe of a network whose outputs come from these maps; nil where they are not the family's.
  fileprivate func recipe(of network: Network, _ levels: [MapLevel]) -> FamilyRecipe? {
    guard let named = named(levels) else { return nil }
    var recipe = FamilyRecipe(
      family: self, input: network.inputs[0], planes: .rgb, mean: [0, 0, 0], divisor: 255,
      fill: 114, size: .multiples(of: 32), levels: named)
    let scores = levels.flatMap { level in level.maps.filter { $0.channels == level.channels[0] } }
    let probabilities = scores.count(where: { $0.isProbability })
    // Where one map holds scores and boxes, σ leaves nothing of the boxes.
    let areAlone = maps[0].contains { $0.key == .scores }
    guard probabilities == 0 || probabilities == scores.count && areAlone,
      accepts(&recipe, levels, network)
    else { return nil }
    if probabilities > 0 { recipe.hasScores = true }
    feed(&recipe, levels)
    return recipe
  }

  /// The levels of the first form that has these maps, with their names.
  private func named(_ levels: [MapLevel]) -> [FamilyRecipe.Level]? {
    for form in forms where form.map({ $0.stride }) == levels.map({ $0.stride }) {
      let named = zip(levels, form).compactMap { level, form in
        maps.lazy.compactMap { level.named($0, in: form) }.first
      }
      if named.count == levels.count { return named }
    }
    return nil
  }
}

extension Network {
  /// The size that the file declares for its input.
  var declaredSize: Letterbox.InputSize? {
    let sizes = layers.lazy.compactMap { $0.input?.sizes }.first { $0.count == 3 }
    return sizes.map { Letterbox.InputSize(width: $0[2], height: $0[1]) }
  }
}

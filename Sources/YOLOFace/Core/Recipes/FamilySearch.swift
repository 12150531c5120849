import FaceDecoding
import Geometry
import Inference
import NCNN

extension FamilyRecipe {
  /// The recipe of a network of a known family, whatever its blobs are called.
  ///
  /// - Returns: nil where the maps that its outputs come from are not those of any family.
  public static func recognising(_ network: Network) -> FamilyRecipe? {
    if let recipe = ssd(network) { return recipe }
    let maps = OutputMaps(of: network)
    let levels = Dictionary(grouping: maps.maps, by: { $0.stride }).sorted { $0.key < $1.key }
      .map { MapLevel(stride: $0.key, maps: $0.value) }
    guard let largest = levels.last?.stride, network.inputs.count == 1 else { return nil }
    let anchors = network.constantAnchors
    var recipe: FamilyRecipe?
    for family in FaceFamily.allCases where recipe == nil {
      recipe = family.recipe(input: network.inputs[0], levels, anchors: anchors)
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

extension FamilyRecipe {
  /// The recipe of OpenCV's SSD, or a relative, that gives the detections of a background and a face.
  fileprivate static func ssd(_ network: Network) -> FamilyRecipe? {
    guard let last = network.layers.last, case .detectionOutput(let output) = last.operation,
      network.outputs == last.outputs, network.inputs.count == 1, output.classes == 2
    else { return nil }
    let size = network.declaredSize ?? Letterbox.InputSize(width: 300, height: 300)
    let level = Level(
      stride: max(size.width, size.height), values: last.outputs[0], proposals: output.mostBoxes)
    return FamilyRecipe(
      family: .ssd, input: network.inputs[0], planes: .bgr, mean: [123, 177, 104], divisor: 1,
      fill: 0, size: .fixed(size, isStretched: true), levels: [level])
  }
}

/// The maps of one stride.
struct MapLevel {
  var stride: Int
  /// In the order of the network's outputs.
  var maps: [OutputMap]

  var channels: [Int] { maps.map { $0.channels }.sorted() }

  /// The only map with this number of channels.
  func map(_ channels: Int) -> OutputMap? {
    let found = maps.filter { $0.channels == channels }
    return found.count == 1 ? found[0] : nil
  }

  /// The name of the only map with this number of channels.
  func blob(_ channels: Int) -> String? { map(channels)?.blob }

  /// The names of the blobs with these channels that are joined to one map.
  func parts(_ channels: [Int]) -> [String]? {
    guard let map = map(channels.reduce(0, +)), map.parts.map({ $0.channels }) == channels else {
      return nil
    }
    return map.parts.map { $0.blob }
  }
}

extension Network {
  /// The size that the file declares for its input.
  fileprivate var declaredSize: Letterbox.InputSize? {
    for layer in layers {
      guard case .input(let declared) = layer.operation, declared.sizes.count == 3 else { continue }
      return Letterbox.InputSize(width: declared.sizes[2], height: declared.sizes[1])
    }
    return nil
  }
}

extension Network {
  /// The three anchors of each stride, small ones first, that the decoding of YOLOv5 multiplies by at every cell.
  /// It adds other constants of this form, the cells, which begin below zero.
  fileprivate var constantAnchors: [[Size]] {
    var found: [[Size]] = []
    for layer in layers {
      guard case .memoryData(let data) = layer.operation, data.sizes.count == 4,
        data.sizes[0] == 3, data.sizes[3] == 2, let values = layer.weights.first?.floats
      else { continue }
      let anchors = (0..<3).map { anchor in
        let first = values.count / 3 * anchor
        return Size(width: Double(values[first]), height: Double(values[first + 1]))
      }
      if anchors[0].width > 0 { found.append(anchors) }
    }
    return found.sorted { $0[0].width < $1[0].width }
  }
}

extension FaceFamily {
  /// The recipe of a network whose outputs come from these maps; nil where they are not the family's.
  fileprivate func recipe(input: String, _ levels: [MapLevel], anchors: [[Size]]) -> FamilyRecipe? {
    guard let described = self.levels(levels, anchors: anchors) else { return nil }
    let scores = levels.flatMap { level in level.maps.filter { $0.channels == level.channels[0] } }
    var recipe = FamilyRecipe(
      family: self, input: input, planes: .rgb, mean: [0, 0, 0], divisor: 255, fill: 114,
      size: .multiples(of: 32), levels: described)
    let probabilities = scores.count(where: { $0.isProbability })
    // Where one map holds scores and boxes, σ leaves nothing of the boxes.
    let areAlone = ![.yolo5Face, .yolo5, .yolo7Face].contains(self)
    guard probabilities == 0 || probabilities == scores.count && areAlone else { return nil }
    if probabilities > 0 { recipe.hasScores = true }
    switch self {
    case .yolo5Face, .yolo5, .yolo7Face, .yolo8Face, .yolo26Face, .ssd: break
    case .scrfd:
      recipe.mean = [127.5, 127.5, 127.5]
      recipe.divisor = 128
      recipe.fill = 0
    case .retinaFace:
      recipe.divisor = 1
      recipe.fill = 0
      if scores.hasClassesOneAfterTheOther {
        recipe.classOrder = .byClass
        recipe.variances = [1, 1]
        recipe.anchorCentre = 8
      } else {
        recipe.useMeansOfImageNet()
      }
    case .ultraFace:
      if described.contains(where: { $0.points != nil }) {
        recipe.useMeansOfImageNet()
      } else {
        recipe.mean = [127, 127, 127]
        recipe.divisor = 128
        recipe.fill = 127
        recipe.size = .fixed(Letterbox.InputSize(width: 320, height: 240), isStretched: true)
      }
    case .yuNet:
      recipe.planes = .bgr
      recipe.divisor = 1
      recipe.fill = 0
    case .centerFace:
      recipe.divisor = 1
      recipe.fill = 0
    case .blazeFace:
      recipe.mean = [127.5, 127.5, 127.5]
      recipe.divisor = 127.5
      recipe.fill = 0
      let side = levels.count == 1 ? 192 : 16 * levels[0].stride
      recipe.size = .fixed(Letterbox.InputSize(width: side, height: side))
    }
    return recipe
  }

  private func levels(_ levels: [MapLevel], anchors: [[Size]]) -> [FamilyRecipe.Level]? {
    switch self {
    case .yolo5Face:
      let heads = [YOLO5FaceHead.yoloFace, YOLO5FaceHead.fourStrides, YOLO5FaceHead.twoStrides]
      return yoloLevels(levels, channels: 48, heads: heads) { ($0.stride, $0.anchors) }
    case .yolo5:
      let strides = [8, 16, 32]
      guard anchors.count == strides.count else { return nil }
      let heads = zip(strides, anchors).map { (stride: $0, anchors: $1) }
      return yoloLevels(levels, channels: 18, heads: [heads]) { $0 }
    case .yolo7Face:
      let heads = [YOLO7FaceHead.yolo7Face]
      return yoloLevels(levels, channels: 63, heads: heads) { ($0.stride, $0.anchors) }
    case .yolo8Face: return each(levels, of: [[8, 16, 32], [8, 16, 32, 64]], yolo8Level)
    case .yolo26Face: return each(levels, of: [[8, 16, 32]], yolo26Level)
    case .scrfd:
      return each(levels, of: [[8, 16, 32]]) { scrfdLevel($0, proposals: 2) }
        ?? each(levels, of: [[8, 16, 32, 64, 128]]) { scrfdLevel($0, proposals: 1) }
    case .retinaFace:
      let isInsightFace = levels.contains { $0.maps.hasClassesOneAfterTheOther }
      let heads = isInsightFace ? RetinaFaceHead.insightFace : RetinaFaceHead.pyTorch
      return priorLevels(levels, heads.map { $0.priors })
    case .ultraFace: return priorLevels(levels, UltraFaceHead.ultraFace.map { $0.priors })
    case .yuNet: return each(levels, of: [[8, 16, 32]], yuNetLevel)
    case .ssd: return nil
    case .centerFace: return each(levels, of: [[4]], centerFaceLevel)
    case .blazeFace:
      return each(levels, of: [[4], [8, 16], [16, 32]]) { level in
        let isFiner = level.stride == levels[0].stride
        return blazeFaceLevel(level, proposals: levels.count == 1 ? 1 : isFiner ? 2 : 6)
      }
    }
  }
}

/// The description of each level; nil where one cannot be described, or the strides are others.
private func each(
  _ levels: [MapLevel], of strides: [[Int]], _ describe: (MapLevel) -> FamilyRecipe.Level?
) -> [FamilyRecipe.Level]? {
  guard strides.contains(levels.map({ $0.stride })) else { return nil }
  let described: [FamilyRecipe.Level] = levels.compactMap(describe)
  return described.count == levels.count ? described : nil
}

/// Levels of one map each, with the anchors of the first list of heads that has their strides.
private func yoloLevels<Head>(
  _ levels: [MapLevel], channels: Int, heads: [[Head]],
  _ parts: (Head) -> (stride: Int, anchors: [Size])
) -> [FamilyRecipe.Level]? {
  let heads = heads.map { $0.map(parts) }.first { $0.map { $0.stride } == levels.map { $0.stride } }
  guard let heads, levels.allSatisfy({ $0.channels == [channels] }) else { return nil }
  return zip(levels, heads).map { level, head in
    var described = FamilyRecipe.Level(stride: level.stride, anchors: head.anchors.pairs)
    if let cells = level.maps[0].cellsOfSixteen {
      described.cells = cells
    } else {
      described.values = level.maps[0].blob
    }
    return described
  }
}

private func yolo8Level(_ level: MapLevel) -> FamilyRecipe.Level? {
  let channels = level.channels
  if channels == [80], level.parts([64, 1, 15]) != nil {
    return FamilyRecipe.Level(stride: level.stride, values: level.blob(80))
  }
  if let parts = level.parts([64, 1]), [[65], [15, 65]].contains(channels) {
    return FamilyRecipe.Level(
      stride: level.stride, scores: parts[1], boxes: parts[0], points: level.blob(15))
  }
  guard [[1, 64], [1, 15, 64]].contains(channels) else { return nil }
  return FamilyRecipe.Level(
    stride: level.stride, scores: level.blob(1), boxes: level.blob(64), points: level.blob(15))
}

/// Without points the maps could be those of many detectors, of which few decode boxes into the blob of the scores.
private func yolo26Level(_ level: MapLevel) -> FamilyRecipe.Level? {
  let channels = level.channels
  guard
    channels == [1, 4, 15] || channels == [1, 4] && level.maps[0].output == level.maps[1].output
  else { return nil }
  return FamilyRecipe.Level(
    stride: level.stride, scores: level.blob(1), boxes: level.blob(4), points: level.blob(15))
}

private func scrfdLevel(_ level: MapLevel, proposals count: Int) -> FamilyRecipe.Level? {
  guard [[count, 4 * count], [count, 4 * count, 10 * count]].contains(level.channels) else {
    return nil
  }
  return FamilyRecipe.Level(
    stride: level.stride, scores: level.blob(count), boxes: level.blob(4 * count),
    points: level.blob(10 * count), proposals: count)
}

private func yuNetLevel(_ level: MapLevel) -> FamilyRecipe.Level? {
  guard [[1, 1, 4], [1, 1, 4, 10]].contains(level.channels) else { return nil }
  let scores = level.maps.filter { $0.channels == 1 }.map({ $0.blob })
  return FamilyRecipe.Level(
    stride: level.stride, scores: scores[0], objectness: scores[1], boxes: level.blob(4),
    points: level.blob(10))
}

/// CenterFace's sizes come before its offsets.
private func centerFaceLevel(_ level: MapLevel) -> FamilyRecipe.Level? {
  guard [[1, 2, 2], [1, 2, 2, 10]].contains(level.channels) else { return nil }
  let pairs = level.maps.filter { $0.channels == 2 }.map({ $0.blob })
  return FamilyRecipe.Level(
    stride: level.stride, scores: level.blob(1), boxes: pairs[0], offsets: pairs[1],
    points: level.blob(10))
}

private func blazeFaceLevel(_ level: MapLevel, proposals count: Int) -> FamilyRecipe.Level? {
  guard level.channels == [count, 16 * count] else { return nil }
  return FamilyRecipe.Level(
    stride: level.stride, scores: level.blob(count), boxes: level.blob(16 * count),
    proposals: count)
}

/// Levels of two classes for each anchor.
private func priorLevels(_ levels: [MapLevel], _ priors: [PriorBoxes]) -> [FamilyRecipe.Level]? {
  guard levels.map({ $0.stride }) == priors.map({ $0.stride }) else { return nil }
  let described = zip(levels, priors).compactMap { level, priors -> FamilyRecipe.Level? in
    let count = priors.anchors.count
    guard [[2 * count, 4 * count], [2 * count, 4 * count, 10 * count]].contains(level.channels)
    else { return nil }
    return FamilyRecipe.Level(
      stride: level.stride, scores: level.blob(2 * count), boxes: level.blob(4 * count),
      points: level.blob(10 * count), anchors: priors.anchors.pairs)
  }
  return described.count == levels.count ? described : nil
}

extension FamilyRecipe {
  /// ImageNet's means, with which the backbone was trained, and planes of blue, green, red.
  fileprivate mutating func useMeansOfImageNet() {
    planes = .bgr
    mean = [123, 117, 104]
    divisor = 1
    fill = 0
  }
}

extension [OutputMap] {
  /// Whether a softmax reads channels whose first half is one class and whose second half is the
  /// other.
  fileprivate var hasClassesOneAfterTheOther: Bool {
    contains { map in
      guard case .reshape(let reshape)? = map.layers.first, map.layers.count > 1,
        case .softmax = map.layers[1]
      else { return false }
      return reshape.sizes.count == 3 && reshape.sizes[0] == 2
    }
  }
}

extension OutputMap {
  /// The output, where it is the map as anchors × cells × 16.
  fileprivate var cellsOfSixteen: String? {
    guard layers.count == 2, case .reshape(let reshape) = layers[0],
      case .permute(let permute) = layers[1]
    else { return nil }
    return reshape.sizes == [channels / 16, 16, -1] && permute.order == 1 ? output : nil
  }
}

extension [Size] {
  fileprivate var pairs: [[Double]] { map { [$0.width, $0.height] } }
}

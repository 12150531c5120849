// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceNCNN

extension FaceFamily {
  /// BlazeFace of PaddleDetection, which is not MediaPipe's `blazeFace`: square prior boxes as `retinaFace`'s, and two
  /// classes.
  ///
  /// Its blobs hold two and four channels for each anchor: the classes, and the box's t. The score is the face's share of
  /// a softmax.
  ///
  /// Releases since 2.0 have the face before the background; earlier ones, the other way round. The maps do not show
  /// which, but the biases do: a trained network expects background. One whose biases say nothing is not recognised.
  ///
  /// https://github.com/PaddlePaddle/PaddleDetection/tree/release/2.8/configs/face_detection.
  public static let paddleBlazeFace = FaceFamily(
    "paddleBlazeFace", name: "BlazeFace of PaddleDetection", proposals: .anchors,
    maps: [Map(.scores, 2), Map(.boxes, 4)],
    forms: [levels(squares: [(8, [16, 24]), (16, [32, 48, 64, 80, 96, 128])])],
    note: ", and biases that show which class is the background",
    feed: { recipe, _ in
      recipe.mean = [123, 117, 104]
      recipe.divisor = 127.502231
      recipe.fill = 117
    },
    accepts: { recipe, _, network in
      guard let lead = network.leadOfFirstClass(recipe.levels.compactMap { $0.scores }),
        abs(lead) >= leastLead
      else { return false }
      recipe.classOrder = lead > 0 ? .byAnchor : .faceFirst
      return true
    }
  ) { $0.priorBoxes(order: $0.recipe.classOrder ?? .faceFirst) }
}

/// By how much the mean bias of one class exceeds the other's in a network that tells them apart: those of trained
/// detectors differ by 0.4 to 1.8.
private let leastLead: Float = 0.2

extension Network {
  /// By how much the mean bias of the first class exceeds the second's in convolutions that give classes side by side;
  /// nil where a blob comes from another layer, or the biases are not known.
  fileprivate func leadOfFirstClass(_ blobs: [String]) -> Float? {
    var (sum, count): (Float, Float) = (0, 0)
    for blob in blobs {
      guard let layer = layers.first(where: { $0.outputs.contains(blob) }),
        let convolution = layer.convolution, layer.weights.count > 1
      else { return nil }
      let biases = layer.weights[1].floats
      guard biases.count == convolution.outputChannels else { return nil }
      for index in biases.indices { sum += index % 2 == 0 ? biases[index] : -biases[index] }
      count += Float(biases.count / 2)
    }
    return count > 0 ? sum / count : nil
  }
}

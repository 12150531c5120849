import NCNN

extension MemoryData {
  /// The shape that the file declares.
  var outputShape: [Int] { sizes }

  /// The stored elements.
  func apply(weights: [[Float]]) -> Tensor { Tensor(sizes, weights[0]) }
}

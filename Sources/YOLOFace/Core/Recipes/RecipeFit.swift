// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceInference
import YOLOFaceNCNN

extension ModelRecipe {
  /// Refuses a network that lacks the blobs of the recipe, gives them other shapes, or reads them itself by the
  /// equations of another family.
  ///
  /// - Throws: `FaceDetectorError`.
  @_spi(Tool) public func requireFit(_ network: Network) throws(FaceDetectorError) {
    try requireBlobs(of: network)
    try requireFamily(of: network)
    let size = letterbox.trialSize
    func misfit(_ reason: String) -> FaceDetectorError {
      .misfit(model: network.source, width: size.width, height: size.height, reason: reason)
    }
    let inference = ShapeInference(partial: network, inputs: [input: [3, size.height, size.width]])
    for head in heads {
      let found = head.blobs.compactMap { inference.shapes[$0] }
      guard found.count == head.blobs.count else {
        throw misfit(inference.failures.first?.description ?? "its blobs have no shapes")
      }
      do throws(ValueError) {
        try head.require(found, head.grid(inputWidth: size.width, inputHeight: size.height))
      } catch {
        throw misfit(error.description)
      }
    }
  }

  /// Refuses a recipe of another family than the network's last layer shows for the same blobs.
  private func requireFamily(of network: Network) throws(FaceDetectorError) {
    guard let family = family?.family else { return }
    for known in FaceFamily.allCases where known != family {
      let blobs = known.recognize(network)?.levels.flatMap { $0.blobs } ?? []
      if let blob = heads.flatMap({ $0.blobs }).first(where: blobs.contains) {
        throw .otherFamily(model: network.source, blob: blob, found: family, expected: known)
      }
    }
  }

  /// Refuses a network that lacks the blobs of the recipe.
  func requireBlobs(of network: Network) throws(FaceDetectorError) {
    let blobs = Set(network.layers.flatMap { $0.outputs })
    for blob in heads.flatMap({ $0.blobs }) where !blobs.contains(blob) {
      throw .missingBlob(model: network.source, blob: blob)
    }
    guard network.inputs == [input] else {
      throw .otherInputs(model: network.source, found: network.inputs, expected: input)
    }
  }
}

extension Letterbox.Style {
  /// A size of input that the network takes: of two pictures side by side, if it takes many.
  fileprivate var trialSize: Letterbox.InputSize {
    if case .longSide = standardMode {
      return Letterbox.InputSize(width: 2 * granularity, height: granularity)
    }
    let letterbox = try? Letterbox(imageWidth: 2, imageHeight: 1, mode: standardMode, style: self)
    return Letterbox.InputSize(
      width: letterbox?.inputWidth ?? granularity, height: letterbox?.inputHeight ?? granularity)
  }
}

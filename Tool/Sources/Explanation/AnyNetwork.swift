// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceInference
import YOLOFaceNCNN

extension FaceDetector {
  /// A detector without heads, which finds no faces, for a page about any network that takes one picture: in colour
  /// or, behind a layer that is put before it, in brightness alone.
  ///
  /// - Throws: `FaceDetectorError` where it takes several inputs, `InferenceError` where it cannot be run.
  public init(withoutHeads network: Network, instructionSet: String? = nil) throws {
    let recipe = ModelRecipe.withoutHeads(network)
    let size = recipe.letterbox.fixedSize ?? Letterbox.InputSize(width: 320, height: 320)
    func runs(_ channels: Int) -> Bool {
      let shape = [channels, size.height, size.width]
      return ShapeInference(partial: network, inputs: [recipe.input: shape]).failures.isEmpty
    }
    let network = try !runs(3) && runs(1) ? network.readingColors(recipe) : network
    try self.init(
      network: network, recipe: .withoutHeads(network), threads: 1, instructionSet: instructionSet)
  }
}

extension Network {
  /// The network behind a convolution that makes its input, the brightness, of red, green and blue.
  fileprivate func readingColors(_ recipe: ModelRecipe) throws -> Network {
    var lines = paramText().utf8.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let input = layers.firstIndex(where: { $0.inputs.isEmpty && $0.weights.isEmpty }) else {
      return self
    }
    let blobs = layers.reduce(1) { $0 + $1.outputs.count }
    let (read, colors) = (recipe.input, "\(recipe.input)_colours")
    let size = recipe.letterbox.fixedSize.map { " 0=\($0.width) 1=\($0.height) 2=3" } ?? ""
    lines.remove(at: 2 + input)
    lines[1] = "\(layers.count + 1) \(blobs)"
    lines.insert("Input \(colors) 0 1 \(colors)\(size)", at: 2)
    lines.insert("Convolution brightness 1 1 \(colors) \(read) 0=1 1=1 6=3", at: 3)
    var network = try Network(param: Array(lines.joined(separator: "\n").utf8), source: source)
    // The shares of ITU-R BT.601, behind a tag.
    let shares: [Float] = [0, 0.299, 0.587, 0.114]
    try network.loadWeights(shares.withUnsafeBytes { Array($0) } + weightBytes(), source: source)
    return network
  }
}

// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceInference
@_spi(Tool) import YOLOFaceNCNN

extension Network {
  /// Sizes of input on which no layer rejects what it reads: the given one or the next larger with sides that are
  /// multiples of 32, 64 or 128, as most networks require; else one that keeps a side, or a square; else a rectangle,
  /// and the same one on its side. Empty where none is found, and where a lost scale is the likely cause.
  ///
  /// - Parameters:
  ///   - size: that which does not fit.
  ///   - misfit: why, of the first layer; what leads to it is tried alone, since few sizes fit weights for a number of
  ///     elements, or a shape to be reshaped to. Nil where none is needed.
  func fittingSizes(near size: ImageSize, misfit: InferenceError?) -> [ImageSize] {
    guard let misfit else { return [] }
    let binding = layers.first { $0.title == misfit.layer }
    let part = binding.map { cut(to: $0.outputs) } ?? self
    let shapes = inputShapes(size: size)
    guard binding.flatMap(idleResize) == nil, !shapes.isEmpty else { return [] }
    var work = Self.mostWork
    func fits(_ network: Network, _ size: ImageSize) -> Bool {
      work -= network.layers.count
      guard work >= 0 else { return false }
      let inputs = shapes.mapValues { [$0[0], size.height, size.width] }
      let failures = ShapeInference(partial: network, inputs: inputs).failures
      return !failures.contains { $0.reason == .shape }
    }
    func fits(_ size: ImageSize) -> Bool { fits(part, size) && fits(self, size) }
    if let larger = ([size] + size.rounded).first(where: fits) { return [larger] }
    if let square = ImageSize.squares.first(where: fits) {
      let rows = ImageSize(width: size.width, height: square.height)
      let columns = ImageSize(width: square.width, height: size.height)
      return [[rows, columns].first(where: fits) ?? square]
    }
    guard let oblong = ImageSize.oblongs.first(where: fits) else { return [] }
    return [oblong] + [ImageSize(width: oblong.height, height: oblong.width)].filter(fits)
  }

  /// The most layers whose shapes are inferred, so that it takes seconds.
  private static let mostWork = 400_000

  /// The shapes of the inputs whose shape the file leaves open or the size overrides: with as many channels as the
  /// weights that read them are for, else as declared, else of colour.
  func inputShapes(size: ImageSize?) -> [String: [Int]] {
    var shapes: [String: [Int]] = [:]
    let readers = readersOfInputs
    for layer in layers {
      guard let declared = layer.input else { continue }
      let isOpen = declared.sizes.isEmpty
      guard isOpen || (size != nil && declared.sizes.count == 3) else { continue }
      let size = size ?? ImageSize.usual
      for name in layer.outputs {
        let channels = readers[name]?.first?.channels ?? declared.channels ?? 3
        shapes[name] = [channels, size.height, size.width]
      }
    }
    return shapes
  }

  /// The columns and rows that an input of three axes declares; in whichever order, as the weights that read it tell.
  var declaredImageSize: ImageSize? {
    let readers = readersOfInputs
    for layer in layers {
      guard let sizes = layer.input?.sizes, sizes.count == 3 else { continue }
      let channels = layer.outputs.lazy.compactMap { readers[$0]?.first?.channels }.first
      let isReversed = sizes[0] != channels && sizes[2] == channels
      return isReversed
        ? ImageSize(width: sizes[1], height: sizes[0])
        : ImageSize(width: sizes[2], height: sizes[1])
    }
    return nil
  }

  /// The convolutions that read each input or a copy of it, and the channels that their weights are for.
  var readersOfInputs: [String: [(layer: Layer, channels: Int)]] {
    var origins: [String: String] = [:]
    var readers: [String: [(layer: Layer, channels: Int)]] = [:]
    for layer in layers {
      let origin = layer.inputs.first.flatMap { origins[$0] }
      if layer.isInput {
        for name in layer.outputs { origins[name] = name }
      } else if layer.isSplit {
        for copy in layer.outputs { origins[copy] = origin }
      } else if let convolution = layer.convolution, let origin {
        readers[origin, default: []].append((layer, convolution.inputChannels))
      }
    }
    return readers
  }
}

extension ImageSize {
  /// That of an input of no declared size.
  static let usual = ImageSize(width: 640, height: 480)

  fileprivate var rounded: [ImageSize] {
    [32, 64, 128].map { multiple in
      func rounded(_ side: Int) -> Int { (side + multiple - 1) / multiple * multiple }
      return ImageSize(width: rounded(width), height: rounded(height))
    }
  }

  /// Squares of up to 1024, those first that can be halved most often, up to five times, then those near 640.
  fileprivate static let squares = (2...1024).map { side in
    (-min(5, side.trailingZeroBitCount), abs(side - 640), side)
  }.sorted(by: <).map { ImageSize(width: $0.2, height: $0.2) }

  /// Rectangles with sides of up to 1024 that are multiples of 32, or up to 512 of 16, those of the ratio of `usual`
  /// first.
  fileprivate static let oblongs = [(32, 1024), (16, 512)].flatMap { step, largest in
    let sides = stride(from: step, through: largest, by: step)
    return sides.flatMap { width in
      sides.map { height in (abs(3 * width - 4 * height), width, height) }
    }.sorted(by: <).map { ImageSize(width: $0.1, height: $0.2) }
  }
}

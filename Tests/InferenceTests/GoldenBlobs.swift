// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@testable import YOLOFaceInference
@_spi(Tool) @testable import YOLOFaceNCNN

/// A model, an input, and what upstream ncnn made of it.
struct GoldenBlobs: Sendable {
  struct Sample {
    var shape: [Int]
    /// Indices into the blob's values.
    var positions: [Int]
    var values: [Float]
  }

  /// The default model on a picture of a face, see `GoldenRun`, and the original one, of which every blob is
  /// recorded in full.
  enum Model: String, CaseIterable {
    case `default`, original

    static let available = SharedData.exists ? allCases : [.default]
    private static let read = allCases.map { model in Result { try GoldenBlobs(model) } }

    func blobs() throws -> GoldenBlobs { try Self.read[self == .default ? 0 : 1].get() }
  }

  var network: Network
  /// The names of the network's outputs.
  var outputs: [String]
  /// All blobs but the input.
  var names: [String]
  var input: Tensor
  var samples: [String: Sample] = [:]

  private init(_ model: Model) throws {
    let stem =
      model == .default
      ? SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5").path
      : SharedData.path("models/yolov5n-0.5")
    network = try Network(param: stem + ".param", bin: stem + ".bin")
    outputs = network.outputs
    names = network.layers.flatMap(\.outputs).filter { $0 != "data" }
    switch model {
    case .default:
      let (pixels, side) = (try GoldenRun.pixels(), GoldenRun.side)
      input = try Tensor(
        picture: pixels, rows: side, columns: side, Normalization(divisor: 255))
      try readSamples(of: try GoldenRun.read().blobs)
      for name in outputs { try readAll(of: name, GoldenRun.path("\(name).npy")) }
    case .original:
      let folder = SharedData.path("golden/yolov5n-0.5/every_blob_64x96")
      input = try NPY.read(path: "\(folder)/data.npy")
      for name in names { try readAll(of: name, "\(folder)/\(name).npy") }
    }
  }

  private mutating func readAll(of name: String, _ path: String) throws {
    let blob = try NPY.read(path: path)
    samples[name] = Sample(
      shape: blob.shape, positions: Array(blob.values.indices), values: blob.values)
  }

  private mutating func readSamples(of blobs: [GoldenRun.Blob]) throws {
    let table = try NPY.read(path: GoldenRun.path("samples.npy"))
    try #require(table.shape.count == 2 && table.shape[0] == blobs.count)
    let count = table.shape[1]
    for (index, blob) in blobs.enumerated() {
      samples[blob.name] = Sample(
        shape: blob.shape,
        positions: Self.positions(count, of: blob.shape.reduce(1, *), seed: UInt64(index)),
        values: Array(table.values[index * count..<(index + 1) * count]))
    }
  }

  /// One position in each of a number of runs of values, as `make_golden.py` chooses them.
  private static func positions(_ count: Int, of size: Int, seed: UInt64) -> [Int] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { part in
      let (first, end) = (size * part / count, size * (part + 1) / count)
      return first + Int(random.next() % UInt64(end - first))
    }
  }

  /// Requires blobs to be upstream's but for a tolerance.
  func require(_ blobs: [String: Tensor], within tolerance: Float, _ place: String) throws {
    for (name, blob) in blobs {
      let (sample, place) = (try #require(samples[name]), "\(place): \(name)" as Comment)
      try #require(blob.shape == sample.shape, place)
      let values = sample.positions.map { blob.values[$0] }
      #expect(largestDifference(of: values, from: sample.values) < tolerance, place)
    }
  }
}

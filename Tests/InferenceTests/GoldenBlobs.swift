@testable import NCNN
import TestSupport
import Testing

/// The blobs of `GoldenRun`: the outputs in full, and a sample of every other one.
struct GoldenBlobs {
  struct Sample {
    var shape: [Int]
    /// Indices into the blob's values.
    var positions: [Int]
    var values: [Float]
  }

  static let outputs = ["out_8", "out_16", "out_32"]

  /// The network's input.
  var input: Tensor
  var samples: [String: Sample] = [:]

  init() throws {
    let (pixels, side) = (try GoldenRun.pixels(), GoldenRun.side)
    let planes = (0..<3).flatMap { channel in
      stride(from: channel, to: pixels.count, by: 3).map { Float(pixels[$0]) / 255 }
    }
    input = try Tensor(shape: [3, side, side], values: planes)
    for name in Self.outputs {
      let output = try NPY.read(path: GoldenRun.path("\(name).npy"))
      samples[name] = Sample(
        shape: output.shape, positions: Array(output.values.indices), values: output.values)
    }
    try readSamples(of: try GoldenRun.read().blobs)
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

  /// The largest difference of a blob from upstream's, relative above 1 and absolute below.
  func largestDifference(of blob: Tensor?, _ name: String) throws -> Float {
    let (blob, sample) = (try #require(blob, "\(name)"), try #require(samples[name], "\(name)"))
    try #require(blob.shape == sample.shape, "\(name)")
    return TestSupport.largestDifference(
      of: sample.positions.map { blob.values[$0] }, from: sample.values)
  }

  /// Expects blobs to differ from upstream's by less than a tolerance.
  func expect(_ blobs: [String: Tensor], within tolerance: Float, _ place: String) throws {
    for (name, blob) in blobs {
      let difference = try largestDifference(of: blob, name)
      #expect(difference < tolerance, "\(place): \(name)")
    }
  }
}

import Kernels
import NCNN
import TestSupport
import Testing

@testable import Inference

/// What a detector asks of the engine: a picture's bytes in, cells of detection heads out.
struct PictureHeadsTests {
  private struct Cell: Hashable {
    var head, anchor, row, column: Int
  }

  /// A picture of random bytes, and the same divided by 255 as 3 × rows × columns.
  private func picture(
    rows: Int, columns: Int, _ random: inout SeededGenerator
  ) throws -> (bytes: [UInt8], tensor: Tensor) {
    let size = rows * columns
    let bytes = (0..<3 * size).map { _ in UInt8.random(in: 0...255, using: &random) }
    let values = (0..<3 * size).map { Float(bytes[$0 % size * 3 + $0 / size]) / 255 }
    return (bytes, try Tensor(shape: [3, rows, columns], values: values))
  }

  /// The 16 values of each cell by the interpreter, whose blobs are anchors × (rows · columns) × 16.
  private func expectedCells(
    _ network: Network, _ heads: [HeadLayout], of picture: Tensor
  ) throws -> [Cell: [Float]] {
    let blobs = try Interpreter(network).run(["data": picture], extracting: heads.map(\.blob))
    var cells: [Cell: [Float]] = [:]
    for (number, head) in heads.enumerated() {
      let values = try #require(blobs[head.blob]).values
      let columns = picture.columns / head.stride
      let size = picture.rows / head.stride * columns
      for index in 0..<values.count / 16 {
        let cell = Cell(
          head: number, anchor: index / size, row: index % size / columns,
          column: index % size % columns)
        cells[cell] = Array(values[16 * index..<16 * index + 16])
      }
    }
    return cells
  }

  /// Looks through the heads of a picture and compares the values of every cell of enough objectness
  /// with the interpreter's.
  private func agrees(
    _ network: Network, _ heads: [HeadLayout], rows: Int, columns: Int, threads: Int,
    instructionSet: String, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let (bytes, tensor) = try picture(rows: rows, columns: columns, &random)
    let expected = try expectedCells(network, heads, of: tensor)
    let engine = try Engine(network, threads: threads, instructionSet: instructionSet)
    for minimum in [-Float.infinity, 0.1] {
      var found: [Cell: [Float]] = [:]
      try engine.visitHeads(
        heads, of: bytes, rows: rows, columns: columns, minimumObjectness: minimum
      ) { head, anchor, row, column, values in
        found[Cell(head: head, anchor: anchor, row: row, column: column)] = values.indices.map {
          values[$0]
        }
      }
      let wanted = expected.filter { $1[heads[$0.head].objectness] >= minimum }
      let place: Comment = "\(instructionSet), \(rows) × \(columns), from \(minimum)"
      #expect(!wanted.isEmpty)
      #expect(Set(found.keys) == Set(wanted.keys), place)
      for (cell, values) in found {
        // Sums of at most 180 products near 1/√180 in another order.
        let isClose = zip(try #require(expected[cell]), values).allSatisfy {
          abs($0 - $1) / max(1, abs($0)) < 2e-5
        }
        #expect(isClose, place)
      }
    }
  }

  /// Heads of which only the objectness is computed at every cell.
  @Test(arguments: KernelTable.available.map(\.name), [(14, 10), (22, 34), (96, 64)])
  func computesReducedHeads(instructionSet: String, size: (rows: Int, columns: Int)) throws {
    var random = SeededGenerator(seed: 3)
    let network = try Network(
      layers: [
        "Convolution c 1 1 data a 0=20 1=3 3=2 4=1 5=1 6=540", "Swish s 1 1 a b",
        "Convolution h 1 1 b h 0=48 1=1 5=1 6=960", "Reshape r 1 1 h r 0=-1 1=16 2=3",
        "Permute p 1 1 r head 0=1",
      ], random: &random)
    let heads = [HeadLayout(blob: "head", anchors: 3, objectness: 4, stride: 2)]
    let engine = try Engine(network, instructionSet: instructionSet)
    let key = try engine.pictureKey(heads, rows: size.rows, columns: size.columns)
    #expect(try engine.plan(key).heads.count == 1)
    for threads in 1...3 {
      try agrees(
        network, heads, rows: size.rows, columns: size.columns, threads: threads,
        instructionSet: instructionSet, seed: UInt64(threads))
    }
  }

  /// A head's convolution stays whole where something else reads it: it would read zeros.
  @Test(arguments: KernelTable.available.map(\.name))
  func keepsAHeadThatIsReadElsewhere(instructionSet: String) throws {
    var random = SeededGenerator(seed: 2)
    let network = try Network(
      layers: [
        "Convolution c 1 1 data a 0=8 1=1 5=1 6=24", "Convolution h 1 1 a b 0=16 1=1 5=1 6=128",
        "Split s 1 2 b first rest", "Reshape r 1 1 first r 0=-1 1=16 2=1",
        "Permute p 1 1 r head 0=1", "Convolution d 1 1 rest e 0=16 1=1 5=1 6=256",
        "Reshape q 1 1 e q 0=-1 1=16 2=1", "Permute o 1 1 q out 0=1",
      ], random: &random)
    let heads = ["head", "out"].map {
      HeadLayout(blob: $0, anchors: 1, objectness: 4, stride: 1)
    }
    let engine = try Engine(network, instructionSet: instructionSet)
    #expect(try engine.plan(engine.pictureKey(heads, rows: 6, columns: 5)).heads.isEmpty)
    try agrees(
      network, heads, rows: 6, columns: 5, threads: 1, instructionSet: instructionSet, seed: 4)
  }

  /// The cells that a reduced head has are those of the network, whatever stride is said.
  @Test func refusesAnotherStride() throws {
    var random = SeededGenerator(seed: 5)
    let network = try Network(
      layers: [
        "Convolution c 1 1 data a 0=8 1=3 3=2 4=1 5=1 6=216",
        "Convolution h 1 1 a h 0=16 1=1 5=1 6=128", "Reshape r 1 1 h r 0=-1 1=16 2=1",
        "Permute p 1 1 r head 0=1",
      ], random: &random)
    let head = HeadLayout(blob: "head", anchors: 1, objectness: 4, stride: 4)
    let error = try #require(throws: InferenceError.self) {
      try Engine(network).visitHeads(
        [head], of: [UInt8](repeating: 0, count: 3 * 8 * 8), rows: 8, columns: 8,
        minimumObjectness: 0
      ) { _, _, _, _, _ in }
    }
    #expect(error.reason == .shape)
    #expect(error.found == "4 × 4 cells of head")
  }

  @Test func refusesANetworkOfTwoInputs() throws {
    var random = SeededGenerator(seed: 6)
    let network = try Network(
      layers: ["Input more 0 1 more", "BinaryOp sum 2 1 data more out"], random: &random)
    let error = try #require(throws: InferenceError.self) {
      try Engine(network).prepare([], rows: 8, columns: 8)
    }
    #expect(error.reason == .input)
    #expect(error.found == "2 inputs")
  }
}

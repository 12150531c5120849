// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceInference
@_spi(Tool) @testable import YOLOFaceNCNN

/// What a detector needs from the engine: a picture's bytes in, groups of values with high gates
/// out.
struct GatedOutputTests {
  private struct Place: Hashable {
    var output, group, cell: Int
  }

  private static let divided = Normalization(divisor: 255)

  /// A picture of random bytes, and the same divided by 255 as 3 × rows × columns.
  private func picture(
    rows: Int, columns: Int, _ random: inout SeededGenerator
  ) throws -> (bytes: [UInt8], tensor: Tensor) {
    let bytes = (0..<3 * rows * columns).map { _ in UInt8.random(in: 0...255, using: &random) }
    return (bytes, try Tensor(picture: bytes, rows: rows, columns: columns, Self.divided))
  }

  /// The values of each group by the interpreter, whose blobs are groups × cells × width.
  private func expectedGroups(_ blobs: [Tensor]) -> [Place: [Float]] {
    var groups: [Place: [Float]] = [:]
    for (number, blob) in blobs.enumerated() {
      let (cells, width) = (blob.shape[1], blob.shape[2])
      for index in 0..<blob.values.count / width {
        let place = Place(output: number, group: index / cells, cell: index % cells)
        groups[place] = Array(blob.values[width * index..<width * (index + 1)])
      }
    }
    return groups
  }

  /// Sums of at most 180 products near 1/√180 in another order.
  private func isClose(_ a: [Float], _ b: [Float]) -> Bool {
    largestDifference(of: b, from: a) < 2e-5
  }

  /// A number near the median of some numbers, but as far from each as possible: the engine's
  /// numbers differ a little from the interpreter's.
  private func middle(of numbers: [Float]) -> Float {
    let sorted = numbers.sorted()
    let inner = sorted[sorted.count / 4...sorted.count * 3 / 4]
    let widest = zip(inner, inner.dropFirst()).max { $0.1 - $0.0 < $1.1 - $1.0 }
    return widest.map { ($0.0 + $0.1) / 2 } ?? 0
  }

  /// Compares the outputs for a picture with the interpreter's: the values of every group with a
  /// high enough gate, the shapes and the tensors.
  ///
  /// - Returns: which outputs the engine has reduced to their gates.
  @discardableResult private func agrees(
    _ network: Network, _ gated: [GatedOutput], whole: [String] = [], rows: Int, columns: Int,
    threads: Int, instructionSet: String, seed: UInt64
  ) throws -> [Bool] {
    var random = SeededGenerator(seed: seed)
    let (bytes, tensor) = try picture(rows: rows, columns: columns, &random)
    let names = gated.map(\.blob) + whole
    let blobs = try Interpreter(network).run(["data": tensor], extracting: names)
    let expected = expectedGroups(try gated.map { try #require(blobs[$0.blob]) })
    let engine = try Engine(
      network, outputs: whole, gated: gated, normalization: Self.divided, threads: threads,
      instructionSet: instructionSet)
    let gates = expected.map { $1[gated[$0.output].gate] }
    for minimum in [-Float.infinity, middle(of: gates)] {
      var found: [Place: [Float]] = [:]
      var order: [Place] = []
      try engine.run(picture: bytes, rows: rows, columns: columns) { outputs in
        for number in gated.indices {
          outputs.forEachGroup(of: number, from: minimum) { group, cell, values in
            let place = Place(output: number, group: group, cell: cell)
            found[place] = values.indices.map { values[$0] }
            order.append(place)
          }
        }
        for name in names {
          let blob = try #require(blobs[name])
          #expect(try outputs.shape(of: name) == blob.shape)
          #expect(isClose(blob.values, try outputs.tensor(name).values))
        }
      }.get()
      let wanted = expected.filter { $1[gated[$0.output].gate] >= minimum }
      let place: Comment = "\(instructionSet), \(rows) × \(columns), from \(minimum)"
      #expect(!wanted.isEmpty && (minimum < -1e30 || wanted.count < expected.count), place)
      #expect(Set(found.keys) == Set(wanted.keys), place)
      let sorted = found.keys.sorted {
        ($0.output, $0.group, $0.cell) < ($1.output, $1.group, $1.cell)
      }
      #expect(order == sorted, place)
      for (cell, values) in found {
        #expect(isClose(try #require(expected[cell]), values), place)
      }
    }
    return try engine.plan(engine.pictureRequest(rows: rows, columns: columns)).gated.map {
      $0 != nil
    }
  }

  /// Outputs of which only the gates are computed at every cell.
  @Test(arguments: EngineTests.instructionSets, [(14, 10), (22, 34), (96, 64)])
  func computesReducedOutputs(instructionSet: String, size: (rows: Int, columns: Int)) throws {
    var random = SeededGenerator(seed: 3)
    let network = try Network(
      layers: [
        "Convolution c 1 1 data a 0=20 1=3 3=2 4=1 5=1 6=540", "Swish s 1 1 a b",
        "Convolution h 1 1 b h 0=48 1=1 5=1 6=960", "Reshape r 1 1 h r 0=-1 1=16 2=3",
        "Permute p 1 1 r head 0=1",
      ], random: &random)
    let gated = [GatedOutput(blob: "head", groups: 3, width: 16, gate: 4)]
    for threads in 1...3 {
      let reduced = try agrees(
        network, gated, rows: size.rows, columns: size.columns, threads: threads,
        instructionSet: instructionSet, seed: UInt64(threads))
      #expect(reduced == [true])
    }
  }

  /// Groups that neither begin nor end at a multiple of the lanes.
  @Test(arguments: EngineTests.instructionSets, [1, 2, 5, 13, 16, 17, 33])
  func computesGroupsOfAnyWidth(instructionSet: String, width: Int) throws {
    var random = SeededGenerator(seed: 7)
    let network = try Network(
      layers: [
        "Convolution c 1 1 data a 0=20 1=3 3=2 4=1 5=1 6=540",
        "Convolution h 1 1 a h 0=\(3 * width) 1=1 5=1 6=\(60 * width)",
        "Reshape r 1 1 h r " + (width == 5 ? "6=\"*(0w,0h),//(0c,3),3\"" : "0=-1 1=\(width) 2=3"),
        "Permute p 1 1 r head 0=1",
      ], random: &random)
    let gated = [GatedOutput(blob: "head", groups: 3, width: width, gate: width / 2)]
    let reduced = try agrees(
      network, gated, rows: 14, columns: 10, threads: 1, instructionSet: instructionSet, seed: 8)
    #expect(reduced == [true])
  }

  /// One output is reduced while another, whose form does not allow it, and a third stay whole.
  @Test(arguments: EngineTests.instructionSets)
  func reducesEachOutputSeparately(instructionSet: String) throws {
    var random = SeededGenerator(seed: 9)
    let network = try Network(
      layers: [
        "Convolution c 1 1 data a 0=20 1=3 3=2 4=1 5=1 6=540", "Split s 1 4 a a1 a2 a3 a4",
        "Convolution h 1 1 a1 h 0=21 1=1 5=1 6=420", "Reshape r 1 1 h r 0=-1 1=7 2=3",
        "Permute p 1 1 r head 0=1",
        "Convolution i 1 1 a2 i 0=10 1=3 4=1 5=1 6=1800", "Reshape t 1 1 i t 0=-1 1=5 2=2",
        "Permute q 1 1 t other 0=1", "Convolution w 1 1 a3 whole 0=6 1=1 5=1 6=120",
        "Convolution j 1 1 a4 j 0=8 1=1 5=1 6=160", "Reshape u 1 1 j u 0=-1 1=4 2=2",
        "Permute v 1 1 u both 0=1",
      ], random: &random)
    let gated = [
      GatedOutput(blob: "other", groups: 2, width: 5, gate: 0),
      GatedOutput(blob: "head", groups: 3, width: 7, gate: 6),
      GatedOutput(blob: "both", groups: 2, width: 4, gate: 1),
    ]
    for threads in 1...2 {
      let reduced = try agrees(
        network, gated, whole: ["whole", "both"], rows: 14, columns: 10, threads: threads,
        instructionSet: instructionSet, seed: 10)
      #expect(reduced == [false, true, false])
    }
  }

  /// An output's convolution stays whole where something else reads it: it would read zeros.
  @Test(arguments: EngineTests.instructionSets)
  func keepsAnOutputThatIsReadElsewhere(instructionSet: String) throws {
    var random = SeededGenerator(seed: 2)
    let network = try Network(
      layers: [
        "Convolution c 1 1 data a 0=8 1=1 5=1 6=24", "Convolution h 1 1 a b 0=16 1=1 5=1 6=128",
        "Split s 1 2 b first rest", "Reshape r 1 1 first r 0=-1 1=16 2=1",
        "Permute p 1 1 r head 0=1", "Convolution d 1 1 rest e 0=16 1=1 5=1 6=256",
        "Reshape q 1 1 e q 0=-1 1=16 2=1", "Permute o 1 1 q out 0=1",
      ], random: &random)
    let gated = ["head", "out"].map { GatedOutput(blob: $0, groups: 1, width: 16, gate: 4) }
    let reduced = try agrees(
      network, gated, rows: 6, columns: 5, threads: 1, instructionSet: instructionSet, seed: 4)
    #expect(reduced == [false, true])
  }

  private func smallNetwork() throws -> Network {
    var random = SeededGenerator(seed: 5)
    return try Network(
      layers: [
        "Convolution c 1 1 data a 0=8 1=3 3=2 4=1 5=1 6=216",
        "Convolution h 1 1 a h 0=16 1=1 5=1 6=128", "Reshape r 1 1 h r 0=-1 1=16 2=1",
        "Permute p 1 1 r head 0=1",
      ], random: &random)
  }

  @Test(arguments: [(2, 16), (1, 15), (16, 1), (1, 17)])
  func refusesAnotherShape(groups: Int, width: Int) throws {
    let output = GatedOutput(blob: "head", groups: groups, width: width, gate: 0)
    let error = #expect(throws: InferenceError.self) {
      try Engine(smallNetwork(), gated: [output]).prepare(rows: 8, columns: 8)
    }
    #expect(error?.reason == .shape && error?.found == "shape [1, 16, 16] of head")
  }

  /// The contents of other blobs have been overwritten.
  @Test func refusesBlobsThatWereNotRequested() throws {
    let error = #expect(throws: InferenceError.self) {
      try Engine(smallNetwork(), outputs: ["head"]).run(
        picture: [UInt8](repeating: 0, count: 3 * 8 * 8), rows: 8, columns: 8
      ) { outputs in
        #expect(try outputs.shape(of: "head") == [1, 16, 16])
        _ = try outputs.tensor("a")
      }.get()
    }
    #expect(error?.reason == .blob)
  }

  @Test func refusesANetworkOfTwoInputs() throws {
    let network = try Network(layers: ["Input more 0 1 more", "BinaryOp sum 2 1 data more out"])
    let error = #expect(throws: InferenceError.self) {
      try Engine(network).prepare(rows: 8, columns: 8)
    }
    #expect(error?.reason == .input && error?.found == "2 inputs")
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@testable import YOLOFaceNCNN

struct EinsumTests {
  /// A network that reads one blob for each part of an equation on the left.
  private func network(_ equation: String) throws -> Network {
    let count = equation.utf8.count(where: { $0 == UInt8(ascii: ",") }) + 1
    let blobs = (0..<count).map { "b\($0)" }
    let codes = equation.utf8.map { "\($0)" }.joined(separator: ",")
    return try read(
      blobs.map { "Input \($0) 0 1 \($0)" } + [
        "Einsum e \(count) 1 \(blobs.joined(separator: " ")) out -23300=\(equation.utf8.count),\(codes)"
      ])
  }

  private func cost(_ equation: String, _ inputs: [[Int]], _ output: [Int]) throws -> Cost {
    try #require(try network(equation).layers.last).operation.kind.cost(
      inputs: inputs, outputs: [output])
  }

  /// Each input and the result take a step for each number of a row, and sixteen between rows.
  @Test func countsRows() throws {
    #expect(try cost("ij,jk->ik", [[5, 7], [7, 9]], [5, 9]).steps == 5 * 7 * (9 + 16) * 3)
    // A name of one position is no row.
    #expect(try cost("ij,jk->ik", [[5, 7], [7, 1]], [5, 1]).steps == 5 * (7 + 16) * 3)
    #expect(try cost("i->i", [[1]], [1]).steps == 17 * 2)
  }

  /// 2⁵⁶ products of 130 numbers are more than 64 bits can count.
  @Test func aHugeCostIsCountedToTheEnd() throws {
    let equation = ["ijkl", "mnop"] + Array(repeating: "i", count: 128)
    let shapes =
      [[128, 128, 128, 128], [128, 128, 128, 128]] + Array(repeating: [128], count: 128)
    let huge = try cost(equation.joined(separator: ",") + "->i", shapes, [128])
    #expect(huge.steps == 1 << 60 && huge.multiplyAdds == 1 << 56)
  }

  /// To the bit: in each element of the result, the products are added in the order of their positions.
  @Test func addsInOrder() throws {
    var random = SeededGenerator(seed: 1)
    func blob(_ shape: [Int]) throws -> Tensor {
      try Tensor(shape: shape, values: random.floats(shape.reduce(1, *)))
    }
    let (a, b, c) = (try blob([3, 4, 2]), try blob([4, 5, 4]), try blob([5]))
    var expected = Tensor([5, 3])
    for i in 0..<3 {
      for j in 0..<4 {
        for k in 0..<2 {
          for l in 0..<5 { expected.values[l * 3 + i] += a[i, j, k] * b[j, l, j] * c[l] }
        }
      }
    }
    let interpreter = try Interpreter(try network("ijk,jlj,l->li"))
    let found = try interpreter.run(["b0": a, "b1": b, "b2": c], extracting: ["out"])
    #expect(found["out"] == expected)
  }
}

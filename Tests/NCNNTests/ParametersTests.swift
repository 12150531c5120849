// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

@Suite struct ParametersTests {
  @Test func pairsKeepTheirOrder() {
    var parameters: Parameters = [5: .integer(1), 0: .real(2)]
    #expect(parameters.pairs.map(\.key) == [5, 0])
    #expect(parameters[5] == .integer(1))
    #expect(parameters[1] == nil)
    parameters[1] = .string("x")
    parameters[5] = .integers([3])
    #expect(parameters.pairs.map(\.key) == [5, 0, 1])
    #expect(parameters[5] == .integers([3]))
    parameters[0] = nil
    parameters[7] = nil
    #expect(parameters.pairs.map(\.key) == [5, 1])
    #expect(Parameters().pairs.isEmpty)
  }

  private func reader(_ parameters: Parameters) -> ParameterReader {
    ParameterReader(parameters: parameters, kind: "Kind", file: "f", line: 9)
  }

  @Test func integers() throws {
    let reader = reader([0: .integer(5), 1: .real(6), 2: .real(6.5), 3: .integers([7])])
    #expect(try [0, 1, 9].map { try reader.integer($0, "n", default: 1, in: 0...6) } == [5, 6, 1])
    let above = try #require(refusal { try reader.integer(0, "n", default: 1, in: 0...4) })
    #expect(above.position == .line(9) && above.reason == .parameter)
    #expect(above.description == "f:9: found Kind n (0=5), expected an integer in 0…4")
    #expect(
      refusal { try reader.integer(2, "n", default: 1) }?.found == "Kind n (2=6.500000e+00)")
    #expect(refusal { try reader.integer(3, "n", default: 1) }?.found == "Kind n (-23303=1,7)")
    #expect(refusal { try reader.integer(9, "n", default: 0, in: 1...2) } != nil)
  }

  @Test func realsAndArrays() throws {
    let reader = reader([
      0: .real(0.5), 1: .integer(2), 2: .reals([1, 0.5]), 3: .integers([1, 2]), 4: .string("x"),
    ])
    #expect(try [0, 1, 9].map { try reader.real($0, "x", default: 9) } == [0.5, 2, 9])
    #expect(refusal { try reader.real(2, "x", default: 9) }?.expected == "a number")
    #expect(
      try [0, 1, 2, 3, 9].map { try reader.reals($0, "x") } == [[0.5], [2], [1, 0.5], [1, 2], []])
    #expect(refusal { try reader.reals(4, "x") }?.expected == "an array of numbers")
    #expect(try [1, 3, 9].map { try reader.integers($0, "x", in: 0...2) } == [[2], [1, 2], []])
    #expect(refusal { try reader.integers(3, "x", in: 0...1) }?.expected == "integers in 0…1")
    #expect(refusal { try reader.integers(2, "x", in: 0...1) } != nil)
  }

  @Test func flags() throws {
    let reader = reader([0: .integer(0), 1: .integer(1), 2: .integer(2)])
    #expect(try [0, 1, 9].map { try reader.flag($0, "f") } == [false, true, false])
    #expect(try [0, 9].map { try reader.flag($0, "f", default: true) } == [false, true])
    #expect(refusal { try reader.flag(2, "f") }?.expected == "an integer in 0…1")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import YOLOFaceNCNN

@Suite struct ParamWriterTests {
  /// Composed in the style of ncnn's own tools: names padded to 24, floats as `%e`.
  static let styled = """
    7767517
    9 11
    Input                    in0                      0 1 in0 0=64 1=64 2=3
    Convolution              conv_with_a_name_longer_than_the_column 1 1 in0 1 0=16 1=3 3=2 4=1 \
    5=1 6=432 9=2 -23310=1,1.000000e-01
    Split                    splitncnn_0              1 2 1 2 3
    Slice                    slice                    1 2 2 4 5 -23300=2,-233,-233 1=0
    BinaryOp                 mul                      1 1 3 6 0=2 1=1 2=5.000000e-01
    Interp                   up                       1 1 4 7 0=1 1=2.000000e+00 2=2.000000e+00 \
    -23330=4,3,64,64,3
    Reshape                  view                     1 1 7 8 0=-1 1=16
    Clip                     clip                     1 1 6 9 0=-3.402823e+38 1=3.402823e+38
    Crop                     crop                     1 1 5 10 -23309=1,0 -23310=1,2 -23311=1,0

    """

  @Test func ncnnStyleRoundTripsByteForByte() throws {
    #expect(try read(Self.styled).paramText() == Self.styled)
  }

  @Test func writtenTextReadsBack() throws {
    let network = try read(
      """
      7767517
      3 3
      Input i 0 1 a 0=.5e1 1=4
      Magic m 1 1 a b 0=1,2 1=2.f -23302=2,1,.1 3=word 4="two words" 5="" 6="quoted" 7=-0.0 8=1e-45
      Swish größe 1 1 b 顔
      """)
    let again = try read(network.paramText())
    #expect(again == network)
    #expect(again.paramText() == network.paramText())
  }

  @Test(arguments: [
    (ParameterValue.integer(-233), "-233"), (.real(2), "2.000000e+00"), (.real(0), "0.000000e+00"),
    (.real(-0.0), "-0.000000e+00"), (.real(0.1), "1.000000e-01"), (.real(1e10), "1.000000e+10"),
    (.real(9.9999998e-5), "1.000000e-04"),
    (.real(9.999999e9), "9.999999e+09"), (.real(12345.625), "1.2345625e+04"),
    (.real(16_777_216), "1.6777216e+07"), (.real(.leastNonzeroMagnitude), "1.401298e-45"),
    (.integers([]), "0"), (.integers([1, -2]), "2,1,-2"), (.reals([0.5]), "1,5.000000e-01"),
    (.string("word"), "word"), (.string("two words"), "\"two words\""), (.string(""), "\"\""),
    (.string("0w,0h"), "\"0w,0h\""), (.string("é"), "\"é\""),
  ])
  func values(_ value: ParameterValue, _ text: String) {
    #expect(value.text == text)
  }

  @Test func realsRoundTripAndLookAsInC() throws {
    var random = SeededGenerator(seed: 3)
    var numbers: [Float] = [0, -0.0, .leastNonzeroMagnitude, .leastNormalMagnitude, .pi, 1e38]
    numbers += [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 9.999999e9, 9.9999999e-9]
    while numbers.count < 5000 {
      let number = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random))
      if number.isFinite { numbers.append(number) }
    }
    let layers = numbers.enumerated().map { index, number in
      // Nine digits in C identify any float; the reader must give the same bits.
      "ReLU r\(index) 1 1 b\(index) b\(index + 1) 0=" + String(format: "%.8e", Double(number))
    }
    func slopes(_ network: Network) -> [UInt32] {
      network.layers.compactMap {
        $0.operation.as(ReLU.self)?.slope.bitPattern
      }
    }
    let network = try read(["Input i 0 1 b0"] + layers)
    #expect(slopes(network) == numbers.map(\.bitPattern))
    #expect(slopes(try read(network.paramText())) == numbers.map(\.bitPattern))
    // As in C, with the fewest digits that identify the float, but at least seven.
    for number in numbers {
      let texts = (6...8).map { String(format: "%.\($0)e", Double(number)) }
      #expect(ParameterValue.real(number).text == texts.first { Float($0) == number })
    }
  }
}

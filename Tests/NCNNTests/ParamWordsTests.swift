// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceUntrusted

@testable import YOLOFaceNCNN

@Suite struct ParamWordsTests {
  @Test(arguments: [
    ("0=0", ParameterValue.integer(0)), ("0=-233", .integer(-233)), ("0=+7", .integer(7)),
    ("0=007", .integer(7)), ("0=2147483647", .integer(2_147_483_647)),
    ("0=-2147483648", .integer(-2_147_483_648)),
    ("0=.5", .real(0.5)), ("0=-.5", .real(-0.5)), ("0=2.", .real(2)), ("0=2.f", .real(2)),
    ("0=2.5f", .real(2.5)), ("0=1e-5", .real(1e-5)), ("0=1E3", .real(1000)),
    ("0=1e+3f", .real(1000)), ("0=2.000000e+00", .real(2)), ("0=+1.25", .real(1.25)),
    ("0=-3.402823e+38", .real(-3.402823e+38)),
    ("0=3.40282347e+38", .real(.greatestFiniteMagnitude)),
    ("0=1e-45", .real(.leastNonzeroMagnitude)), ("0=1e-50", .real(0)),
    ("0=0.1", .real(0x1.99999Ap-4)), ("0=16777217.0", .real(16_777_216)),
    ("-23300=0", .integers([])), ("-23300=1,5", .integers([5])),
    ("-23303=3,1,-2,3", .integers([1, -2, 3])), ("-23303=2,0.1,1e2", .reals([0.1, 100])),
    ("-23303=3,1,2,.5", .reals([1, 2, 0.5])), ("4=3,4", .integers([3, 4])),
    ("4=3.0,4", .reals([3, 4])), ("4=-1,0,1", .integers([-1, 0, 1])),
    ("5=word", .string("word")), ("5=E12", .string("E12")), ("5=a=b,c", .string("a=b,c")),
    (#"5="two words""#, .string("two words")), (#"5="0w,0h,-1""#, .string("0w,0h,-1")),
    (#"5="""#, .string("")), ("5=" + longest, .string(longest)),
  ])
  func values(_ text: String, _ value: ParameterValue) throws {
    #expect(try readPair(text) == value)
  }

  private static let longest = String(repeating: "x", count: 255)

  @Test func keys() throws {
    func key(_ text: String) throws -> Int {
      try readPair(UntrustedText(text), Line(words: [], number: 1, file: "")).key
    }
    #expect(
      try ["0=1", "31=1", "-23300=0", "-23310=0", "-23331=0"].map(key) == [0, 31, 0, 10, 31])
    for text in ["32=1", "-1=1", "-23299=1", "-23332=0", "-2147483648=0"] {
      #expect(refusal { try key(text) }?.expected.hasPrefix("a key in 0…31") == true)
    }
  }

  /// The words of every line that is not empty.
  private func words(_ text: String) throws(ModelError) -> [[String]] {
    var lines: [[String]] = []
    var reader = LineReader(bytes: Array(text.utf8), file: "")
    while let line = try reader.next() { lines.append(line.words.map(\.description)) }
    return lines
  }

  @Test func linesOfWords() throws {
    #expect(try words("") == [])
    #expect(try words("a") == [["a"]])
    #expect(try words(" a\tb  c \n\nd\r\n") == [["a", "b", "c"], ["d"]])
  }

  @Test func quotesJoinWordsOnlyAfterAnEqualsSign() throws {
    #expect(try words("5=\"a  b\" c") == [["5=\"a  b\"", "c"]])
    #expect(try words("a\"b c\"d") == [["a\"b", "c\"d"]])
    #expect(try words("\"a b\"") == [["\"a", "b\""]])
    #expect(try words("5=\"a\" 6=\"b c\"") == [["5=\"a\"", "6=\"b c\""]])
  }

  @Test func excerptOfALongLine() throws {
    let words = Array(repeating: UntrustedText("abcd"), count: 100)
    let excerpt = Line(words: words, number: 1, file: "").excerpt
    #expect(excerpt.count == 61 && excerpt.hasPrefix("abcd abcd ") && excerpt.hasSuffix("…"))
  }
}

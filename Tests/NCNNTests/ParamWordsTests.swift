import Testing
import Untrusted

@testable import NCNN

@Suite struct ParamWordsTests {
  @Test(arguments: [
    ("0=0", 0), ("0=1", 1), ("0=-233", -233), ("0=+7", 7), ("0=007", 7),
    ("0=2147483647", 2_147_483_647), ("0=-2147483648", -2_147_483_648),
  ])
  func integers(_ text: String, _ value: Int) throws {
    #expect(try readPair(text) == .integer(value))
  }

  @Test(arguments: [
    ("0=.5", 0.5), ("0=-.5", -0.5), ("0=2.", 2), ("0=2.f", 2), ("0=2.5f", 2.5), ("0=1e-5", 1e-5),
    ("0=1E3", 1000), ("0=1e+3f", 1000), ("0=2.000000e+00", 2), ("0=+1.25", 1.25),
    ("0=-3.402823e+38", -3.402823e+38), ("0=3.40282347e+38", Float.greatestFiniteMagnitude),
    ("0=1e-45", Float.leastNonzeroMagnitude), ("0=1e-50", 0), ("0=0.1", 0x1.99999Ap-4),
    ("0=16777217.0", 16_777_216),
  ])
  func reals(_ text: String, _ value: Float) throws {
    #expect(try readPair(text) == .real(value))
  }

  @Test func negativeZero() throws {
    guard case .real(let zero) = try readPair("0=-0.0") else { throw Unexpected() }
    #expect(zero.bitPattern == 0x8000_0000)
  }

  private struct Unexpected: Error {}

  @Test func countedArrays() throws {
    #expect(try readPair("-23300=0") == .integers([]))
    #expect(try readPair("-23300=1,5") == .integers([5]))
    #expect(try readPair("-23303=3,1,-2,3") == .integers([1, -2, 3]))
    #expect(try readPair("-23303=2,0.1,1e2") == .reals([0.1, 100]))
    #expect(try readPair("-23303=3,1,2,.5") == .reals([1, 2, 0.5]))
  }

  @Test func commaArrays() throws {
    #expect(try readPair("4=3,4") == .integers([3, 4]))
    #expect(try readPair("4=3.0,4") == .reals([3, 4]))
    #expect(try readPair("4=-1,0,1") == .integers([-1, 0, 1]))
  }

  @Test func strings() throws {
    #expect(try readPair("5=word") == .string("word"))
    #expect(try readPair("5=E12") == .string("E12"))
    #expect(try readPair("5=a=b,c") == .string("a=b,c"))
    #expect(try readPair("5=\"two words\"") == .string("two words"))
    #expect(try readPair("5=\"0w,0h,-1\"") == .string("0w,0h,-1"))
    #expect(try readPair("5=\"\"") == .string(""))
    let longest = String(repeating: "x", count: 255)
    #expect(try readPair("5=" + longest) == .string(longest))
  }

  @Test func keys() throws {
    func key(_ text: String) throws -> Int {
      try readPair(UntrustedText(text), Line(words: [], number: 1, file: "")).key
    }
    #expect(try key("0=1") == 0)
    #expect(try key("31=1") == 31)
    #expect(try key("-23300=0") == 0)
    #expect(try key("-23310=0") == 10)
    #expect(try key("-23331=0") == 31)
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

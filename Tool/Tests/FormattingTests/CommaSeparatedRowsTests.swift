// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceFormatting
import YOLOFaceUntrusted

struct CommaSeparatedRowsTests {
  private func rows(_ text: String) -> [[String]] {
    var rows = CommaSeparatedRows(Array(text.utf8)[...])
    var result: [[String]] = []
    while let row = rows.next() { result.append(row.map(\.description)) }
    return result
  }

  /// The examples of RFC 4180, section 2, and what it leaves open.
  @Test(arguments: [
    ("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
    ("aaa,bbb,ccc\r\nzzz,yyy,xxx", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
    ("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz", [["aaa", "b\r\nbb", "ccc"], ["zzz"]]),
    ("\"aaa\",\"b\"\"bb\",\"c,c\"", [["aaa", "b\"bb", "c,c"]]),
    (",\n\n,,", [["", ""], [""], ["", "", ""]]), ("", []), ("a\rb", [["a"], ["b"]]),
    ("\"never closed,\n", [["never closed,\n"]]), ("a\"b\"c,\"\"", [["abc", ""]]),
  ]) func readsRows(text: String, expected: [[String]]) { #expect(rows(text) == expected) }

  @Test func aLongRowIsCut() {
    let commas = [255, 256, 300].map { String(repeating: ",", count: $0) }
    #expect(rows(commas.joined(separator: "\n")).map(\.count) == [256, 257, 257])
  }

  @Test func countsLinesInsideQuotes() {
    var rows = CommaSeparatedRows(Array("a\n\"b\nc\r\nd\"\r\ne".utf8)[...])
    var lines: [Int] = []
    while rows.next() != nil { lines.append(rows.line) }
    #expect(lines == [1, 2, 5])
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The names, those first from which a misspelt one differs least: by bytes that are missing, added or others. Of
/// many names the first thousands count, and of long ones the beginnings.
func nearest(to name: String, among names: [String]) -> [String] {
  let (mostNames, mostBytes) = (10_000, 64)
  let wanted = Array(name.utf8.prefix(mostBytes))
  let distances = names.prefix(mostNames).map {
    distance(wanted, Array($0.utf8.prefix(mostBytes)))
  }
  return distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.map { names[$0] }
}

/// The fewest bytes to add, to leave out or to replace that make one text of another (Levenshtein, 1965).
private func distance(_ text: [UInt8], _ other: [UInt8]) -> Int {
  var row = Array(0...other.count)
  for (index, byte) in text.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in other.indices {
      let replaced = diagonal + (byte == other[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
    }
  }
  return row[other.count]
}

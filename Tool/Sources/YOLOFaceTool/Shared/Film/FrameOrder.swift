// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting

/// The pictures of a film in the order of the numbers in their names, frame2 before frame10, where they come in that
/// of their bytes, as directories and shells list them. Those that come in another order were put in it by a person.
func inOrderOfNumbers(_ paths: [String]) -> [String] {
  var runs: [[String]] = []
  for path in paths {
    if let last = runs.last?.last, listed(last).lexicographicallyPrecedes(listed(path)) {
      runs[runs.count - 1].append(path)
    } else {
      runs.append([path])
    }
  }
  return runs.flatMap { run in
    run.map { (path: $0, key: counting($0)) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.path)
  }
}

/// That numbers are missing between those of a film's pictures; nil where none are.
func gaps(in paths: [String]) -> String? {
  let numbers = paths.map(lastNumber)
  let steps = zip(numbers, numbers.dropFirst()).map { one, next -> Int in
    guard let one, let next, one.around == next.around else { return 0 }
    return next.number - one.number
  }
  guard let usual = steps.filter({ $0 > 0 }).min() else { return nil }
  let skipped = steps.map { max(0, (Double($0) / Double(usual)).rounded() - 1) }
  guard let first = skipped.firstIndex(where: { $0 > 0 }) else { return nil }
  let missing = skipped.reduce(0, +)
  // More than there are pictures: no numbers of frames, but of times, for example.
  guard missing < Double(paths.count) else { return nil }
  return "\(counted(Int(missing), "frame")) missing by the numbers in the names, the first behind "
    + "\(printable(paths[first])): the film goes on as if there were none"
}

/// What sorts a path where a directory's walk has it: names end before any letter.
private func listed(_ path: String) -> [UInt8] { path.utf8.map { $0 == slash ? 0 : $0 } }

/// What sorts a path by its numbers: in front of the digits of each, a zero and how many there are.
private func counting(_ path: String) -> [UInt8] {
  var key: [UInt8] = []
  var rest = listed(path)[...]
  while let byte = rest.popFirst() {
    guard isDigit(byte) else {
      key.append(byte)
      continue
    }
    let digits = ([byte] + rest.prefix(while: isDigit)).drop { $0 == zero }
    rest = rest.drop(while: isDigit)
    key += [zero, UInt8(clamping: digits.count)] + digits
  }
  return key
}

/// The last number of a name, and the bytes around it; nil for none, or more digits than numbers of frames have.
private func lastNumber(_ path: String) -> (around: [UInt8], number: Int)? {
  let bytes = Array(path.utf8)
  guard let last = bytes.lastIndex(where: isDigit) else { return nil }
  let start = bytes[..<last].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0
  let digits = bytes[start...last]
  guard digits.count < 16 else { return nil }
  return (
    bytes[..<start] + [0] + bytes[(last + 1)...], digits.reduce(0) { 10 * $0 + Int($1 - zero) }
  )
}

private let (slash, zero) = (UInt8(ascii: "/"), UInt8(ascii: "0"))

private func isDigit(_ byte: UInt8) -> Bool { (zero...UInt8(ascii: "9")).contains(byte) }
